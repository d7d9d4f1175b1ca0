"""The actions of the window that have keys, in the order of the page of keys: one line each."""

from __future__ import annotations

from engram_desktop.domain.marks import QT_TRANSLATE_NOOP
from engram_desktop.domain.values import dataclass

_T = QT_TRANSLATE_NOOP


@dataclass(frozen=True, slots=True)
class ActionSpec:
    """One action. ``text`` is for "Commands"; ``keys`` are those of the program."""

    name: str
    text: str
    icon: str
    keys: tuple[str, ...]


ACTIONS = (
    ActionSpec("search", _T("Commands", "Search everything"), "search", ("Ctrl+K",)),
    ActionSpec("commands", _T("Commands", "All commands"), "tasks", ("Ctrl+P",)),
    ActionSpec("places", _T("Commands", "Go to a chat, branch or entity"), "right", ("Ctrl+O",)),
    ActionSpec("find", _T("Commands", "Search this page"), "search", ("Ctrl+F",)),
    ActionSpec("new", _T("Commands", "Begin a chat…"), "talk", ("Ctrl+N",)),
    ActionSpec("import", _T("Commands", "Import…"), "import", ("Ctrl+Shift+O",)),
    ActionSpec("undo", _T("Commands", "Undo"), "undo", ("Ctrl+Z",)),
    ActionSpec("redo", _T("Commands", "Redo"), "redo", ("Ctrl+Y", "Ctrl+Shift+Z")),
    ActionSpec("history", _T("Commands", "History…"), "clock", ("Ctrl+H",)),
    ActionSpec("save", _T("Commands", "Save what is being typed"), "check", ("Ctrl+S",)),
    ActionSpec("edit", _T("Commands", "Edit or rename"), "edit", ("F2",)),
    ActionSpec("panel", _T("Commands", "Show or hide what stands beside the page"), "panel", ()),
    ActionSpec("settings", _T("Commands", "Settings"), "settings", ("Ctrl+,",)),
    ActionSpec("keys", _T("Commands", "Keys…"), "key", ("Ctrl+Shift+K",)),
    ActionSpec("guide", _T("Commands", "First steps…"), "place", ()),
    ActionSpec("help", _T("Commands", "Help: the guide"), "help", ("F1",)),
    ActionSpec("about", _T("Commands", "About Engram"), "info", ()),
    ActionSpec("safe mode", _T("Commands", "Restart in safe mode, or leave it"), "refresh", ()),
    ActionSpec("full screen", _T("Commands", "Full screen"), "fit", ("F11",)),
    ActionSpec("quit", _T("Commands", "Quit"), "close", ("Ctrl+Q",)),
)
# Dialogs that can be opened at any time, by the names of their openers.
DIALOGS: dict[str, tuple[str, str]] = {
    "texts": (_T("Commands", "Scripts and prompts"), "invert"),
    "usage": (_T("Commands", "What models cost"), "state"),
    "requests": (_T("Commands", "Requests to models"), "recall"),
    "changelog": (_T("Commands", "What changed"), "info"),
    "notices": (_T("Commands", "Third-party notices"), "info"),
    "tavern": (_T("Commands", "SillyTavern folder"), "folder"),
    "health": (_T("Commands", "Library health"), "health"),
    "restore": (_T("Commands", "Bring a backup back…"), "backup"),
    "characters": (_T("Commands", "Characters"), "talk"),
    "trash": (_T("Commands", "Deleted chats"), "trash"),
    "messages": (_T("Commands", "What was said"), "info"),
}
# Those that need a chat.
CHAT_DIALOGS: dict[str, tuple[str, str]] = {
    "consolidate": (_T("Commands", "Consolidate memory…"), "archive"),
    "summarise": (_T("Commands", "Summarise…"), "summarise"),
    "trim": (_T("Commands", "Trim: merge old events into outlines"), "trim"),
    "review": (_T("Commands", "Look through drafts…"), "eye"),
    "failures": (_T("Commands", "What could not be summarised"), "warning"),
    "branches": (_T("Commands", "Branches: fork, compare, roll back…"), "branch"),
    "add": (_T("Commands", "Write an event or a fact…"), "plus"),
    "bin": (_T("Commands", "Deleted events…"), "trash"),
    "replace": (_T("Commands", "Find and replace in events…"), "replace"),
    "duplicates": (_T("Commands", "Events that tell the same…"), "copy"),
    "log": (_T("Commands", "Write a private log…"), "logs"),
    "reflect": (_T("Commands", "Look back…"), "clock"),
    "state": (_T("Commands", "Set a value of the state…"), "state"),
    "secrets": (_T("Commands", "What only some know"), "eye"),
}
# What the openers open on something that is chosen first.
ON_SOMETHING_CHOSEN = frozenset(
    {
        *("about", "settings", "keys", "history", "play_start"),  # actions of their own, see above
        *("scripts", "steps", "redo", "merge", "add_relation", "reword", "end", "source"),
        *("adopt", "memories", "export", "rename_chat", "rename_worldbook", "merge_worldbook"),
        *("sort_entries", "large_entry", "head_entries", "rename_heading", "help"),
        *("bodies", "entity", "import", "report", "split", "who"),
    }
)
