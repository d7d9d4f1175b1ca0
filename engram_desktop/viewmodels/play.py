"""Playing the shown chat: send, stream, continue, reroll, swipe and fork replies.

The rows are stored messages; while a reply streams, the player's message and the reply so far are
shown after them. The final messages are read from the library. Pieces of a reply arrive on the
thread of the turn and are drawn at intervals.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import field, replace

from PySide6.QtCore import QCoreApplication, QObject, QTimer, Signal, Slot
from PySide6.QtGui import QImage

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.play import LevelBy, PlayScene, ReplyPiece, Swipes, Turn, TurnNote
from engram_desktop.domain.recall.query import Level
from engram_desktop.domain.state.tree import StateChange, join_path, number
from engram_desktop.domain.values import dataclass
from engram_desktop.jobs.context import JobContext
from engram_desktop.qtjobs.runner import JobHandle
from engram_desktop.services.memory import Memory
from engram_desktop.viewmodels.workspace.choice_texts import listed
from engram_desktop.viewmodels.workspace.live_query import LiveQuery, PageModel
from engram_desktop.viewmodels.workspace.messages import translated
from engram_desktop.viewmodels.workspace.transcript import (
    ChatRow,
    MessageRows,
    RowNote,
    Transcript,
    faces_of,
)
from engram_desktop.viewmodels.workspace.undo_actions import UndoActions
from engram_desktop.viewmodels.workspace.workspace import (
    AskedMemories,
    TypingPlace,
    Workspace,
)

MOST_CHANGES = 3  # labels below a message; the panel shows all changes
MOST_LETTERS = 28  # of a label
TINTS: dict[Level, str] = {"ROUTINE": "grey", "CHAT": "accent", "EVENT": "gold"}


def level_names() -> dict[Level, str]:
    return {
        "ROUTINE": QCoreApplication.translate("PlayChat", "Routine"),
        "CHAT": QCoreApplication.translate("PlayChat", "Chat"),
        "EVENT": QCoreApplication.translate("PlayChat", "Event"),
    }


def level_tips() -> dict[Level, str]:
    """Return the tooltip of each level."""
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
    """Return a text in one line, cut to the length of a label."""
    line = " ".join(text[: 4 * most].split())
    return line if len(line) <= most else line[: most - 1] + "…"


def change_words(change: StateChange) -> str:
    """Return a change as `affection +1`, or `mood → happy`."""
    name = change.path[-1] if change.path else ""
    old, new = number(change.old), number(change.new)
    if old is not None and new is not None and new != old:
        return f"{short(name)} {new - old:+g}"
    value = change.new if not isinstance(change.new, list | dict) else "…"
    return f"{short(name)} → {short(str(value))}" if value is not None else f"{short(name)} ×"


def notes_of(note: TurnNote | None) -> tuple[RowNote, ...]:
    """Return the labels of a turn; empty for a message that was not made here."""
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
        flags = listed(note.flags[:6])
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


EVERY_MS = 33  # milliseconds between two drawings of a streamed reply: thirty a second are enough


class Stream(QObject):
    """A streamed reply: `take` may be called on any thread; ``grown`` comes on the GUI thread."""

    grown = Signal(str)  # the reply so far

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._arrived: deque[str] = deque()
        self._texts: list[str] = []
        self._timer = QTimer(self, interval=EVERY_MS)
        self._timer.timeout.connect(self._look)

    @property
    def text(self) -> str:
        return "".join(self._texts)

    def begin(self, text: str = "") -> None:
        """Start a reply that continues ``text``."""
        self._arrived.clear()
        self._texts = [text]
        self._timer.start()

    def end(self) -> None:
        self._timer.stop()
        self._look()

    def take(self, piece: ReplyPiece) -> None:
        if piece.kind == "reply":
            self._arrived.append(piece.text)

    @Slot()
    def _look(self) -> None:
        count = len(self._arrived)
        if count:
            self._texts += [self._arrived.popleft() for _ in range(count)]
            self._texts = [self.text]
            self.grown.emit(self._texts[0])


@dataclass(frozen=True, slots=True)
class PlayState:
    """What the page shows; ``faces`` by name. ``last`` is the role of the newest message."""

    count: int = 0
    scene: PlayScene = field(default_factory=lambda: PlayScene(""))
    swipes: Swipes = field(default_factory=lambda: Swipes(("",)))
    last: str = ""  # role of the newest message, empty for none
    faces: dict[str, QImage] = field(default_factory=dict)
    has_model: bool = False

    @property
    def can_play(self) -> bool:
        return self.has_model or bool(self.scene.script)


class PlayChat(PageModel):
    """State and commands of the play page. It reads only while active (`set_active`)."""

    shown = Signal(object)  # PlayState
    streaming_changed = Signal(bool)

    def __init__(
        self, workspace: Workspace, undo: UndoActions, parent: QObject | None = None
    ) -> None:
        super().__init__(workspace, parent)
        self._undo = undo
        self.state = PlayState()
        self.speaker = ""  # name of who replies next; empty: chosen by turn
        self.level: Level | None = None
        self._source = MessageRows(workspace.memory)
        self.rows = Transcript(self._fetch, self)
        self.stream = Stream(self)
        self.stream.grown.connect(self._on_grown)
        self._live: tuple[Line, int, tuple[ChatRow, ...]] | None = None
        self._job: JobHandle | None = None
        self._query = LiveQuery(
            workspace,
            "play",
            self._ask,
            self._show,
            concerns=self._concerns,
            forget=self._forget,
            parent=self,
        )
        self._query.forgets_once = True
        self._query.set_active(False)

    @property
    def is_streaming(self) -> bool:
        """Return whether a reply is streaming, in this chat or another."""
        return self._job is not None

    def place(self, what: str) -> TypingPlace:
        """Return the typing place of a field of this page."""
        line = self._space.line
        return TypingPlace(f"play {line.branch_id} {what}", line.chat_id)

    def face(self, name: str) -> QImage | None:
        return self.state.faces.get(name)

    def send(self, text: str) -> bool:
        """Send a message and ask for a reply; an empty text only asks for a reply.

        Returns False if nothing can be sent now.
        """
        if self.is_streaming or not self.has_chat or (not text.strip() and not self.state.count):
            return False
        line, memory, count = self._space.line, self._space.memory, self.state.count
        speaker, level, take = self._who_replies(text), self.level, self.stream.take
        spoken = [ChatRow(count, self.state.scene.player, text, is_own=True, length=len(text))]
        rows = spoken if text.strip() else []
        rows.append(ChatRow(count + len(rows), speaker, "", is_live=True))

        def work(ctx: JobContext) -> Turn:
            return memory.play.send(ctx, line, text, speaker=speaker, level=level, on_piece=take)

        self._begin(self.tr("Waiting for a reply"), work, count, rows)
        return True

    def go_on(self) -> None:
        """Ask for a continuation of the newest reply."""
        row = self._newest()
        if row is None or self.is_streaming:
            return
        line, memory, take = self._space.line, self._space.memory, self.stream.take
        live = replace(row, is_live=True, notes=(), length=len(row.text))
        self._begin(
            self.tr("Continuing the reply"),
            lambda ctx: memory.play.go_on(ctx, line, on_piece=take),
            row.floor,
            [live],
        )

    def reroll(self) -> None:
        """Ask for another version of the newest reply."""
        row = self._newest()
        if row is None or self.is_streaming:
            return
        line, memory, take = self._space.line, self._space.memory, self.stream.take
        level, number = self.level, row.swipe[1] + 1
        live = ChatRow(row.floor, row.name, "", swipe=(number, number), is_live=True)
        self._begin(
            self.tr("Asking for another reply"),
            lambda ctx: memory.play.reroll(ctx, line, level=level, on_piece=take),
            row.floor,
            [live],
        )

    @Slot()
    def stop(self) -> None:
        """Stop the reply; the text received so far is kept."""
        job, live = self._job, self._live
        if job is not None and live is not None and not self._space.memory.play.stop(live[0]):
            job.cancel()

    def swipe(self, floor: int, by: int) -> None:
        """Show another swipe of the newest message; after the last one, ask for a new one."""
        swipes = self.state.swipes
        wanted = swipes.chosen + by
        if self.is_streaming or wanted < 0:
            return
        if wanted >= len(swipes.texts):
            if self.state.last == "assistant" and floor > 0:
                self.reroll()
            return
        self._change(
            self.tr("Choosing another reading"), lambda play, line: play.swipe(line, floor, wanted)
        )

    def edit(self, floor: int, text: str) -> None:
        self._change(self.tr("Editing a message"), lambda play, line: play.edit(line, floor, text))

    def delete_from(self, floor: int) -> None:
        """Delete a message and all after it."""
        count = self.state.count - floor
        if count > 0 and not self.is_streaming:
            job = self._change(
                self.tr("Deleting messages"), lambda play, line: play.delete_last(line, count)
            )
            text = self.tr("%n message(s) deleted", "", count)
            job.succeeded.connect(lambda changes: self._undo.offer(text, changes.undo_label))

    def fork(self, floor: int) -> None:
        """Make a branch that forks at a floor, and play on there."""
        line, memory = self._space.line, self._space.memory
        job = self._space.change(self.tr("Forking"), lambda _ctx: memory.play.fork(line, floor))
        job.succeeded.connect(lambda started: self._space.show_branch(started.line.branch_id))

    def read_source(self, floor: int) -> None:
        """Show a message and its memories on the page of the text."""
        self._space.floor_wanted.emit(floor, floor)

    def ask_who(self, floor: int) -> None:
        """Ask for the dialog that shows who knows a message."""
        messages = self._space.memory.messages.slice(self._space.line, floor, floor)
        for message in messages:
            asked = AskedMemories((("turn", message.id),), message.text, floor)
            self._space.who_wanted.emit(asked)

    def text_of(self, floor: int) -> str:
        """Return the whole text of a message, for editing."""
        messages = self._space.memory.messages.slice(self._space.line, floor, floor)
        return messages[0].text if messages else ""

    def _who_replies(self, text: str) -> str:
        scene = self.state.scene
        names = [member.name for member in scene.members]
        if self.speaker in names:
            return self.speaker
        named = next((name for name in names if name and name in text), "")
        return named or scene.next_speaker

    def _newest(self) -> ChatRow | None:
        return self.rows.row(self.state.count - 1) if self.state.count else None

    def _begin(
        self,
        title: str,
        work: Callable[[JobContext], Turn],
        at: int,
        rows: list[ChatRow],
    ) -> None:
        self._live = (self._space.line, at, tuple(rows))
        self.stream.begin(rows[-1].text)
        self.rows.set_live(at, rows)
        job = self._job = self._space.change(title, work, lane="play")
        job.finished.connect(self._on_finished)
        self.streaming_changed.emit(True)

    def _change(self, title: str, work: Callable[..., Changes]) -> JobHandle:
        line, play = self._space.line, self._space.memory.play
        return self._space.change(title, lambda _ctx: work(play, line))

    @Slot(str)
    def _on_grown(self, text: str) -> None:
        if self._live is None:
            return
        line, at, rows = self._live
        grown = replace(rows[-1], text=text, length=len(text))
        self._live = (line, at, (*rows[:-1], grown))
        if line == self._space.line:
            self.rows.set_live(at, self._live[2])

    @Slot()
    def _on_finished(self) -> None:
        self.stream.end()
        self._job, live = None, self._live
        self._live = None
        if live is not None and live[0] == self._space.line:
            self.rows.set_live(live[1], [*live[2][:-1], replace(live[2][-1], is_live=False)])
            self._query.refresh()
        self.streaming_changed.emit(False)

    def _ask(self) -> Callable[[JobContext], PlayState] | None:
        line, memory = self._space.line, self._space.memory
        names = self._space.actors
        return (lambda ctx: _read(ctx, memory, line, names)) if line.chat_id else None

    def _show(self, state: PlayState) -> None:
        is_other = self._source.line != self._space.line
        self._source.line, self._source.actor = self._space.line, self._space.actor
        self.state = state
        if is_other:
            self.rows.show(state.count)
        elif self._live is None or self._live[0] != self._space.line:
            self.rows.follow(state.count)
        if is_other and self._live is not None and self._live[0] == self._space.line:
            self.rows.set_live(self._live[1], self._live[2])
        self.shown.emit(state)

    def _forget(self) -> None:
        self.state, self.speaker = PlayState(), ""
        self._source.line = Line("", "")
        self.rows.show(0)
        self.shown.emit(self.state)

    def _concerns(self, changes: Changes) -> bool:
        is_ours = changes.chat_id == self._space.chat_id
        return changes.settings or (
            is_ours and (changes.messages or changes.state or changes.rows or changes.branches)
        )

    def _fetch(self, first: int, last: int, most: int) -> list[ChatRow]:
        line = self._source.line
        rows = self._source.rows(first, last, most)
        if not rows:
            return rows
        is_all = not self._source.actor  # effects of turns are shown to the curator only
        notes = self._space.memory.play.notes(line, first, last) if is_all else {}
        newest, swipes = self.state.count - 1, self.state.swipes
        shown = (swipes.chosen + 1, len(swipes.texts))
        return [
            replace(
                row,
                notes=notes_of(notes.get(row.floor)),
                mark="gold" if row.floor in notes and notes[row.floor].event else "",
                swipe=shown if is_all and row.floor == newest and not row.is_own else (1, 1),
            )
            for row in rows
        ]


def _read(ctx: JobContext, memory: Memory, line: Line, names: tuple[str, ...]) -> PlayState:
    memory.knowledge.askers(ctx, line, names)  # updates the data from which the rows are read
    count = memory.messages.count(line)
    scene = memory.play.scene(line)
    newest = memory.messages.slice(line, count - 1, count - 1) if count else []
    swipes = memory.play.swipes(line, count - 1) if newest else Swipes(("",))
    faces = faces_of(memory, scene.members)
    last = newest[0].role if newest else ""
    return PlayState(count, scene, swipes, last, faces, memory.endpoints.has_model())
