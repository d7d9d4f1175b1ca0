"""Say which line of which chat a request is of: by name, by correction, by its messages.

A wrong memory is worse than none: where two chats fit a request alike, it is of neither. Branches
of one chat share what they share: there the one is taken whose end the request stands at.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import TYPE_CHECKING

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.errors import Ambiguous, NotFound
from engram_desktop.domain.marks import QT_TRANSLATE_NOOP
from engram_desktop.domain.memory.ids import MAIN_BRANCH
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.phrase import Phrase
from engram_desktop.domain.serving.finding.matching import (
    Placed,
    choose,
    is_enough,
    place,
    place_named,
)
from engram_desktop.domain.serving.finding.tasks import has_material, is_task
from engram_desktop.domain.serving.identity import How, Identity, Wanted
from engram_desktop.domain.serving.texts.plain_text import pieces as pieces_of
from engram_desktop.domain.serving.texts.request_pieces import RequestPieces
from engram_desktop.services.serving.cards import CardsInSystem
from engram_desktop.services.serving.tails import Tails, keys_worth

if TYPE_CHECKING:
    from engram_desktop.domain.serving.finding.line_tail import LineTail
    from engram_desktop.domain.serving.texts.request import FrontRequest
    from engram_desktop.jobs.context import JobContext
    from engram_desktop.services.library.session import Session
    from engram_desktop.services.prompts.chat_prompts import ChatPrompts
    from engram_desktop.services.serving.corrections import Corrections

_T = QT_TRANSLATE_NOOP
_CANDIDATES = 12  # lines that a request is laid beside: some 0.5 ms each
_INJECTED_HELD = 200  # lines of which is remembered what the last request held beside messages


class Identifier:
    """Identification over the ends of all lines of a library."""

    def __init__(
        self, session: Session, chat_prompts: ChatPrompts, corrections: Corrections
    ) -> None:
        self._session = session
        self._tails = Tails(session, chat_prompts)
        self._cards = CardsInSystem(session)
        self._corrections = corrections
        self._injected: OrderedDict[Line, frozenset[str]] = OrderedDict()
        self._lock = threading.Lock()

    def warm(self, ctx: JobContext) -> None:
        """Read the ends of all lines. Raises Cancelled."""
        self._tails.refresh(ctx)
        self._cards.refresh()

    def identify(self, ctx: JobContext, request: FrontRequest) -> Identity:
        """Say which line a request is of, and where in it."""
        pieces = RequestPieces.of(request)
        self._tails.refresh(ctx)
        identity = self._by_name(ctx, pieces) or self._corrected(ctx, pieces)
        return identity or self._aligned(ctx, pieces)

    def correct(self, ctx: JobContext, request: FrontRequest, line: Line | None) -> Changes:
        """Note what a request was of; what goes on from it is of the same."""
        pieces = RequestPieces.of(request)
        ctx.write(lambda: self._corrections.note(pieces.fingerprint, line))
        return Changes(chat_id=line.chat_id if line else None)

    def _by_name(self, ctx: JobContext, pieces: RequestPieces) -> Identity | None:
        request = pieces.request
        key = request.path_chat or request.header_chat
        if not key:
            return None
        how: How = "path" if request.path_chat else "header"
        try:
            line = self._named(key)
        except Ambiguous:
            why = Phrase(_T("reports", "Several chats are called “{name}”."), name=key)
            return Identity(None, "none", 0.0, why, _wanted_of_none(pieces))
        except NotFound:
            why = Phrase(_T("reports", "No chat is called “{name}” yet."), name=key)
            return Identity(None, "none", 0.0, why, _wanted_of_none(pieces))
        why = Phrase(_T("reports", "The address or a header names this chat."))
        placed = self._deeper(ctx, self._placed(ctx, line, pieces, is_named=True), is_named=True)
        return self._identity(placed, how, 1.0, why)

    def _named(self, key: str) -> Line:
        library = self._session.library
        try:
            return Line(library.find_chat(key), MAIN_BRANCH)
        except NotFound:
            name, at, branch = key.rpartition("@")
            if not at or not name:
                raise
            chat_id = library.find_chat(name)
            return Line(chat_id, self._session.chat(chat_id).branches.find(branch))

    def _corrected(self, ctx: JobContext, pieces: RequestPieces) -> Identity | None:
        correction = self._corrections.of(pieces.fingerprint)
        if correction is None:
            return None
        line = correction.line
        if line is None:
            why = Phrase(_T("reports", "You said that this is no chat of the library."))
            return Identity(None, "corrected", 1.0, why, _wanted_of_none(pieces))
        try:
            placed = self._deeper(
                ctx, self._placed(ctx, line, pieces, is_named=True), is_named=True
            )
        except NotFound:  # deleted since
            return None
        why = Phrase(_T("reports", "You said that it is this chat."))
        return self._identity(placed, "corrected", 1.0, why)

    def _aligned(self, ctx: JobContext, pieces: RequestPieces) -> Identity:
        looked_up = keys_worth([*pieces.texts, *pieces_of(pieces.whole)])
        placed: list[Placed] = []
        for line in self._tails.candidates(looked_up, _CANDIDATES):
            try:
                placed.append(self._placed(ctx, line, pieces))
            except NotFound:  # deleted meanwhile
                continue
        chosen = choose(placed)
        best = chosen.best
        if best is None or not is_enough(best):
            if chosen.rivals:
                why = Phrase(
                    _T("reports", "{count} chats hold its messages alike: it may be of each."),
                    count=len({line.chat_id for line in chosen.rivals}),
                )
                wanted = _wanted_of_none(pieces)
                return Identity(None, "none", 0.0, why, wanted, rivals=chosen.rivals)
            is_material = any(
                has_material(pieces.pieces, other.aligned, other.tail.floors) for other in placed
            )
            return self._new(pieces, "quiet" if is_material else _wanted_of_none(pieces))
        why = Phrase(
            _T("reports", "{count} of its {of} messages stand at the end of this chat."),
            count=len({at for at, _seq in best.aligned.pairs})
            if not best.is_one_text
            else len(best.aligned.pairs),
            of=len(best.aligned.pairs) if best.is_one_text else pieces.story_count,
        )
        best = self._deeper(ctx, best, is_named=False)
        return self._identity(best, "aligned", chosen.certainty, why)

    def _new(self, pieces: RequestPieces, wanted: Wanted) -> Identity:
        card = "" if wanted == "quiet" else self._cards.card_of(pieces)
        if card:
            why = Phrase(_T("reports", "A new chat with {name}: the card stands in it."), name=card)
            speaker = pieces.request.header_speaker or card
            return Identity(None, "card", 0.5, why, wanted, speaker=speaker, card=card)
        why = Phrase(_T("reports", "No chat of the library holds its messages."))
        return Identity(None, "none", 0.0, why, wanted, speaker=pieces.request.header_speaker)

    def _placed(
        self, ctx: JobContext, line: Line, pieces: RequestPieces, *, is_named: bool = False
    ) -> Placed:
        tail = self._tails.tail(ctx, line)
        return self._laid(tail, pieces, is_named=is_named)

    def _laid(self, tail: LineTail, pieces: RequestPieces, *, is_named: bool) -> Placed:
        lay = place_named if is_named else place
        return lay(tail, pieces, self._injected.get(tail.line, frozenset()))

    def _deeper(self, ctx: JobContext, placed: Placed, *, is_named: bool) -> Placed:
        """Lay the request beside the whole line, where it shows more than the end of it."""
        if not placed.shows_more:
            return placed
        whole = self._laid(
            self._tails.whole(ctx, placed.tail.line), placed.pieces, is_named=is_named
        )
        return whole if whole.aligned.pairs else placed

    def _identity(self, placed: Placed, how: How, certainty: float, why: Phrase) -> Identity:
        turn, aligned = placed.turn, placed.aligned
        self._remember(placed)
        said = placed.pieces.pieces
        named = placed.pieces.request.header_speaker or turn.speaker
        usual = placed.usual_speakers
        return Identity(
            placed.tail.line,
            how,
            certainty,
            why,
            turn.wanted,
            tuple((said[at].said.index, seq) for at, seq in aligned.exact),
            placed.until,
            named or next(iter(usual), ""),
            unseen=turn.unseen,
            edited=placed.edited,
            gone=placed.gone,
            missing=placed.missing,
            may_speak=() if named or len(usual) < 2 else usual,
            seen=placed.tail.count,
        )

    def _remember(self, placed: Placed) -> None:
        """Remember what stood beside the messages: in the next request it is no message either.

        What ordered something else than a reply is not part of it: it may be ordered again.
        """
        if placed.turn.wanted == "quiet":
            return
        with self._lock:
            line = placed.tail.line
            self._injected[line] = placed.injected
            self._injected.move_to_end(line)
            while len(self._injected) > _INJECTED_HELD:
                self._injected.popitem(last=False)


def _wanted_of_none(pieces: RequestPieces) -> Wanted:
    return "quiet" if is_task(pieces.pieces) or pieces.request.asks_json else "reply"
