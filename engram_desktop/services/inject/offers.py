"""What could stand in a prompt, each with what it is worth: messages, events, logs and facts.

Worth is the score that recall gave. Of a very long message the passages that answer are offered
first, and the rest of it after. What an offer says is worked out when it is about to be taken.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from typing import Literal

from engram_desktop.domain.inject.excerpt import excerpt
from engram_desktop.domain.inject.injection import Facts
from engram_desktop.domain.inject.quotes import QuotedMessage
from engram_desktop.domain.memory.event import EventNode
from engram_desktop.domain.recall.lexemes import index_tokens, query_tokens
from engram_desktop.domain.recall.query import MemoryItem, RecallHit
from engram_desktop.domain.text.tokens import estimate_tokens
from engram_desktop.domain.values import dataclass
from engram_desktop.services.inject.calendar import Calendar
from engram_desktop.services.inject.prompt_lines import (
    PromptLine,
    entity_line,
    in_a_line,
    log_line,
    relation_line,
)

LONG = 160  # tokens from which on a message is offered in two parts
PASSAGE = 60  # tokens of the first part, two sentences or three; measured against 40 and 110
REST = 0.25  # evidence that the rest of a long message is worth less than its passages
RETOLD = 2.0  # evidence that an extractive event loses: its sentences stand in the messages
FACT_STEP = 0.4  # evidence that each fact is worth less than the one before it
BYTES_A_TOKEN = 3.8  # UTF-8 bytes of a token: 4.2 in English, 3.3 in Chinese


@dataclass(slots=True, eq=False)
class Offer:
    """One thing to choose: a message (``form``), an ``event``, or a fact or log (``line``).

    A long message is offered as its passages that answer, and again as the rest: its ``cost`` is
    what it adds. ``hits`` of a message is one.
    """

    worth: float
    cost: float
    hits: tuple[RecallHit, ...] = ()
    form: Literal["", "whole", "passages", "rest"] = ""
    event: EventNode | None = None
    line: PromptLine | None = None
    is_rested: bool = False
    quote: QuotedMessage | None = None  # made when it is first needed, by `Quoting.quote`


class Quoting:
    """How messages are quoted: who sent them and when, and what of a long one answers.

    ``senders`` are names and moments (milliseconds) by message id; ``speaker_words`` says what a
    speaker is called in this prompt.
    """

    def __init__(
        self,
        senders: dict[str, tuple[str, int | None]],
        calendar: Calendar,
        question: str,
        speaker_words: Callable[[str], str],
    ) -> None:
        self.senders = senders
        self._calendar = calendar
        self._wanted = frozenset(query_tokens(question))
        self._speaker_words = speaker_words

    def offers(self, hits: Sequence[RecallHit]) -> list[Offer]:
        """Offer each recalled message, long ones in two parts."""
        offers = []
        for hit in hits:
            cost = _about(hit.item.content)
            if cost <= LONG:
                offers.append(Offer(hit.score, cost, (hit,), "whole"))
                continue
            offers.append(Offer(hit.score, PASSAGE, (hit,), "passages"))
            rest = max(min(hit.score, 0.0), hit.score - REST)  # not weak where the passages are not
            offers.append(Offer(rest, cost - PASSAGE, (hit,), "rest"))
        return offers

    def quote(self, offer: Offer) -> QuotedMessage:
        """Return the message of an offer as it is quoted: its words in one line."""
        if offer.quote is None:
            offer.quote = self._quote(offer.hits[0].item, has_gaps=offer.form == "passages")
        return offer.quote

    def _quote(self, item: MemoryItem, *, has_gaps: bool) -> QuotedMessage:
        name, sent_at = self.senders.get(item.ref, ("", None))
        self._calendar.note(item.start_index, sent_at)
        text = item.content.removeprefix(f"{name}: ") if name else item.content
        text = in_a_line(text)
        if has_gaps:
            text = excerpt(text, self._wanted, index_tokens, PASSAGE)
        speaker = in_a_line(self._speaker_words(name))
        when = self._calendar.label(item.start_index)
        return QuotedMessage(item.start_index, speaker, text, when, item.ref)


def _about(text: str) -> float:
    """Return about what a text costs, without weighing it: most offers are never taken."""
    return len(text.encode("utf-8", "replace")) / BYTES_A_TOKEN


def of_events(hits: Sequence[RecallHit], events: Mapping[str, EventNode]) -> list[Offer]:
    """Offer each recalled event that is still there."""
    offers = []
    for hit in hits:
        event = events.get(hit.item.ref)
        if event is not None:
            worth = hit.score - (RETOLD if event.extractor == "extractive" else 0.0)
            offers.append(Offer(worth, estimate_tokens(event.summary) + 8, (hit,), event=event))
    return offers


def of_logs(hits: Sequence[RecallHit], calendar: Calendar) -> list[Offer]:
    """Offer each private log that was recalled."""
    calendar.read(hit.item.end_index for hit in hits)
    lines = [log_line(hit, calendar.label(hit.item.end_index)) for hit in hits]
    return [
        Offer(hit.score, line.cost, (hit,), line=line)
        for hit, line in zip(hits, lines, strict=True)
    ]


def of_facts(
    facts: Facts, hits: Sequence[RecallHit], words: dict[str, str], best: float
) -> list[Offer]:
    """Offer entities and relations, the first worth as much as the ``best`` that was found."""
    by_ref = {hit.item.ref: hit for hit in hits if hit.item.kind == "entity"}
    offers = []
    for rank, entity in enumerate(facts.entities):
        line = entity_line(rank, entity, words)
        hit = by_ref.get(entity.id)
        offers.append(Offer(best - FACT_STEP * rank, line.cost, (hit,) if hit else (), line=line))
    for rank, relation in enumerate(facts.relations):
        line = relation_line(rank, relation, words)
        offers.append(Offer(best - FACT_STEP * rank, line.cost, line=line))
    return offers


def rest(offers: Sequence[Offer], told: Set[int], asked_for: int, loss: float) -> None:
    """Let what was ``told`` lately (item ids) yield: it loses ``loss`` of its worth.

    The ``asked_for`` best are what the question asks for, and yield to nothing.
    """
    by_worth = sorted((o for o in offers if o.hits and o.line is None), key=lambda o: -o.worth)
    for offer in by_worth[asked_for:]:
        if any(hit.item.id in told for hit in offer.hits):
            offer.worth = max(min(offer.worth, 0.0), offer.worth - loss)  # weak it is not
            offer.is_rested = True
