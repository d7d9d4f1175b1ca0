"""Bring the translation files up to date: collect the texts (`update`), compile them (`compile`).

English needs only its plural forms; Chinese and Japanese need every text. Nobody edits a .ts
file's sources by hand, and the compiled .qm files are committed so that nothing has to be built to
run.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "resources" / "i18n"
SOURCES = (
    *(
        "domain",
        "storage",
        "llm",
        "formats",
        "services",
        "server",
    ),  # marked texts: errors, reports, labels
    *("viewmodels", "widgets", "app"),
)
LANGUAGES = {"zh_CN": (), "ja": (), "en": ("-pluralonly",)}


def tool(name: str) -> str:
    """Find a tool of PySide6 beside the interpreter."""
    return str(Path(sys.executable).parent / name)


def update(folder: Path = FOLDER) -> None:
    """Collect every text of the program into ``folder``; texts that are gone are dropped."""
    files = sorted(
        str(path.relative_to(ROOT))
        for part in SOURCES
        for path in (ROOT / "engram_desktop" / part).rglob("*.py")
    )
    for language, options in LANGUAGES.items():
        target = folder / f"engram_{language}.ts"
        subprocess.run(
            [
                tool("pyside6-lupdate"),
                "-silent",
                "-no-obsolete",
                "-locations",
                "none",
                "-tr-function-alias",
                "QT_TRANSLATE_NOOP+=_T",
                *options,
                *files,
                "-ts",
                str(target),
            ],
            check=True,
            cwd=ROOT,
        )


def compile_all(folder: Path = FOLDER) -> None:
    for language in LANGUAGES:
        source = folder / f"engram_{language}.ts"
        subprocess.run(
            [
                tool("pyside6-lrelease"),
                "-silent",
                str(source),
                "-qm",
                str(source.with_suffix(".qm")),
            ],
            check=True,
        )


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["update"]:
            update()
        case ["compile"]:
            compile_all()
        case _:
            sys.exit("usage: translations.py update|compile")
