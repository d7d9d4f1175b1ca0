"""Write what a request or a reply changes into a line, inside the caller's step."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.labels import HIDE, PLAY_REROLL, SHOW, StepLabel
from engram_desktop.domain.memory.message import ParsedMessage
from engram_desktop.domain.serving.keep_plan import Behind, LineEnd, Way
from engram_desktop.domain.serving.kept import Kept
from engram_desktop.domain.serving.texts.plain_text import plain
from engram_desktop.domain.values import dataclass
from engram_desktop.formats.chats.history_gap import (
    Gap,
    gap_of,
    has_gaps,
    noting_gaps,
    with_gap,
)
from engram_desktop.formats.chats.played import new_row, readings, with_reading
from engram_desktop.services.chats import branching, timeline
from engram_desktop.services.events.renderer import renderer_of
from engram_desktop.services.play import revising
from engram_desktop.services.play.keeping import Keeper
from engram_desktop.services.play.starting import sent_at_text
from engram_desktop.services.prompts.chat_variables import header_of

if TYPE_CHECKING:
    from engram_desktop.domain.memory.line import Line
    from engram_desktop.domain.memory.message import Message, Role
    from engram_desktop.services.library.session import Session
    from engram_desktop.storage.chat.chat_store import ChatStore

Said = tuple[str, str, str]  # (role, name, text)
_LOOKED_BACK = 20  # newest floors among which the player's newest message is looked for
_BEHIND = 8  # floors behind what a request stands on that are read: more is a branch anyway
DEFAULT_PLAYER = "User"


def new_message(
    name: str, role: Role, text: str, now: int, *, reasoning: str = "", speaker_id: str = ""
) -> ParsedMessage:
    """Return a message as SillyTavern would have written it."""
    row: dict[str, Any] = new_row(name, text, sent_at_text(now), is_user=role == "user")
    if role == "assistant":
        row |= {"swipes": [text], "swipe_id": 0}
    if speaker_id:
        row["original_avatar"] = speaker_id
    if reasoning:
        row["extra"] = {"reasoning": reasoning}
    return ParsedMessage(
        name, role, text, False, now, json.dumps(row, ensure_ascii=False), 0, speaker_id
    )


@dataclass(frozen=True, slots=True)
class LineWriter:
    """Reads the end of a line and changes it; whoever calls holds the step."""

    session: Session
    store: ChatStore
    branch_id: str

    @classmethod
    def of(cls, session: Session, line: Line) -> LineWriter:
        """Open a line. Raises NotFound, StorageError."""
        return cls(session, session.chat(line.chat_id), line.branch_id)

    @property
    def count(self) -> int:
        return self.store.messages.count(self.branch_id)

    @property
    def player(self) -> str:
        """Return the player's name: as they spoke last."""
        count = self.count
        newest = self._slice(max(0, count - _LOOKED_BACK), count - 1) if count else []
        names = [message.name for message in newest if message.role == "user"]
        users = self.store.messages.user_names()
        return names[-1] if names else next(iter(users), DEFAULT_PLAYER)

    def end(self, until: int, said: int = 0) -> LineEnd:
        """Return the end of the line as a plan asks for it; ``said`` messages are new to it."""
        count = self.count
        newest = self._slice(max(0, count - _LOOKED_BACK), count - 1) if count else []
        users = [message.seq for message in newest if message.role == "user"]
        shared = (seen for _branch, seen in self.store.branches.descendants(self.branch_id))
        behind = self._slice(until + 1, min(count - 1, until + max(_BEHIND, said)))
        return LineEnd(
            count,
            users[-1] if users else count - 1,
            max(shared, default=-1),
            self.store.branches.first_own(self.branch_id),
            tuple(Behind(message.role, message.name, message.text) for message in behind),
        )

    def mark(self, count: int | None = None) -> str:
        """Return what is another whenever the end of the line is; ``count`` cuts it before that."""
        count = self.count if count is None else count
        newest = self._slice(count - 1, count - 1) if count else []
        return f"{count} {newest[0].id} {newest[0].swipe_hash}" if newest else str(count)

    def late_way(self, kept: Kept) -> Way:
        """Say where a reply goes whose line is another than when it was asked for.

        Asked for twice at once, it is another reading. Where another request took the place of what
        it answers, both go on a branch. "" where it is not known: the next request shows it.
        """
        floor, count = kept.reply_floor, self.count
        first = floor - len(kept.asked)
        if count == floor + 1 and kept.reply_as in ("message", "swipe"):
            newest = self._slice(floor, floor)[0]
            is_same = newest.role == "assistant" and newest.name == kept.speaker
            stood = kept.mark if kept.reply_as == "message" else kept.before
            if is_same and self.mark(floor) == stood:
                return "reading"
        if kept.reply_as != "message" or not kept.asked or not 0 < first < count:
            return ""
        is_there = self._slice(first, first)[0].text == kept.asked[0][2]
        return "branch" if not is_there and self.mark(first) == kept.before else ""

    def newest(self, count: int) -> tuple[Said, ...]:
        """Return (role, name, text) of the newest messages."""
        last = self.count - 1
        messages = self._slice(last - count + 1, last) if count else []
        return tuple((message.role, message.name, message.text) for message in messages)

    def append(self, said: Sequence[Said], *, reasoning: str = "", gap: Gap = "") -> Changes:
        """Add messages at the end; ``reasoning`` is of the one that is a reply."""
        return self.put_in(self.count, said, reasoning=reasoning, gap=gap)

    def put_in(
        self, floor: int, said: Sequence[Said], *, reasoning: str = "", gap: Gap = ""
    ) -> Changes:
        """Put messages in before a floor; before the first of them others may be missing."""
        speakers, now = dict(self.store.messages.characters()), self.store.clock()
        messages = [
            new_message(
                name,
                "assistant" if role == "assistant" else "user",
                text,
                now,
                reasoning=reasoning,
                speaker_id=speakers.get(name, "") if role == "assistant" else "",
            )
            for role, name, text in said
        ]
        if gap and messages:
            messages[0] = replace(messages[0], raw=with_gap(messages[0].raw, gap))
            self._note_gaps()
        return timeline.insert_messages(self.store, floor, messages, self.branch_id)

    def gap(self, floor: int) -> Gap:
        """Return whether messages may be missing before a floor."""
        rows = self.store.messages.raws(self.branch_id, floor, floor)
        return gap_of(rows[0][2]) if rows else ""

    def fill_gap(self, floor: int, said: Sequence[Said], *, left: Gap) -> Changes:
        """Put messages into the gap before a floor; ``left``: others may be missing before them."""
        message_id, _hash, raw = self.store.messages.raws(self.branch_id, floor, floor)[0]
        changes = self.put_in(floor, said, gap=left)
        self.store.messages.put_raw(message_id, with_gap(raw, ""))
        return changes

    def _note_gaps(self) -> None:
        header = header_of(self.store, self.branch_id)
        if not has_gaps(header):
            self.store.branches.set_header(self.branch_id, noting_gaps(header))

    def choose_or_edit(self, floor: int, text: str) -> Changes:
        """Give a floor another text: that reading of it, where it has it, else an edit."""
        before = self._keeper.parsed(floor)
        texts, chosen = readings(before.raw, before.text)
        for number, reading in enumerate(texts):
            if number != chosen and plain(reading) == plain(text):
                return revising.swipe(self._keeper, floor, number)
        return revising.edit(self._keeper, floor, text)

    def choose_shown(self, floor: int, shown: str) -> Changes | None:
        """Choose the reading of a floor that a front end shows; None where it shows the chosen."""
        text = plain(shown)
        rows = self.store.messages.raws(self.branch_id, floor, floor)
        if not rows or '"swipes"' not in rows[0][2]:
            return None
        before = self._keeper.parsed(floor)
        texts, chosen = readings(before.raw, before.text)
        if len(texts) < 2 or text.endswith(plain(before.text)):
            return None
        for number, reading in enumerate(texts):
            is_shown = text.endswith((f":{plain(reading)}", f"：{plain(reading)}"))
            if number != chosen and plain(reading) and (is_shown or text == plain(reading)):
                return revising.swipe(self._keeper, floor, number)
        return None

    def add_reading(self, floor: int, text: str) -> Changes:
        """Add another reading to a reply, and choose it; one it has already is chosen."""
        keeper = self._keeper
        read, before = keeper.message(floor), keeper.parsed(floor)
        texts, _chosen = readings(before.raw, before.text)
        for number, reading in enumerate(texts):
            if plain(reading) == plain(text):
                return revising.swipe(keeper, floor, number)
        message = with_reading(before, text, None)
        label = StepLabel(PLAY_REROLL, {"name": read.name, "floor": floor})
        return keeper.put(label, read, message, None, len(texts), None)

    def go_on(self, floor: int, text: str) -> Changes:
        """Write a reply on where it ends."""
        before = self._keeper.parsed(floor)
        return revising.edit(self._keeper, floor, before.text + text)

    def take_back(self, first: int) -> Changes:
        """Delete the floors from ``first`` on."""
        return timeline.delete_messages(self.store, range(first, self.count), self.branch_id)

    def branch(self, at: int) -> tuple[LineWriter, Changes]:
        """Fork behind floor ``at``; returns what writes on the new branch."""
        branch_id, changes = branching.fork(self.store, self.branch_id, at)
        return LineWriter(self.session, self.store, branch_id), changes

    def set_hidden(self, floors: Sequence[int], *, hidden: bool) -> Changes | None:
        """Hide floors, or show them again; None where all are so already.

        What a branch shares with another is hidden in this one alone.
        """
        messages = [message for floor in floors for message in self._slice(floor, floor)]
        able = [m for m in messages if m.is_hidden != hidden and not m.is_notice]
        if not able:
            return None
        store, branch_id = self.store, self.branch_id
        own = [m.seq for m in able if m.branch_id == branch_id]
        shared = [
            (m.id, replace(parsed, is_hidden=hidden))
            for m in able
            if m.branch_id != branch_id
            for parsed in store.messages.as_parsed(branch_id, m.seq, m.seq)
        ]
        changes = timeline.set_hidden(store, own, branch_id, hidden=hidden)
        if shared:
            label = StepLabel(HIDE if hidden else SHOW, {"count": len(able)})
            with store.step(label):
                store.messages.shared.put(branch_id, shared)
            changes |= Changes(chat_id=store.chat_id, messages=True, undo_label=label)
        return changes

    @property
    def _keeper(self) -> Keeper:
        session, store = self.session, self.store
        return Keeper(
            store, self.branch_id, lambda text: renderer_of(session, store, text), self.player
        )

    def _slice(self, first: int, last: int) -> list[Message]:
        return self.store.messages.slice(self.branch_id, first, last)
