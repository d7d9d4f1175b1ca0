"""Memory for other programs: which chat a request is of, what it gets, and keeping what is said.

Begin a chat that came through the server, with all that its first request shows.

Keep what comes through the server: requests show what stands in a chat, replies go on.

A request and its reply are one undoable step each. What is not sure is not written: the next
request shows what stands there. A reply is written only where the line is still as it was when it
was asked for.
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
from engram_desktop.domain.serving.prompt_rows import rows_of_prompt
from engram_desktop.domain.serving.prompt_tail import split_reply
from engram_desktop.domain.serving.request import plain, read_request
from engram_desktop.domain.serving.request_pieces import RequestPieces
from engram_desktop.formats.chats.played import noting_gaps, with_gap
from engram_desktop.services.play.scene import PlayHeader
from engram_desktop.services.serving import keeping_line
from engram_desktop.services.serving.companion import CompanionServing
from engram_desktop.services.serving.identify import Corrections, Identifier
from engram_desktop.services.serving.keeping_line import NARRATOR, LineWriter, Said, new_message
from engram_desktop.storage.library.served import is_told

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


_LINES_REMEMBERED = 200  # of which is known what their last request showed: numbers of floors
_NOT_TOLD = Phrase(
    QT_TRANSLATE_NOOP(
        "reports",
        "It was not kept: the prompt does not show who says what. Let the program put names before"
        " messages, or use its chat completion.",
    )
)
_BEGUN = 100  # chats begun last, so that a beginning that is asked for twice is one chat
_WHAT: dict[str, What] = {
    "": "",
    "append": "message",
    "reading": "swipe",
    "edit": "edit",
    "instead": "delete",
    "branch": "branch",
}


class RequestKeeper:
    """Writes what requests and replies say into the lines they are of. Safe from any thread."""

    def __init__(self, session: Session, corrections: Corrections) -> None:
        self._session = session
        self._corrections = corrections
        self._lock = threading.Lock()  # one at a time: what is read is still so when it is written
        self._begun: OrderedDict[tuple[tuple[str, str, str], ...], Line] = OrderedDict()
        self._unanswered: tuple[NewChat, Line] | None = None  # begun last, while no reply came
        self.begun_at = 0.0  # when a chat was begun last
        # floors that the last request of a line showed as they are stored
        self._as_stored: OrderedDict[Line, frozenset[int]] = OrderedDict()
        self._replied: OrderedDict[Line, int] = OrderedDict()  # the reply no request showed yet
        self._written: OrderedDict[Line, float] = OrderedDict()  # when lines were written last

    def keep_request(
        self, ctx: JobContext, request: FrontRequest, identity: Identity, arrived: float
    ) -> Kept:
        """Keep what a request shows of its chat. Raises Conflict, NotFound, StorageError.

        What was written of its line since it ``arrived`` is of others: it is not taken away.
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
        """Keep a reply that has arrived whole. Raises Conflict, NotFound, StorageError."""
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
        """Keep what a new chat would begin with, whose first reply never came."""
        beginning = kept.beginning
        if beginning is None or not self._session.can_write:
            return replace(kept, what="", changes=Changes(), reply_as="")
        return ctx.write(lambda: self._begin(ctx, beginning, "", ""))

    def _is_kept(self, line: Line, identity: Identity) -> bool:
        """Whether requests write into a line: not where its file or a companion tells of it."""
        session, chat_id = self._session, line.chat_id
        if not session.settings(chat_id).serve_keep:
            return False
        paths = [row.path for row in session.library.followed.of_chat(chat_id) if row.is_followed]
        if not paths:
            return True
        if not all(is_told(session.library.folder, path) for path in paths):
            return False
        if not self._corrections.is_silent(chat_id) and shows_silence(identity):
            self._corrections.set_silent(chat_id, silent=True)
        return self._corrections.is_silent(chat_id)

    def _unknown(self, request: FrontRequest, identity: Identity) -> Kept:
        """Return what a new chat would begin with: it is made once its first reply is whole."""
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
        """Put in what a request shows of messages that were missing; the newest gap first."""
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
    ) -> list[Said]:
        usual = {"user": writer.player, "system": NARRATOR}
        return [
            (said.role, said.name or usual.get(said.role, identity.speaker), said.text)
            for said in unseen
        ]

    def _shown(
        self, writer: LineWriter, request: FrontRequest, identity: Identity
    ) -> tuple[What, Changes]:
        """Edit, choose and hide what a request shows otherwise than the line has it."""
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
        """Give the newest reply the blanks it has in the front end, once that shows it."""
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
            # Who sends only the newest messages shows none of what was kept before a gap.
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
            if way == "":  # another request came: the next one shows what stands
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
        """Make a new chat of a request and its first reply; asked for twice, it is one chat.

        Without a ``reply`` the chat waits for it.
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
        """Change what the player said first where no reply came, and something else is said now.

        Only in the chat begun last, where it and what tells of it are the same but for that.
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


_MOST_NAMES = 10_000  # chats of one name that are told apart by a number


def begin(
    session: Session, ctx: JobContext, beginning: NewChat, reply: str, reasoning: str
) -> tuple[Line, Changes]:
    """Make the chat; it is in the library once all of it is there. Raises StorageError.

    ``reply`` is "" where none came.
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
    """Return id and file of a character; empty where there is none of the name."""
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
    """Serving. Safe from any thread; nothing here waits for a model."""

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
        """Read the parsed body of a chat or text completion. Raises TooManyMessages.

        ``path_chat`` may be ``NAME@BRANCH``.
        """
        return read_request(
            body,
            path_chat=path_chat,
            header_chat=header_chat,
            header_speaker=header_speaker,
        )

    def warm(self, ctx: JobContext) -> None:
        """Read the ends of all lines, and what the chats played last are searched by.

        So the first request need not wait for it. Raises Cancelled.
        """
        self._identifier.warm(ctx)
        keeping_line.warm(ctx, self._session, self._inject)

    def revision(self, line: Line) -> int:
        """Return a number that grows with every change of what a line's chat remembers."""
        return self._session.chat(line.chat_id).items.revision()

    def settle(self, ctx: JobContext, line: Line) -> None:
        """Work out what the newest messages change. Raises Cancelled, NotFound, StorageError."""
        self._searcher.settle(ctx, line.chat_id)
        self._identifier.warm(ctx)

    def warm_line(self, ctx: JobContext, line: Line, speaker: str, at: int) -> None:
        """Make ready what the next request of a line needs; ``at`` is its newest floor.

        Raises Cancelled, NotFound, StorageError.
        """
        self._identifier.warm(ctx)
        keeping_line.warm_line(ctx, self._inject, line, speaker, at)

    def identify(self, ctx: JobContext, request: FrontRequest) -> Identity:
        """Say which line of which chat a request is of, and where in it; none where unsure.

        Raises NotFound, Ambiguous for a path or header that names no chat, StorageError.
        """
        self._session.library.database.check_place()
        identity = self._identifier.identify(ctx, request)
        return keeping_line.told_to_one(ctx, self._session, self._searcher, identity)

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
        """Compose the memory a request gets, as the one about to speak knows it.

        Nothing for a request of no chat, or of no story. ``left_out`` are indices of messages that
        will not be sent; ``budget`` are tokens, where not as the settings say; ``later`` is
        given what writes the log of recalls, to be called once nobody waits.
        """
        return keeping_line.fill(ctx, self._inject, request, identity, left_out, budget, later)

    def told_floors(self, ctx: JobContext, identity: Identity) -> frozenset[int]:
        """Return which of a request's floors memory tells the one about to speak."""
        return keeping_line.told_floors(ctx, self._session, self._searcher, identity)

    def story_begins(self, identity: Identity, prompt: str) -> int | None:
        """Return which character of a text prompt the story begins at, where that is known."""
        return keeping_line.story_begins(self._session, identity, prompt)

    def keep_request(
        self,
        ctx: JobContext,
        request: FrontRequest,
        identity: Identity,
        arrived: float | None = None,
    ) -> Kept:
        """Keep what a request shows of its chat; what it is to be a reply to stands there then.

        A line that is followed in a SillyTavern folder, one that a companion
        tells of (until it falls silent), a library
        that cannot be written and a setting that says so keep nothing. It ``arrived`` at a
        `time.perf_counter`, now if none is given. Raises Conflict, StorageError.
        """
        arrived = time.perf_counter() if arrived is None else arrived
        identity = self._as_it_stands(ctx, request, identity, arrived)
        kept = self._keeper.keep_request(ctx, request, identity, arrived)
        self._identifier.branched(identity.line, kept.line)
        return kept

    def _as_it_stands(
        self, ctx: JobContext, request: FrontRequest, identity: Identity, arrived: float
    ) -> Identity:
        """Identify a request again whose chat has changed since: a reply it shows was just kept.

        ``seen`` stays: what others said meanwhile is not taken away. One of no chat may be of the
        chat that was begun since it ``arrived``.
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
        """Keep a reply that has arrived whole; ``kept`` is what its request gave.

        Raises Conflict, StorageError.
        """
        done = self._keeper.keep_reply(ctx, kept, text)
        self._identifier.branched(kept.line, done.line)
        return self._begun(kept, done)

    def keep_unanswered(self, ctx: JobContext, kept: Kept) -> Kept:
        """Keep what was said where no whole reply came: a chat begins without one.

        ``kept`` is what the request gave: of a chat that was there, all is kept already. Raises
        StorageError.
        """
        return self._begun(kept, self._keeper.keep_unanswered(ctx, kept))

    def _begun(self, kept: Kept, done: Kept) -> Kept:
        request = kept.beginning.request if kept.beginning else None
        if done.what == "chat" and done.line is not None and request is not None:
            self._identifier.begun(done.line, request)
        return done

    def correct(self, ctx: JobContext, request: FrontRequest, line: Line | None) -> Changes:
        """Note that a request was of ``line``, or of no chat: so are those that go on from it."""
        return self._identifier.correct(ctx, request, line)
