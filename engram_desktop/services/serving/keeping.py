"""Keep what comes through the server: requests show what stands in a chat, replies go on.

A request and its reply are one undoable step each. What is not sure is not written: the next
request shows what stands there. A reply is written only where the line is still as it was when it
was asked for.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import replace
from typing import TYPE_CHECKING

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.labels import SERVED, SERVED_REPLY, StepLabel
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.serving.finding.beginning import beginning_of
from engram_desktop.domain.serving.keep_plan import (
    MOST_EDITED,
    NEWEST,
    KeepPlan,
    caught_up,
    plan,
    shows_silence,
)
from engram_desktop.domain.serving.kept import Kept, What
from engram_desktop.domain.serving.texts.plain_text import plain
from engram_desktop.domain.serving.texts.reply_text import split_reply
from engram_desktop.domain.serving.texts.request_pieces import RequestPieces
from engram_desktop.services.serving.keeping_line import LineWriter, Said
from engram_desktop.services.serving.new_chat import begin
from engram_desktop.storage.library.serving.told_chats import is_told

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engram_desktop.domain.serving.identity import Identity, Unseen
    from engram_desktop.domain.serving.kept import Beginning
    from engram_desktop.domain.serving.texts.request import FrontRequest
    from engram_desktop.jobs.context import JobContext
    from engram_desktop.services.library.session import Session
    from engram_desktop.services.serving.corrections import Corrections

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

    def keep_request(self, ctx: JobContext, request: FrontRequest, identity: Identity) -> Kept:
        """Keep what a request shows of its chat. Raises Conflict, NotFound, StorageError."""
        if identity.wanted == "quiet" or not self._session.can_write:
            return Kept()
        line = identity.line
        if line is None:
            return self._unknown(request, identity)
        if not self._is_kept(line, identity):
            return Kept()
        return ctx.write(lambda: self._kept_request(line, request, identity))

    def keep_reply(self, ctx: JobContext, kept: Kept, text: str) -> Kept:
        """Keep a reply that has arrived whole. Raises Conflict, NotFound, StorageError."""
        reply, reasoning = split_reply(text, kept.speaker)
        if kept.reply_as == "continue":
            reply, reasoning = text, ""
        if not kept.reply_as or not reply.strip() or not self._session.can_write:
            return replace(kept, what="", changes=Changes(), reply_as="")
        if kept.beginning is not None:
            beginning = kept.beginning
            return ctx.write(lambda: self._begin(ctx, beginning, reply, reasoning))
        return ctx.write(lambda: self._kept_reply(kept, reply, reasoning))

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
            return Kept()
        return Kept(reply_as="message", speaker=beginning.speaker, beginning=beginning)

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
        )

    def _gaps_filled(self, writer: LineWriter, identity: Identity) -> tuple[Identity, Changes]:
        """Put in what a request shows of messages that were missing; the newest gap first."""
        changes = Changes(chat_id=writer.store.chat_id)
        for missing in reversed(identity.missing):
            gap = writer.gap(missing.floor)
            if gap:
                said = self._named(writer, identity, missing.said)
                left = gap if missing.is_first else ""
                changes |= writer.fill_gap(missing.floor, said, left=left)
                identity = identity.moved(missing.floor, len(said))
        return identity, changes

    def _named(
        self, writer: LineWriter, identity: Identity, unseen: Sequence[Unseen]
    ) -> list[Said]:
        player = writer.player
        return [
            (said.role, said.name or (identity.speaker if _is_reply(said) else player), said.text)
            for said in unseen
        ]

    def _shown(
        self, writer: LineWriter, request: FrontRequest, identity: Identity
    ) -> tuple[What, Changes]:
        """Edit, choose and hide what a request shows otherwise than the line has it."""
        changes, what = Changes(chat_id=writer.store.chat_id), ""
        newest = writer.count - NEWEST
        edited = [edit for edit in identity.edited if edit.floor >= newest]
        if len(edited) <= MOST_EDITED:
            for edit in edited:
                changes |= writer.choose_or_edit(edit.floor, edit.text)
                what = "edit"
        texts = {said.index: said.text for said in request.said}
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

    def _said(self, writer: LineWriter, identity: Identity, todo: KeepPlan) -> Changes:
        """Write the messages behind the newest known floor."""
        changes, unseen, at = (
            Changes(chat_id=writer.store.chat_id),
            list(todo.unseen),
            identity.until,
        )
        if todo.way == "edit":
            changes |= writer.choose_or_edit(at + 1, unseen.pop(0).text)
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
        changes = replace(changes, undo_label=label)
        return replace(kept, line=kept_line, what=what, floor=floor, changes=changes, reply_as="")

    def _begin(self, ctx: JobContext, beginning: Beginning, reply: str, reasoning: str) -> Kept:
        """Make a new chat of a request and its first reply; asked for twice, it is one chat."""
        key = tuple((role, name, plain(text)) for role, name, text in beginning.said)
        floor = len(beginning.said)
        with self._lock:
            known = self._begun.get(key)
            if known is None:
                line, changes = begin(self._session, ctx, beginning, reply, reasoning)
                self._begun[key] = line
                while len(self._begun) > _BEGUN:
                    self._begun.popitem(last=False)
                return Kept(line, "chat", floor, changes, speaker=beginning.speaker)
        writer = LineWriter.of(self._session, known)
        if writer.count != floor + 1:
            return Kept(known)
        mark = writer.mark()
        again = Kept(known, "", floor, Changes(), "swipe", floor, beginning.speaker, mark)
        return self._kept_reply(again, reply, reasoning)


def _is_reply(said: Unseen) -> bool:
    return said.role == "assistant"
