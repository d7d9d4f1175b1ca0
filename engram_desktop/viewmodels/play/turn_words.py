"""What a turn was taken for and what it left, in words: for the labels below a message."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from engram_desktop.domain.play.turn import LevelBy, TurnNote
from engram_desktop.domain.recall.triage import Level
from engram_desktop.domain.state.tree import StateChange, join_path, number
from engram_desktop.viewmodels.workspace.messages import translated
from engram_desktop.viewmodels.workspace.transcript import RowNote

MOST_CHANGES = 3  # labels of a turn; the panel beside the page shows all
MOST_LETTERS = 28  # of a label
TINTS: dict[Level, str] = {"ROUTINE": "grey", "CHAT": "accent", "EVENT": "gold"}


def level_names() -> dict[Level, str]:
    return {
        "ROUTINE": QCoreApplication.translate("PlayChat", "Routine"),
        "CHAT": QCoreApplication.translate("PlayChat", "Chat"),
        "EVENT": QCoreApplication.translate("PlayChat", "Event"),
    }


def level_tips() -> dict[Level, str]:
    """Say what each level does with a turn."""
    return {
        "ROUTINE": QCoreApplication.translate(
            "PlayChat", "Numbers change, and nothing is remembered of it."
        ),
        "CHAT": QCoreApplication.translate(
            "PlayChat", "Ordinary talk, with the story and the state."
        ),
        "EVENT": QCoreApplication.translate(
            "PlayChat", "It matters: everything is recalled, and an event is recorded."
        ),
    }


def who_said(by: LevelBy) -> str:
    return {
        "hand": QCoreApplication.translate("PlayChat", "set by hand"),
        "model": QCoreApplication.translate("PlayChat", "by the model for triage"),
        "rules": QCoreApplication.translate("PlayChat", "by rules"),
        "scene": QCoreApplication.translate("PlayChat", "as the scene is written"),
    }[by]


def short(text: str, most: int = MOST_LETTERS) -> str:
    """Return a text in one line, cut where it is longer than a label."""
    line = " ".join(text[: 4 * most].split())
    return line if len(line) <= most else line[: most - 1] + "…"


def change_words(change: StateChange) -> str:
    """Write a change as `affection +1`, or `mood → happy`."""
    name = change.path[-1] if change.path else ""
    old, new = number(change.old), number(change.new)
    if old is not None and new is not None and new != old:
        return f"{short(name)} {new - old:+g}"
    value = change.new if not isinstance(change.new, list | dict) else "…"
    return f"{short(name)} → {short(str(value))}" if value is not None else f"{short(name)} ×"


def notes_of(note: TurnNote | None) -> tuple[RowNote, ...]:
    """Return the labels of a turn; none for a message that was not made here."""
    if note is None:
        return ()
    tip = f"{level_tips()[note.level]}\n{who_said(note.level_by)}: {note.level_why}"
    labels = [RowNote("level", level_names()[note.level], TINTS[note.level], tip.rstrip(": "))]
    if note.recalled:
        text = QCoreApplication.translate("PlayChat", "{count} recalled").format(
            count=len(note.recalled)
        )
        who = QCoreApplication.translate("PlayChat", "What {name} was reminded of").format(
            name=note.speaker
        )
        lines = [f"· {short(item.text, 60)}" for item in note.recalled[:8]]
        labels.append(RowNote("recalled", text, "accent", "\n".join([who, *lines])))
    labels += _of_changes(note)
    if note.event is not None:
        text = QCoreApplication.translate("PlayChat", "Recorded: {event}").format(
            event=short(note.event.summary)
        )
        labels.append(RowNote("event", text, "gold", note.event.summary[:600]))
    if note.flags:
        flags = ", ".join(note.flags[:6])
        labels.append(RowNote("event", f"⚑ {short(flags)}", "gold", flags[:600]))
    labels += _of_trouble(note)
    return tuple(labels)


def _of_changes(note: TurnNote) -> list[RowNote]:
    done = [c for c in note.state if c.fault is None and c.new != c.old]
    labels = [
        RowNote("state", change_words(change), "green", _change_tip(change))
        for change in done[:MOST_CHANGES]
    ]
    if len(done) > MOST_CHANGES:
        rest = f"+{len(done) - MOST_CHANGES}"
        tip = "\n".join(_change_tip(change) for change in done[MOST_CHANGES:20])
        labels.append(RowNote("state", rest, "green", tip))
    return labels


def _change_tip(change: StateChange) -> str:
    moved = f"{join_path(change.path)}: {short(str(change.old))} → {short(str(change.new))}"
    return f"{moved}\n{change.reason[:200]}" if change.reason else moved


def _of_trouble(note: TurnNote) -> list[RowNote]:
    labels = []
    faults = [translated(change.fault) for change in note.state if change.fault is not None]
    notices = [*faults, *map(translated, note.notices)]
    if notices:
        labels.append(RowNote("state", "!", "red", "\n".join(notices[:12])))
    if note.ending == "stopped":
        labels.append(RowNote("ending", QCoreApplication.translate("PlayChat", "Stopped"), "grey"))
    elif note.ending == "cut":
        tip = QCoreApplication.translate(
            "PlayChat", "The limit of tokens was reached, or the connection broke."
        )
        labels.append(
            RowNote(
                "ending", QCoreApplication.translate("PlayChat", "Cut off: continue"), "red", tip
            )
        )
    if note.thought:
        tip = short(note.thought, 400)
        labels.append(
            RowNote("thought", QCoreApplication.translate("PlayChat", "Thought"), "grey", tip)
        )
    return labels
