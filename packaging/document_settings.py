"""Write resources/docs/settings.md from the declarations. A test compares the two.

python packaging/document_settings.py
"""

from __future__ import annotations

from pathlib import Path

from engram_desktop.domain.settings import DECLARED

TARGET = Path(__file__).resolve().parent.parent / "resources" / "docs" / "settings.md"


def page() -> str:
    """Return the table."""
    lines = [
        "# Settings",
        "",
        "Made by `python packaging/document_settings.py` from `engram_desktop/domain/settings.py`.",
        "Read and set them in the window, or with `engram settings KEY VALUE`.",
        "Those marked “chat” can be set for one chat: `engram settings KEY VALUE --chat CHAT`.",
        "",
        "What holds: the environment (`MEMORY_MODE` for `memory.mode`), else the chat's own value,",
        "else the library's, else the default.",
        "",
        "| Key | Default | Values | Chat | Meaning |",
        "|---|---|---|---|---|",
    ]
    for key, setting in DECLARED.items():
        values = ", ".join(setting.choices)
        if setting.low is not None:
            values = f"{setting.low:g} to {setting.high:g}"
        chat = "chat" if setting.per_chat else ""
        text = f"{setting.title}. {setting.help}".strip()
        lines.append(f"| `{key}` | {setting.default!r} | {values} | {chat} | {text} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Write the table."""
    TARGET.write_text(page(), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
