"""Say which line of which chat a request is of: by name, by correction, by its messages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.errors import StorageError
from engram_desktop.domain.marks import QT_TRANSLATE_NOOP
from engram_desktop.domain.memory.ids import MAIN_BRANCH
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.phrase import Phrase
from engram_desktop.domain.serving.identity import How, Identity

if TYPE_CHECKING:
    from engram_desktop.domain.serving.request import FrontRequest
    from engram_desktop.jobs.context import JobContext
    from engram_desktop.services.library.session import Session
    from engram_desktop.services.prompts.chat_prompts import ChatPrompts

_T = QT_TRANSLATE_NOOP
_TAIL = 200  # floors of a line that requests are held against


class Identifier:
    """Identification over the ends of all lines of a library."""

    def __init__(self, session: Session, chat_prompts: ChatPrompts) -> None:
        self._session = session
        self._chat_prompts = chat_prompts
        self._corrected: dict[FrontRequest, Line | None] = {}

    def warm(self, ctx: JobContext) -> None:
        """Read the ends of all lines."""

    def identify(self, ctx: JobContext, request: FrontRequest) -> Identity:
        """Say which line a request is of. Raises NotFound, Ambiguous for a name of no chat."""
        ctx.check()
        key = request.path_chat or request.header_chat
        if key:
            how: How = "path" if request.path_chat else "header"
            why = Phrase(_T("reports", "The address names the chat “{name}”."), name=key)
            return self._placed(request, self._named(key), how, why)
        best: Identity | None = None
        for line in self._lines():
            why = Phrase(_T("reports", "Its messages stand at the end of this chat."))
            placed = self._placed(request, line, "aligned", why)
            if len(placed.floors) > 1 and (best is None or len(placed.floors) > len(best.floors)):
                best = placed
        why = Phrase(_T("reports", "No chat of the library holds its messages."))
        return best or Identity(None, "none", 0.0, why)

    def correct(self, ctx: JobContext, request: FrontRequest, line: Line | None) -> Changes:
        """Note what a request was of."""
        ctx.check()
        self._corrected[request] = line
        return Changes(chat_id=line.chat_id if line else None)

    def _named(self, key: str) -> Line:
        library = self._session.library
        name, at, branch = key.rpartition("@")
        if at and name:
            chat_id = library.find_chat(name)
            return Line(chat_id, self._session.chat(chat_id).branches.find(branch))
        return Line(library.find_chat(key), MAIN_BRANCH)

    def _lines(self) -> list[Line]:
        lines = []
        for chat_id, *_rest in self._session.library.chat_rows():
            try:
                ids = self._session.chat(chat_id).branches.ids()
            except StorageError:  # one damaged chat keeps no other from being known
                continue
            lines += [Line(chat_id, branch_id) for branch_id in ids]
        return lines

    def _placed(self, request: FrontRequest, line: Line, how: How, why: Phrase) -> Identity:
        messages = self._session.chat(line.chat_id).messages
        count = messages.count(line.branch_id)
        tail = messages.slice(line.branch_id, max(0, count - _TAIL), count - 1)
        floor_of = {message.text.strip(): message.seq for message in tail}
        floors = [
            (said.index, floor_of[said.text.strip()])
            for said in request.said
            if said.text.strip() in floor_of
        ]
        until = floors[-1][1] if floors else count - 1
        unseen = tuple(
            said.index
            for said in request.said
            if floors and said.index > floors[-1][0] and said.role == "user"
        )
        names = [message.name for message in tail if message.role == "assistant"]
        return Identity(
            line,
            how,
            1.0,
            why,
            "reroll" if until < count - 1 and not unseen else "reply",
            tuple(floors),
            until,
            request.header_speaker or (names[-1] if names else ""),
            unseen=unseen,
        )
