"""The part of a prompt that is chosen for a question, while it is being filled.

Nothing stands in it twice: not the same words by the same speaker, not an event whose messages are
quoted, nor a message that an event retells almost whole.
"""

from __future__ import annotations

from collections.abc import Callable

from engram_desktop.domain.inject.quotes import QuotedLines, QuotedMessage
from engram_desktop.domain.inject.telling import PromptSentences, bare
from engram_desktop.domain.memory.event import EventNode
from engram_desktop.domain.recall.cues import asking_share
from engram_desktop.domain.recall.lexemes import known_tokens
from engram_desktop.domain.recall.query import Dropped, RecallHit
from engram_desktop.domain.text.tokens import token_weight
from engram_desktop.domain.values import dataclass
from engram_desktop.services.inject.calendar import Calendar
from engram_desktop.services.inject.offers import Offer
from engram_desktop.services.inject.prompt_lines import (
    PromptLine,
    floors_of,
    quotes_line,
    recalled_line,
)

# Share of an event's tokens that stand in quoted messages of its floors, and of a message's that
# stand in an event, from which on it says nothing new. Set by hand.
_QUOTED, _RETOLD = 0.6, 0.8
# Share of a message that only asks, from which on it is quoted with its answer, and characters up
# to which it does little else: a longer question tells what it is about.
_ASKS, _ASKING_CHARS = 0.6, 100
_ABOUT = 1.3  # a message may cost so much less than was estimated
_NO_ROOM = -1.0  # bounds nothing: `PromptContents.take` returns it where there is no room


@dataclass(slots=True)
class _Taken:
    """One offer that stands on the page: what it added, and what stood there before."""

    offer: Offer
    floors: tuple[int, ...] = ()
    before: QuotedMessage | None = None
    line: PromptLine | None = None


class PromptContents:
    """``sentences`` are those that the prompt tells already.

    ``quote`` makes the quote of an offer; ``answer_on`` gives the message on a floor: a question is
    quoted with what follows it.
    """

    def __init__(
        self,
        calendar: Calendar,
        sentences: PromptSentences,
        quote: Callable[[Offer], QuotedMessage],
        answer_on: Callable[[int], Offer | None],
    ) -> None:
        self._calendar, self._sentences = calendar, sentences
        self._quote, self._answer_on = quote, answer_on
        self._quotes = QuotedLines(token_weight(floors_of(8, 9)))
        self._said: dict[tuple[str, str], int] = {}  # to the floor where it is quoted
        self._hits: dict[int, RecallHit] = {}  # by floor
        self._taken: list[_Taken] = []
        self._events: list[tuple[EventNode, frozenset[str]]] = []
        self.dropped: dict[int, Dropped] = {}

    def take(self, offer: Offer, room: float) -> float:
        """Add an offer; return what it costs, or -1 where there is no room for it."""
        if offer.form:
            return self._take_message(offer, room)
        line = offer.line
        if offer.event is not None and offer.cost > room:
            return _NO_ROOM
        if offer.event is not None:
            line = self._event_line(offer, offer.event)
        if line is None:
            return 0.0
        if line.cost > room:
            return _NO_ROOM
        self._taken.append(_Taken(offer, line=line))
        if offer.event is not None:
            self._sentences.add(offer.event.summary)
            tokens = frozenset(known_tokens(offer.event.summary))
            self._events.append((offer.event, tokens))
        return line.cost

    def take_back(self) -> Offer | None:
        """Remove what was taken last; None where the page is empty."""
        if not self._taken:
            return None
        last = self._taken.pop()
        for floor in last.floors:
            if last.before is not None and last.before.floor == floor:
                self._quotes.add(last.before)
                continue
            self._quotes.remove(floor)
            self._hits.pop(floor, None)
            self._said = {said: at for said, at in self._said.items() if at != floor}
        if last.offer.event is not None:
            self._events = [e for e in self._events if e[0].id != last.offer.event.id]
        return last.offer

    def lines(self) -> list[PromptLine]:
        """Return every line, those of messages with the hits they quote."""
        lines = [taken.line for taken in self._taken if taken.line is not None]
        for quotes in self._quotes.lines():
            hits = [self._hits[q.floor] for q in quotes if q.floor in self._hits]
            lines.append(quotes_line(quotes, hits))
        return lines

    def _take_message(self, offer: Offer, room: float) -> float:
        floor = offer.hits[0].item.start_index
        known = self._quotes.get(floor)
        if offer.cost > room * _ABOUT or (offer.form == "rest" and known is None):
            return _NO_ROOM
        if known is not None and offer.form != "rest":  # it answers another that is quoted
            self._hits[floor] = offer.hits[0]
            return 0.0
        quote = self._quote(offer)
        if known is not None:
            return self._put(offer, [quote], room, known)
        if self._stands(quote):
            self._drop(offer, "duplicate")
            return 0.0
        answer = self._answer_to(quote)
        if answer is None:
            return self._put(offer, [quote], room)
        cost = self._put(offer, [quote, answer[1]], room)
        if cost >= 0:
            self._hits[answer[1].floor] = answer[0].hits[0]
        return cost

    def _answer_to(self, quote: QuotedMessage) -> tuple[Offer, QuotedMessage] | None:
        """Return what follows a message that does little but ask, unless the page holds it."""
        if quote.floor + 1 in self._quotes or len(quote.text) > _ASKING_CHARS:
            return None
        if asking_share(quote.text) <= _ASKS:
            return None
        offer = self._answer_on(quote.floor + 1)
        if offer is None:
            return None
        answer = self._quote(offer)
        return None if answer.speaker == quote.speaker or self._stands(answer) else (offer, answer)

    def _put(
        self,
        offer: Offer,
        quotes: list[QuotedMessage],
        room: float,
        before: QuotedMessage | None = None,
    ) -> float:
        cost = 0.0
        for n, quote in enumerate(quotes):
            cost += self._quotes.cost_of(quote)
            if cost > room:
                for added in quotes[:n]:
                    self._quotes.remove(added.floor)
                return _NO_ROOM
            self._quotes.add(quote)
        for quote in quotes:
            self._said[_spoken(quote)] = quote.floor
            self._sentences.add(quote.text)
        self._hits[quotes[0].floor] = offer.hits[0]
        self._taken.append(_Taken(offer, tuple(q.floor for q in quotes), before))
        return cost

    def _stands(self, quote: QuotedMessage) -> bool:
        """Whether the page says a message already: the same words, or an event that retells it."""
        if _spoken(quote) in self._said:
            return True
        tokens: frozenset[str] | None = None
        for event, told in self._events:
            source = event.source_range
            if event.extractor != "extractive" and (
                source.start_index <= quote.floor <= source.end_index
            ):
                tokens = frozenset(known_tokens(quote.text)) if tokens is None else tokens
                if tokens and len(tokens & told) >= _RETOLD * len(tokens):
                    return True
        return False

    def _event_line(self, offer: Offer, event: EventNode) -> PromptLine | None:
        """Return what an event tells that the prompt does not; None where that is nothing."""
        text = self._sentences.new_of(event.summary)
        if not text or self._is_quoted(event):
            self._drop(offer, "duplicate")
            return None
        source = event.source_range
        day = self._calendar.span(source.start_index, source.end_index)
        return recalled_line(event, text, offer.hits, day)

    def _is_quoted(self, event: EventNode) -> bool:
        source = event.source_range
        quoted: set[str] = set()
        for floor in range(source.start_index, source.end_index + 1):
            quote = self._quotes.get(floor)
            if quote is not None:
                quoted.update(known_tokens(quote.text))
        tokens = set(known_tokens(event.summary))
        return bool(tokens) and len(tokens & quoted) >= _QUOTED * len(tokens)

    def _drop(self, offer: Offer, why: Dropped) -> None:
        for hit in offer.hits:
            self.dropped[hit.item.id] = why


def _spoken(quote: QuotedMessage) -> tuple[str, str]:
    return quote.speaker, bare(quote.text)
