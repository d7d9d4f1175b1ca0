"""Print what the changelog says of a version; a release without an entry of its own fails here.

python packaging/release_notes.py                    of the version in engram_desktop/__init__.py
python packaging/release_notes.py --tag v0.1.0       and the tag must be that version
python packaging/release_notes.py --tag v0.1.0 --json --page ADDRESS

As JSON it is `latest.json`, which the window reads where somebody turned that on: version, page,
notes. A version that is tagged may not be called unreleased any more.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

from engram_desktop import __version__

ROOT = Path(__file__).resolve().parent.parent
CHANGELOG = ROOT / "resources" / "docs" / "changelog.md"
_HEADING = re.compile(r"^## (?P<version>\d+(?:\.\d+)*)(?: \((?P<when>[^)]*)\))?\s*$", re.MULTILINE)
_UNRELEASED = "unreleased"


class NoEntry(Exception):
    """What keeps a version from being released; says what to do."""


def entry(changelog: str, version: str, *, is_release: bool = False) -> str:
    """Return what stands under the heading of ``version``. Raises NoEntry.

    ``is_release``: also where it has no date yet.
    """
    headings = list(_HEADING.finditer(changelog))
    for heading, following in zip(headings, [*headings[1:], None], strict=True):
        if heading["version"] != version:
            continue
        end = following.start() if following else len(changelog)
        text = changelog[heading.end() : end].strip()
        if not text:
            raise NoEntry(f"the changelog says nothing under {version}")
        if is_release and (heading["when"] or _UNRELEASED) == _UNRELEASED:
            raise NoEntry(f"the changelog calls {version} unreleased: write its date instead")
        return text
    raise NoEntry(f"the changelog has no entry “## {version} (date)”")


def check_tag(tag: str, version: str = __version__) -> None:
    """Raise NoEntry unless ``tag`` is that of our version, in both places it stands in."""
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    declared_version = declared.get("version", version)  # or read from the package itself
    if declared_version != version:
        raise NoEntry(f"pyproject.toml says {declared_version}, the program {version}")
    if tag != f"v{version}":
        raise NoEntry(f"the tag {tag} is not that of version {version}")


def as_json(version: str, page: str, notes: str) -> str:
    """Return `latest.json`."""
    document = {"version": version, "page": page, "notes": notes}
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Print what the changelog says of this version.")
    parser.add_argument("--tag", help="fail unless this is the tag of the version")
    parser.add_argument("--json", action="store_true", help="print latest.json")
    parser.add_argument("--page", default="", help="where the release is shown, for --json")
    given = parser.parse_args(arguments)
    try:
        if given.tag is not None:
            check_tag(given.tag)
        changelog = CHANGELOG.read_text("utf-8")
        notes = entry(changelog, __version__, is_release=given.tag is not None)
    except NoEntry as error:
        print(f"release_notes: {error}", file=sys.stderr)
        return 1
    text = as_json(__version__, given.page, notes) if given.json else f"{notes}\n"
    sys.stdout.buffer.write(text.encode())  # the same on a console that is not UTF-8
    return 0


if __name__ == "__main__":
    sys.exit(main())
