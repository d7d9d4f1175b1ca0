"""Write resources/docs/tree.md: every module and the first line of its docstring.

    python packaging/document_tree.py

A test compares the file with the disk.
"""

from __future__ import annotations

import ast
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "resources" / "docs" / "tree.md"
HEAD = """# Modules

Made by `python packaging/document_tree.py`; each line is the first of the module's docstring.
"""


def tree() -> str:
    """Return the text of tree.md as it should be now."""
    parts = [HEAD]
    folder = None
    for path in sorted((ROOT / "engram_desktop").rglob("*.py"), key=_order):
        here = path.parent.relative_to(ROOT).as_posix()
        if here != folder:
            parts.append(f"\n## {here}\n")
            folder = here
        doc = ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""
        line = doc.strip().splitlines()[0] if doc.strip() else ""
        parts.append(line if path.name == "__init__.py" else f"- `{path.name}` {line}")
    return "\n".join(parts) + "\n"


def _order(path: Path) -> tuple[str, bool, str]:
    return (path.parent.as_posix(), path.name != "__init__.py", path.name)


if __name__ == "__main__":
    TARGET.write_text(tree(), encoding="utf-8", newline="\n")
