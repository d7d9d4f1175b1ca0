"""The service for front ends: identify a request, compose memory, keep requests and replies.

A request and its reply are one undo step each. Whatever is uncertain is not written: the next
request shows it again. A reply is written only if the line is unchanged since the request. A chat
that began at the server is stored with everything its first request shows.
"""

from __future__ import annotations

import json
import threading
import time
from collections import OrderedDict
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from engram_desktop.domain.changes import SERVED, SERVED_REPLY, Changes, StepLabel
from engram_desktop.domain.errors import NotFound
from engram_desktop.domain.memory.line import MAIN_BRANCH, Line
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.domain.serving.keep_plan import (
    MOST_EDITED,
    NEWEST,
    KeepPlan,
    Kept,
    ReplyAs,
    What,
    beginning_of,
    begins_alike,
    caught_up,
    plan,
    shows_silence,
)
from engram_desktop.domain.serving.line_and_request import RequestPieces
from engram_desktop.domain.serving.prompt_rows import rows_of_prompt
from engram_desktop.domain.serving.request import plain, read_request
from engram_desktop.domain.serving.wanted_turn import split_reply
from engram_desktop.formats.chats.played import noting_gaps, with_gap
from engram_desktop.services.play.scene import PlayHeader
from engram_desktop.services.serving import line_writer
from engram_desktop.services.serving.companion import CompanionServing
from engram_desktop.services.serving.identify import Corrections, Identifier
from engram_desktop.services.serving.line_writer import NARRATOR, LineWriter, NewText, new_message
from engram_desktop.storage.library.served import is_uploaded

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engram_desktop.domain.memory.message import ParsedMessage
    from engram_desktop.domain.recall.query import Injection
    from engram_desktop.domain.serving.identity import Identity, Unseen
    from engram_desktop.domain.serving.keep_plan import NewChat
    from engram_desktop.domain.serving.request import FrontRequest
    from engram_desktop.jobs.context import JobContext
    from engram_desktop.services.inject.inject_service import InjectService, Later
    from engram_desktop.services.library.session import Session
    from engram_desktop.services.prompts.prompts import ChatPrompts
    from engram_desktop.services.recall.searching import Searcher
    from engram_desktop.storage.library.library import Library


_LINES_REMEMBERED = 200  # lines for which the floors shown by their last request are remembered
_NOT_TOLD = Phrase(
    QT_TRANSLATE_NOOP(
        "reports",
        "It was not kept: the prompt does not show who says what. Let the program put names before"
        " messages, or use its chat completion.",
    )
)
_BEGUN = 100  # chats begun last, so that a repeated first request makes one chat
_WHAT: dict[str, What] = {
    "": "",
    "append": "message",
    "reading": "swipe",
    "edit": "edit",
    "instead": "delete",
    "branch": "branch",
}


class RequestKeeper:
    """Writes requests and replies to their lines. Thread-safe."""

    def __init__(self, session: Session, corrections: Corrections) -> None:
        self._session = session
        self._corrections = corrections
        self._lock = threading.Lock()  # what is read stays valid until it is written
        self._begun: OrderedDict[tuple[tuple[str, str, str], ...], Line] = OrderedDict()
        self._unanswered: tuple[NewChat, Line] | None = None  # begun last, while without a reply
        self.begun_at = 0.0  # when the last chat was begun
        # floors that the last request of a line showed as stored
        self._as_stored: OrderedDict[Line, frozenset[int]] = OrderedDict()
        self._replied: OrderedDict[Line, int] = OrderedDict()  # reply no request has shown
        self._written: OrderedDict[Line, float] = OrderedDict()  # when lines were written last

    def keep_request(
        self, ctx: JobContext, request: FrontRequest, identity: Identity, arrived: float
    ) -> Kept:
        """Keep what a request shows of its chat. Raises Conflict, NotFound, StorageError.

        Messages written to its line after it ``arrived`` come from others and are not removed.
        """
        if identity.wanted == "quiet" or not self._session.can_write:
            return Kept()
        line = identity.line
        if line is None:
            return self._unknown(request, identity)
        if not self._is_kept(line, identity):
            return Kept()
        if self._written.get(line, 0.0) > arrived:
            identity = replace(identity, seen=0)
        return ctx.write(lambda: self._kept_request(line, request, identity))

    def keep_reply(self, ctx: JobContext, kept: Kept, text: str) -> Kept:
        """Keep a complete reply. Raises Conflict, NotFound, StorageError."""
        reply, reasoning = split_reply(kept.begins + text, kept.speaker)
        if kept.reply_as == "continue":
            reply, reasoning = text, ""
        elif kept.is_trimmed:
            reply = reply.strip()
        if not kept.reply_as or not reply.strip() or not self._session.can_write:
            return replace(kept, what="", changes=Changes(), reply_as="")
        if kept.beginning is not None:
            beginning = kept.beginning
            return ctx.write(lambda: self._begin(ctx, beginning, reply, reasoning))
        return ctx.write(lambda: self._kept_reply(kept, reply, reasoning))

    def keep_unanswered(self, ctx: JobContext, kept: Kept) -> Kept:
        """Store the beginning of a new chat whose first reply never arrived."""
        beginning = kept.beginning
        if beginning is None or not self._session.can_write:
            return replace(kept, what="", changes=Changes(), reply_as="")
        return ctx.write(lambda: self._begin(ctx, beginning, "", ""))

    def _is_kept(self, line: Line, identity: Identity) -> bool:
        """Return whether requests are written to a line.

        They are not if the setting forbids it, its file is followed, or its companion reports.
        """
        session, chat_id = self._session, line.chat_id
        if not session.settings(chat_id).serve_keep:
            return False
        paths = [row.path for row in session.library.followed.of_chat(chat_id) if row.is_followed]
        if not paths:
            return True
        if not all(is_uploaded(session.library.folder, path) for path in paths):
            return False
        if not self._corrections.is_silent(chat_id) and shows_silence(identity):
            self._corrections.set_silent(chat_id, silent=True)
        return self._corrections.is_silent(chat_id)

    def _unknown(self, request: FrontRequest, identity: Identity) -> Kept:
        """Return the beginning of a new chat; it is stored when its first reply is complete."""
        if identity.how == "corrected" or not self._session.settings().serve_keep:
            return Kept()
        named = request.path_chat or request.header_chat
        beginning = beginning_of(RequestPieces.of(request), identity, named)
        if beginning is None:
            is_open = request.kind == "completion" and identity.wanted == "reply"
            is_story = is_open and not (request.tools or identity.rivals)
            return Kept(why=_NOT_TOLD if is_story and not rows_of_prompt(request)[0] else "")
        return Kept(
            reply_as="message",
            speaker=beginning.speaker,
            beginning=beginning,
            begins=beginning.begins,
            is_trimmed=request.kind == "completion",
        )

    def _kept_request(self, line: Line, request: FrontRequest, identity: Identity) -> Kept:
        writer = LineWriter.of(self._session, line)
        floor = min(identity.until + 1, writer.count)
        label = StepLabel(SERVED, {"floor": floor})
        with self._lock, writer.store.step(label):
            identity = caught_up(identity, writer.end(identity.until, len(identity.unseen)))
            identity, changes = self._gaps_filled(writer, identity)
            todo = plan(identity, writer.end(identity.until))
            if todo.way == "branch":
                writer, forked = writer.branch(identity.until)
                changes |= forked
            what: What = ""
            if todo.reply_as != "message" or todo.reply_floor >= writer.count:
                what, shown = self._shown(writer, request, identity)
                changes |= shown
            changes |= self._said(writer, identity, todo)
            mark = writer.mark()
            asked = writer.newest(len(todo.unseen) if todo.reply_as == "message" else 0)
            before = writer.mark(max(0, todo.reply_floor - len(asked)))
        if changes != Changes(chat_id=line.chat_id):
            self._session.library.touch_chat(line.chat_id)
            changes = replace(changes, undo_label=label)
        what = _WHAT[todo.way] or what
        kept_line = Line(line.chat_id, writer.branch_id)
        newest = identity.until + len(todo.unseen)
        if todo.unseen:
            self._note_written(kept_line)
        return Kept(
            kept_line,
            what,
            newest if what else -1,
            changes,
            todo.reply_as,
            todo.reply_floor,
            identity.speaker,
            mark,
            asked,
            before,
            begins=identity.begins,
            is_trimmed=request.kind == "completion",
        )

    def _gaps_filled(self, writer: LineWriter, identity: Identity) -> tuple[Identity, Changes]:
        """Insert missing messages that a request shows; the newest gap first."""
        changes = Changes(chat_id=writer.store.chat_id)
        for missing in reversed(identity.missing):
            gap = writer.gap(missing.floor)
            said = self._named(writer, identity, missing.said if gap else missing.stayed)
            if gap and said:
                left = gap if missing.is_first else ""
                changes |= writer.fill_gap(missing.floor, said, left=left)
            elif said:
                changes |= writer.put_in(missing.floor, said)
            identity = identity.moved(missing.floor, len(said))
        return identity, changes

    def _named(
        self, writer: LineWriter, identity: Identity, unseen: Sequence[Unseen]
    ) -> list[NewText]:
        usual = {"user": writer.player, "system": NARRATOR}
        return [
            (said.role, said.name or usual.get(said.role, identity.speaker), said.text)
            for said in unseen
        ]

    def _shown(
        self, writer: LineWriter, request: FrontRequest, identity: Identity
    ) -> tuple[What, Changes]:
        """Apply the edits, swipes and hidden floors that a request shows."""
        changes, what = Changes(chat_id=writer.store.chat_id), ""
        newest = writer.count - NEWEST
        line = Line(writer.store.chat_id, writer.branch_id)
        before = self._as_stored.pop(line, frozenset())
        differing = {edit.floor for edit in identity.edited}
        self._as_stored[line] = frozenset(f for _at, f in identity.floors if f not in differing)
        while len(self._as_stored) > _LINES_REMEMBERED:
            self._as_stored.popitem(last=False)
        edited = [e for e in identity.edited if e.floor >= newest or e.floor in before]
        if len(edited) <= MOST_EDITED:
            for edit in edited:
                shown = writer.choose_or_edit(edit.floor, edit.text, is_sure=edit.is_sure)
                if shown is not None:
                    changes |= shown
                    what = "edit"
        texts = {said.index: said.text for said in request.said}
        changes |= self._spaced(writer, line, identity)
        for index, floor in identity.floors:
            if floor >= newest and request.kind == "chat":
                chosen = writer.choose_shown(floor, texts[index])
                if chosen is not None:
                    changes |= chosen
                    what = "swipe"
        for floors, hidden in (
            (identity.gone, True),
            ([floor for _index, floor in identity.floors if floor >= newest], False),
        ):
            flagged = writer.set_hidden(floors, hidden=hidden)
            if flagged is not None:
                changes |= flagged
        return what, changes  # type: ignore[return-value]  # one of its words

    def _spaced(self, writer: LineWriter, line: Line, identity: Identity) -> Changes:
        """Give the newest reply the whitespace of the front end, once a request shows it."""
        floor, text = identity.replied
        is_new = floor >= 0 and floor == self._replied.pop(line, -1)
        spaced = writer.space_as(floor, text) if is_new else None
        return spaced or Changes(chat_id=line.chat_id)

    def _said(self, writer: LineWriter, identity: Identity, todo: KeepPlan) -> Changes:
        """Write the messages behind the newest known floor."""
        changes, unseen, at = (
            Changes(chat_id=writer.store.chat_id),
            list(todo.unseen),
            identity.until,
        )
        if todo.way == "edit":
            edited = writer.choose_or_edit(at + 1, unseen.pop(0).text)
            changes |= edited or Changes(chat_id=writer.store.chat_id)
        elif todo.way == "reading":
            changes |= writer.add_reading(at + 1, unseen.pop(0).text)
        elif todo.way == "instead":
            changes |= writer.take_back(at + 1)
        if unseen:
            # a front end that sends only the newest messages shows nothing before a gap
            is_gap = identity.is_apart and any(said.role == "assistant" for said in unseen)
            said = self._named(writer, identity, unseen)
            changes |= writer.append(said, gap="gap" if is_gap else "")
        return changes

    def _kept_reply(self, kept: Kept, reply: str, reasoning: str) -> Kept:
        line = kept.line
        if line is None:
            return kept
        writer = LineWriter.of(self._session, line)
        floor = kept.reply_floor
        label = StepLabel(SERVED_REPLY, {"name": kept.speaker, "floor": floor})
        with self._lock, writer.store.step(label):
            way = None if writer.mark() == kept.mark else writer.late_way(kept)
            if way == "":  # another request came: the next one shows the messages
                return replace(kept, what="", changes=Changes(), reply_as="")
            what: What = "message"
            changes = Changes(chat_id=line.chat_id)
            if kept.reply_as == "swipe" or way == "reading":
                what = "swipe"
                changes |= writer.add_reading(floor, reply)
            elif kept.reply_as == "continue":
                what = "continue"
                changes |= writer.go_on(floor, reply)
            else:
                asked = kept.asked if way == "branch" else ()
                if floor - len(asked) < writer.count:
                    what = "branch"
                    writer, forked = writer.branch(floor - len(asked) - 1)
                    changes |= forked
                if asked:
                    changes |= writer.append(asked)
                changes |= writer.append([("assistant", kept.speaker, reply)], reasoning=reasoning)
        self._session.library.touch_chat(line.chat_id)
        kept_line = Line(line.chat_id, writer.branch_id)
        self._note_reply(kept_line, floor)
        changes = replace(changes, undo_label=label)
        return replace(kept, line=kept_line, what=what, floor=floor, changes=changes, reply_as="")

    def _note_written(self, line: Line) -> None:
        self._written[line] = time.perf_counter()
        self._written.move_to_end(line)
        while len(self._written) > _LINES_REMEMBERED:
            self._written.popitem(last=False)

    def _note_reply(self, line: Line, floor: int) -> None:
        self._note_written(line)
        self._replied[line] = floor
        self._replied.move_to_end(line)
        while len(self._replied) > _LINES_REMEMBERED:
            self._replied.popitem(last=False)

    def _begin(self, ctx: JobContext, beginning: NewChat, reply: str, reasoning: str) -> Kept:
        """Make a new chat of a request and its first reply; a repeated request gives the same chat.

        Without a ``reply`` the chat waits for one.
        """
        key, floor = _key_of(beginning), len(beginning.said)
        with self._lock:
            known = self._begun.get(key)
            edited = self._said_anew(beginning) if known is None else None
            if known is None and edited is None:
                line, changes = begin(self._session, ctx, beginning, reply, reasoning)
                self._note_begun(beginning, line, is_answered=bool(reply))
                if not reply:
                    return Kept(line, "chat", floor - 1, changes, speaker=beginning.speaker)
                self._note_reply(line, floor)
                return Kept(line, "chat", floor, changes, speaker=beginning.speaker)
        if edited is not None and not reply:
            return edited
        stands = edited.line if edited is not None else known
        if stands is None:
            return Kept()
        writer = LineWriter.of(self._session, stands)
        if not reply or writer.count not in (floor, floor + 1):
            return Kept(stands)
        reply_as: ReplyAs = "swipe" if writer.count > floor else "message"
        mark = writer.mark()
        again = Kept(stands, "", floor, Changes(), reply_as, floor, beginning.speaker, mark)
        return self._kept_reply(again, reply, reasoning)

    def _note_begun(self, beginning: NewChat, line: Line, *, is_answered: bool) -> None:
        self._begun[_key_of(beginning)] = line
        while len(self._begun) > _BEGUN:
            self._begun.popitem(last=False)
        self._unanswered = None if is_answered else (beginning, line)
        self.begun_at = time.perf_counter()

    def _said_anew(self, beginning: NewChat) -> Kept | None:
        """Edit the player's first message if no reply came and another text is sent now.

        Only in the chat begun last, and only if all else is the same.
        """
        before, line = self._unanswered or (beginning, None)
        if line is None or not begins_alike(before, beginning):
            return None
        floor, (_role, _name, said) = len(before.said) - 1, before.said[-1]
        with suppress(NotFound):  # deleted meanwhile
            writer = LineWriter.of(self._session, line)
            if writer.count == floor + 1 and writer.newest(1)[0][2] == said:
                label = StepLabel(SERVED, {"floor": floor})
                with writer.store.step(label):
                    changes = writer.choose_or_edit(floor, beginning.said[-1][2], is_sure=True)
                self._begun.pop(_key_of(before), None)
                self._note_begun(beginning, line, is_answered=False)
                changes = replace(changes or Changes(chat_id=line.chat_id), undo_label=label)
                return Kept(line, "edit", floor, changes, speaker=beginning.speaker)
        return None


def _key_of(beginning: NewChat) -> tuple[tuple[str, str, str], ...]:
    return tuple((role, name, plain(text)) for role, name, text in beginning.said)


_MOST_NAMES = 10_000  # chats of the same name that get a number


def begin(
    session: Session, ctx: JobContext, beginning: NewChat, reply: str, reasoning: str
) -> tuple[Line, Changes]:
    """Make a new chat as a whole, in one step. Raises StorageError.

    ``reply`` is "" if no reply came.
    """
    ctx.check()
    library = session.library
    card_id, avatar = _card(library, beginning.card)
    name = _free_name(library, beginning.name)
    header = PlayHeader(
        (card_id,) if card_id else (),
        beginning.player,
        members=(beginning.speaker,),
    )
    store = library.begin_chat(name)
    try:
        now = store.clock()
        messages: list[ParsedMessage] = [
            new_message(
                who,
                "assistant" if role == "assistant" else "user",
                text,
                now,
                speaker_id=avatar if who == beginning.card else "",
            )
            for role, who, text in beginning.said
        ]
        first = messages[0]  # the front end may have sent only the end of a longer chat
        messages[0] = replace(first, raw=with_gap(first.raw, "start"))
        speaker_id = avatar if beginning.speaker == beginning.card else ""
        if reply:
            messages.append(
                new_message(
                    beginning.speaker,
                    "assistant",
                    reply,
                    now,
                    reasoning=reasoning,
                    speaker_id=speaker_id,
                )
            )
        with store.database.writing():
            given_name = "" if beginning.is_named else name
            noted = noting_gaps(json.loads(header.to_json()), given_name)
            store.branches.set_header(MAIN_BRANCH, noted)
            store.messages.append(MAIN_BRANCH, 0, messages)
        library.admit_chat(store, name)
    except BaseException:
        library.give_up_chat(store)
        raise
    return Line.main(store.chat_id), Changes(chat_id=store.chat_id, library=True, messages=True)


def _card(library: Library, name: str) -> tuple[str, str]:
    """Return id and file of a character; empty if the library has no card with that name."""
    if not name:
        return "", ""
    try:
        row = library.characters.find(name)
    except NotFound:
        return "", ""
    return row.id, row.avatar


def _free_name(library: Library, name: str) -> str:
    taken = {row[1] for row in library.chat_rows()}
    if name not in taken:
        return name
    numbered = (f"{name} ({number})" for number in range(2, _MOST_NAMES))
    return next(other for other in numbered if other not in taken)


_T = QT_TRANSLATE_NOOP


class ServingService(CompanionServing):
    """The serving service. Thread-safe; nothing here waits for a model."""

    def __init__(
        self,
        session: Session,
        inject: InjectService,
        chat_prompts: ChatPrompts,
        searcher: Searcher,
    ) -> None:
        corrections = Corrections(session)
        identifier = Identifier(session, chat_prompts, corrections)
        super().__init__(session, inject, identifier, corrections)
        self._searcher = searcher
        self._keeper = RequestKeeper(session, corrections)

    def read(
        self,
        body: Mapping[str, Any],
        *,
        path_chat: str = "",
        header_chat: str = "",
        header_speaker: str = "",
    ) -> FrontRequest:
        """Parse the body of a chat or text completion. Raises TooManyMessages.

        ``path_chat`` may be ``NAME@BRANCH``.
        """
        return read_request(
            body,
            path_chat=path_chat,
            header_chat=header_chat,
            header_speaker=header_speaker,
        )

    def warm(self, ctx: JobContext) -> None:
        """Read the ends of all lines, and warm the search data of the chats played last.

        So the first request need not wait. Raises Cancelled.
        """
        self._identifier.warm(ctx)
        line_writer.warm(ctx, self._session, self._inject)

    def revision(self, line: Line) -> int:
        """Return a number that grows with every change of a chat's memory."""
        return self._session.chat(line.chat_id).items.revision()

    def update_knowledge(self, ctx: JobContext, line: Line) -> None:
        """Update what follows from the newest messages.

        Raises Cancelled, NotFound, StorageError.
        """
        self._searcher.update_knowledge(ctx, line.chat_id)
        self._identifier.warm(ctx)

    def warm_line(self, ctx: JobContext, line: Line, speaker: str, at: int) -> None:
        """Warm what the next request of a line needs; ``at`` is its newest floor.

        Raises Cancelled, NotFound, StorageError.
        """
        self._identifier.warm(ctx)
        line_writer.warm_line(ctx, self._inject, line, speaker, at)

    def identify(self, ctx: JobContext, request: FrontRequest) -> Identity:
        """Return the line of a request, and the position in it; no line if unsure.

        Raises NotFound or Ambiguous for a path or header without a matching chat, StorageError.
        """
        self._session.library.database.check_place()
        identity = self._identifier.identify(ctx, request)
        return line_writer.with_one_speaker(ctx, self._session, self._searcher, identity)

    def fill(
        self,
        ctx: JobContext,
        request: FrontRequest,
        identity: Identity,
        left_out: Collection[int] = (),
        budget: int | None = None,
        *,
        later: Later | None = None,
    ) -> Injection:
        """Compose the memory of a request, as its next speaker knows it.

        Empty if the request has no chat or is not part of the story. ``left_out`` are indices of
        messages that will not be sent; ``budget`` is in tokens, None for that of the settings;
        ``later`` is called with the function that writes the recall log, to be called after the
        answer.
        """
        return line_writer.fill(ctx, self._inject, request, identity, left_out, budget, later)

    def summarised_floors(self, ctx: JobContext, identity: Identity) -> frozenset[int]:
        """Return the floors of a request that the memory of the next speaker summarises."""
        return line_writer.summarised_floors(ctx, self._session, self._searcher, identity)

    def story_begins(self, identity: Identity, prompt: str) -> int | None:
        """Return the offset of the story in a text prompt; None if it is not found."""
        return line_writer.story_begins(self._session, identity, prompt)

    def keep_request(
        self,
        ctx: JobContext,
        request: FrontRequest,
        identity: Identity,
        arrived: float | None = None,
    ) -> Kept:
        """Keep what a request shows of its chat, up to the message that its reply will answer.

        Nothing is kept on a line that is followed in a SillyTavern folder, on one that a companion
        reports (until it stops), in a read-only library, and if the setting forbids it. ``arrived``
        is a `time.perf_counter`, by default now. Raises Conflict, StorageError.
        """
        arrived = time.perf_counter() if arrived is None else arrived
        identity = self._as_it_stands(ctx, request, identity, arrived)
        kept = self._keeper.keep_request(ctx, request, identity, arrived)
        self._identifier.branched(identity.line, kept.line)
        return kept

    def _as_it_stands(
        self, ctx: JobContext, request: FrontRequest, identity: Identity, arrived: float
    ) -> Identity:
        """Identify a request again if its chat has changed since: a reply it shows was just kept.

        ``seen`` stays, so that messages of others are not removed. A request without a chat may
        belong to the chat begun since it ``arrived``.
        """
        line = identity.line
        if line is None and identity.wanted != "quiet" and self._keeper.begun_at > arrived:
            return self.identify(ctx, request)
        if line is None or identity.wanted == "quiet" or not identity.stood:
            return identity
        if self._session.chat(line.chat_id).messages.line_ends().number == identity.stood:
            return identity
        now = self.identify(ctx, request)
        if now.line is None or now.line.chat_id != line.chat_id:
            return identity
        return replace(now, seen=identity.seen, begins=identity.begins)

    def keep_reply(self, ctx: JobContext, kept: Kept, text: str) -> Kept:
        """Keep a complete reply; ``kept`` is the result of `keep_request`.

        Raises Conflict, StorageError.
        """
        done = self._keeper.keep_reply(ctx, kept, text)
        self._identifier.branched(kept.line, done.line)
        return self._begun(kept, done)

    def keep_unanswered(self, ctx: JobContext, kept: Kept) -> Kept:
        """Keep the messages of a request without a complete reply: a new chat begins without one.

        ``kept`` is the result of `keep_request`; in an existing chat everything is kept already.
        Raises StorageError.
        """
        return self._begun(kept, self._keeper.keep_unanswered(ctx, kept))

    def _begun(self, kept: Kept, done: Kept) -> Kept:
        request = kept.beginning.request if kept.beginning else None
        if done.what == "chat" and done.line is not None and request is not None:
            self._identifier.begun(done.line, request)
        return done

    def correct(self, ctx: JobContext, request: FrontRequest, line: Line | None) -> Changes:
        """Store that a request belongs to ``line``, or to no chat; later requests follow it."""
        return self._identifier.correct(ctx, request, line)
