"""Write the changes of a request or a reply to a line, and compose the memory of a request."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from engram_desktop.domain.changes import HIDE, PLAY_REROLL, SHOW, Changes, StepLabel
from engram_desktop.domain.claims.sentence import rules_of
from engram_desktop.domain.errors import KnownError
from engram_desktop.domain.memory.line import MAIN_BRANCH, Line
from engram_desktop.domain.memory.message import ParsedMessage
from engram_desktop.domain.recall.query import ITEM_KINDS, Injection, ItemFilter, RecallQuery
from engram_desktop.domain.serving.keep_plan import Behind, Kept, LineEnd, Way
from engram_desktop.domain.serving.request import leaves_out_blocks, plain
from engram_desktop.domain.values import dataclass
from engram_desktop.formats.chats.played import (
    Gap,
    gap_of,
    has_gaps,
    new_row,
    noting_gaps,
    readings,
    with_gap,
    with_reading,
)
from engram_desktop.services.chats import branching, timeline
from engram_desktop.services.events.blocks import renderer_of
from engram_desktop.services.inject.inject_service import USUAL
from engram_desktop.services.play import turns
from engram_desktop.services.play.keeping import Keeper
from engram_desktop.services.play.scene import sent_at_text
from engram_desktop.services.prompts.macro_scope import header_of

if TYPE_CHECKING:
    from engram_desktop.domain.memory.event import SourceRange
    from engram_desktop.domain.memory.message import Message, Role
    from engram_desktop.domain.serving.identity import Identity
    from engram_desktop.domain.serving.request import FrontRequest
    from engram_desktop.jobs.context import JobContext
    from engram_desktop.services.inject.inject_service import InjectService, Later
    from engram_desktop.services.library.session import Session
    from engram_desktop.services.recall.searching import Searcher
    from engram_desktop.storage.chat.chat_store import ChatStore


NewText = tuple[str, str, str]  # (role, name, text)
_LOOKED_BACK = 20  # newest floors searched for the player's newest message
_BEHIND = 8  # floors read behind the one a request stands on: more make a branch anyway
DEFAULT_PLAYER = "User"
NARRATOR = "System"  # SillyTavern's name for the narrator


def new_message(
    name: str, role: Role, text: str, now: int, *, reasoning: str = "", speaker_id: str
) -> ParsedMessage:
    """Return a message in the form SillyTavern writes."""
    row: dict[str, Any] = new_row(name, text, sent_at_text(now), is_user=role == "user")
    if role == "assistant":
        row |= {"swipes": [text], "swipe_id": 0}
    if speaker_id:
        row["original_avatar"] = speaker_id
    if reasoning:
        row["extra"] = {"reasoning": reasoning}
    if role == "system":
        row["extra"] = {"type": "narrator"}
    return ParsedMessage(
        name, role, text, False, now, json.dumps(row, ensure_ascii=False), 0, speaker_id
    )


def _role(role: str) -> Role:
    return role if role in ("assistant", "system") else "user"  # type: ignore[return-value]  # those


@dataclass(frozen=True, slots=True)
class LineWriter:
    """Reads the end of a line and changes it; the caller opens the undo step."""

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
        """Return the player's name: that of their newest message."""
        count = self.count
        newest = self._slice(max(0, count - _LOOKED_BACK), count - 1) if count else []
        names = [message.name for message in newest if message.role == "user"]
        users = self.store.messages.user_names()
        return names[-1] if names else next(iter(users), DEFAULT_PLAYER)

    def end(self, until: int, said: int = 0) -> LineEnd:
        """Return the end of the line for `plan`; ``said`` is the number of new messages."""
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
        """Return a key of the newest floor; ``count`` takes the line as if it ended there."""
        count = self.count if count is None else count
        newest = self._slice(count - 1, count - 1) if count else []
        return f"{count} {newest[0].id} {newest[0].swipe_hash}" if newest else str(count)

    def late_way(self, kept: Kept) -> Way:
        """Return where to put a reply if the line changed since the request.

        If the same was asked twice at once, the reply is another swipe. If another request replaced
        what it answers, it goes to a branch. "" if unclear: the next request shows it.
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

    def newest(self, count: int) -> tuple[NewText, ...]:
        """Return (role, name, text) of the newest messages."""
        last = self.count - 1
        messages = self._slice(last - count + 1, last) if count else []
        return tuple((message.role, message.name, message.text) for message in messages)

    def append(self, said: Sequence[NewText], *, reasoning: str = "", gap: Gap = "") -> Changes:
        """Append messages; ``reasoning`` belongs to the reply among them."""
        return self.put_in(self.count, said, reasoning=reasoning, gap=gap)

    def put_in(
        self, floor: int, said: Sequence[NewText], *, reasoning: str = "", gap: Gap = ""
    ) -> Changes:
        """Insert messages before a floor; ``gap`` marks others as missing before the first."""
        speakers, now = dict(self.store.messages.characters()), self.store.clock()
        messages = [
            new_message(
                name,
                _role(role),
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
        """Return the gap mark of a floor; "" if no messages are missing before it."""
        rows = self.store.messages.raws(self.branch_id, floor, floor)
        return gap_of(rows[0][2]) if rows else ""

    def fill_gap(self, floor: int, said: Sequence[NewText], *, left: Gap) -> Changes:
        """Insert messages into the gap before a floor; ``left`` is the gap that remains."""
        message_id, _hash, raw = self.store.messages.raws(self.branch_id, floor, floor)[0]
        changes = self.put_in(floor, said, gap=left)
        self.store.messages.put_raw(message_id, with_gap(raw, ""))
        return changes

    def _note_gaps(self) -> None:
        header = header_of(self.store, self.branch_id)
        if not has_gaps(header):
            self.store.branches.set_header(self.branch_id, noting_gaps(header))

    def choose_or_edit(self, floor: int, text: str, *, is_sure: bool = False) -> Changes | None:
        """Choose the swipe of a floor that has this text, else edit the floor.

        Returns None for a reply that only lacks thoughts, status bars and the like: scripts of the
        front end remove them from what it sends. ``is_sure`` edits in this case too. Texts that
        scripts add to the player's newest message are gone in the next request, which is an edit.
        """
        before = self._keeper.parsed(floor)
        texts, chosen = readings(before.raw, before.text)
        for number, reading in enumerate(texts):
            if number != chosen and plain(reading) == plain(text):
                return turns.swipe(self._keeper, floor, number)
        if not is_sure and before.role == "assistant" and leaves_out_blocks(before.text, text):
            return None
        return turns.edit(self._keeper, floor, text)

    def choose_shown(self, floor: int, shown: str) -> Changes | None:
        """Choose the swipe of a floor that a front end shows; None if it is chosen already."""
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
                return turns.swipe(self._keeper, floor, number)
        return None

    def space_as(self, floor: int, shown: str) -> Changes | None:
        """Give a reply the whitespace it is shown with; None if it is equal.

        Front ends trim replies.
        """
        before = self._slice(floor, floor)[0]
        for text in (shown, shown.removeprefix(f"{before.name}: ")):
            if text != before.text and plain(text) == plain(before.text):
                return turns.edit(self._keeper, floor, text)
        return None

    def add_reading(self, floor: int, text: str) -> Changes:
        """Add a swipe to a reply and choose it; an equal one is only chosen."""
        keeper = self._keeper
        read, before = keeper.message(floor), keeper.parsed(floor)
        texts, _chosen = readings(before.raw, before.text)
        for number, reading in enumerate(texts):
            if plain(reading) == plain(text):
                return turns.swipe(keeper, floor, number)
        message = with_reading(before, text, None)
        label = StepLabel(PLAY_REROLL, {"name": read.name, "floor": floor})
        return keeper.put(label, read, message, None, len(texts), None)

    def go_on(self, floor: int, text: str) -> Changes:
        """Append to the text of a reply."""
        before = self._keeper.parsed(floor)
        return turns.edit(self._keeper, floor, before.text + text)

    def take_back(self, first: int) -> Changes:
        """Delete the floors from ``first`` on."""
        return timeline.delete_messages(self.store, range(first, self.count), self.branch_id)

    def branch(self, at: int) -> tuple[LineWriter, Changes]:
        """Fork behind floor ``at``; return the writer of the new branch."""
        branch_id, changes = branching.fork(self.store, self.branch_id, at)
        return LineWriter(self.session, self.store, branch_id), changes

    def set_hidden(self, floors: Sequence[int], *, hidden: bool) -> Changes | None:
        """Hide or show floors; None if all are in that state already.

        Floors shared with other branches are hidden on this branch only.
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


_QUESTION = 2_000  # characters of a prompt's end used as the query: some messages
_WARMED = 3  # chats: users who play several at once have used the others a moment ago
_SOMETHING = (
    "旅人 traveller 第一天 day 1"  # a query with a day: days are read only if a query names one
)
_TRIED = 3  # floors whose lines are searched: macros and scripts change few whole messages
_PROOF = 8  # characters of a line that cannot match by chance
_STRANGER = "???"  # no character's name: such a speaker knows what everybody knows
NOTHING = Injection("", {}, 0, ())


def warm(ctx: JobContext, session: Session, inject: InjectService) -> None:
    """Warm the caches of the chats played last. Raises Cancelled.

    Chats that cannot be read are skipped.
    """
    rows = session.library.chat_rows()[:_WARMED]
    if not rows:
        _warm_first(ctx, session)
    for chat_id, *_rest in rows:
        ctx.check()
        with suppress(KnownError):
            messages = session.chat(chat_id).messages
            line, last = Line.main(chat_id), messages.count(MAIN_BRANCH) - 1
            names = [
                message.name
                for message in messages.slice(MAIN_BRANCH, max(0, last - _TRIED), last)
                if message.role == "assistant"
            ]
            warm_line(ctx, inject, line, names[-1] if names else "", max(0, last))


def _warm_first(ctx: JobContext, session: Session) -> None:
    """Load the rules of extraction and the built-in embedding model: some seconds."""
    for is_zh in (False, True):
        ctx.check()
        rules_of(is_zh)
    if session.clients.endpoint("embed") is None:  # another server is not asked in advance
        session.clients.embedder().embed([_SOMETHING], ctx, query=True)


def warm_line(ctx: JobContext, inject: InjectService, line: Line, speaker: str, at: int) -> None:
    """Warm what the next prompt of a line needs, for its next speaker. Raises Cancelled.

    It runs while the player reads a reply, since the reply changed the memory.
    """
    query = RecallQuery(
        f"{speaker} {_SOMETHING}", actor=speaker or None, branch_id=line.branch_id, at=at
    )
    inject.preload(ctx, line.chat_id, query)
    inject.preload_marks(ctx, line)


def fill(
    ctx: JobContext,
    inject: InjectService,
    request: FrontRequest,
    identity: Identity,
    left_out: Collection[int],
    budget: int | None,
    later: Later | None,
) -> Injection:
    """Compose the memory of a request; empty if it has no chat or is not part of the story.

    ``left_out`` are indices of messages that will not be sent; ``budget`` is in tokens, None for
    that of the settings; ``later`` is called with the function that writes the recall log. No model
    is asked.
    """
    if identity.line is None or identity.wanted == "quiet":
        return NOTHING
    floors = [floor for index, floor in identity.floors if index not in left_out]
    query = RecallQuery(
        identity.asked or question(request),
        actor=identity.listener or None,
        branch_id=identity.line.branch_id,
        at=max(0, identity.until),
    )
    injection = inject.compose(
        ctx,
        identity.line.chat_id,
        query,
        budget,
        # a request without floors of the story repeats nothing
        visible_from=min(floors, default=identity.until + 1),
        expanded=False,
        said=USUAL,
        logged=later or True,
    )
    return replace(injection, triage=None)


def summarised_floors(
    ctx: JobContext, session: Session, searcher: Searcher, identity: Identity
) -> frozenset[int]:
    """Return the floors of a request that events known to the next speaker summarise."""
    line = identity.line
    if line is None or not identity.floors:
        return frozenset()
    store = session.chat(line.chat_id)
    where = _known_by(ctx, store, searcher, identity, identity.listener)
    is_known = store.items.known_events(where)
    floors = [floor for _index, floor in identity.floors]
    told: set[int] = set()
    for event in store.events.at_floors(line.branch_id, min(floors), max(floors)):
        ends_later = event.source_range.end_index > identity.until
        if event.level == 0 and not event.is_stale and not ends_later and is_known(event):
            told.update(_floors(event.source_range))
    return frozenset(told.intersection(floors))


def with_one_speaker(
    ctx: JobContext, session: Session, searcher: Searcher, identity: Identity
) -> Identity:
    """Choose the character for whom memory is composed if several may speak: who knows least.

    If each knows something that another does not, memory holds only what everybody knows.
    """
    line = identity.line
    if line is None or len(identity.may_speak) < 2:
        return identity
    store = session.chat(line.chat_id)
    known = {
        name: set(store.items.known(_known_by(ctx, store, searcher, identity, name)).tolist())
        for name in identity.may_speak
    }
    shared = set.intersection(*known.values())
    least = next((name for name, ids in known.items() if ids == shared), _STRANGER)
    return replace(identity, knows_as=least)


def _known_by(
    ctx: JobContext, store: ChatStore, searcher: Searcher, identity: Identity, name: str
) -> ItemFilter:
    """Return the filter of what a character knows at the floor a request stands on."""
    branch_id = identity.line.branch_id if identity.line else MAIN_BRANCH
    query = RecallQuery("", actor=name or None, branch_id=branch_id, at=max(0, identity.until))
    query = searcher.as_asked(ctx, store, query)
    return ItemFilter(
        ITEM_KINDS,
        store.branch_path(branch_id),
        query.at,
        query.actor,
        query.known_as,
        query.confidence,
        query.fulfilled,
        query.groups,
    )


def _floors(told: SourceRange) -> range:
    return range(told.start_index, told.end_index + 1)


def story_begins(session: Session, identity: Identity, prompt: str) -> int | None:
    """Return the offset of the first known floor in a text prompt; None if it is not found."""
    line = identity.line
    if line is None or not identity.floors:
        return None
    floors = sorted({floor for _index, floor in identity.floors})[:_TRIED]
    for message in session.chat(line.chat_id).messages.slice(line.branch_id, floors[0], floors[-1]):
        for words in message.text.splitlines():
            at = prompt.find(words.strip()) if len(words.strip()) >= _PROOF else -1
            if at >= 0:
                return at
    return None


def question(request: FrontRequest) -> str:
    """Return the player's newest message; for a text completion, the end of its prompt."""
    if request.kind == "completion":
        return request.said[-1].text[-_QUESTION:] if request.said else ""
    said = (m.text for m in reversed(request.said) if m.role == "user" and m.text.strip())
    return next(said, "")
