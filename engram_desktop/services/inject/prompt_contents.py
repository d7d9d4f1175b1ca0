"""What competes for the budget of a prompt, and what is chosen; what volumes add to it.

An offer is a message, event, log or fact with its worth, which is the score of recall. Of a very
long message the passages that answer are offered first, the rest later. The text of an offer is
made only when it is about to be chosen.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from engram_desktop.domain.inject import (
    Facts,
    PromptSentences,
    QuotedLines,
    QuotedMessage,
    excerpt,
)
from engram_desktop.domain.memory.event import EventNode, story_key
from engram_desktop.domain.memory.line import MAIN_BRANCH
from engram_desktop.domain.recall.lexemes import index_tokens, known_tokens, query_tokens
from engram_desktop.domain.recall.query import (
    Dropped,
    MemoryItem,
    RecallHit,
    RecallQuery,
    RecallResult,
)
from engram_desktop.domain.recall.relevance import asking_share
from engram_desktop.domain.text.sentences import without_remarks
from engram_desktop.domain.text.tokens import estimate_tokens, token_weight
from engram_desktop.domain.values import dataclass
from engram_desktop.services.inject.facts import is_telling
from engram_desktop.services.inject.prompt_lines import (
    Calendar,
    PromptLine,
    entity_line,
    floors_of,
    head_of,
    in_a_line,
    log_line,
    place_of,
    quotes_line,
    recalled_line,
    relation_line,
)
from engram_desktop.services.prompts.macro_scope import summary_events

if TYPE_CHECKING:
    from engram_desktop.services.recall.index_service import OpenVolume

LONG = 160  # tokens above which a message is offered in two parts
PASSAGE = 60  # tokens of the first part, two sentences or three; measured against 40 and 110
REST = 0.25  # score by which the rest of a long message is worth less than its passages
# Score that an extractive event loses, since its sentences stand in the messages. At 6,000 tokens a
# prompt held .860 of the evidence of chats of pages (BEAM) with 2, and .887 with this; for other
# chats it made no difference.
RETOLD = 6.0
# Worth of relations, as a share of the best hit's. At 500 tokens a prompt held .737 of the evidence
# of an English chat summarised by a model with 1 and 1, and .826 with .7 and .3; of notes, whose
# relations are read without a model, .725 with .3 and .750 with .05.
ASKED, UNASKED = 0.7, 0.05
FACT_STEP = 0.4  # score by which each fact is worth less than the one before it
BYTES_A_TOKEN = 3.8  # UTF-8 bytes of a token: 4.2 in English, 3.3 in Chinese


@dataclass(slots=True, eq=False)
class Offer:
    """One thing to choose: a message (``form``), an ``event``, or a fact or log (``line``).

    A long message is offered as its passages that answer, and again as the rest, whose ``cost`` is
    what it adds. A message has exactly one of ``hits``.
    """

    worth: float
    cost: float
    hits: tuple[RecallHit, ...] = ()
    form: Literal["", "whole", "passages", "rest"] = ""
    event: EventNode | None = None
    line: PromptLine | None = None
    is_rested: bool = False
    quote: QuotedMessage | None = None  # made on first use, by `Quoting.quote`


class Quoting:
    """Quotes messages: sender and time, and of a long message the passages that answer.

    ``senders`` maps message ids to name and time (milliseconds); ``speaker_words`` returns how this
    prompt calls a speaker.
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
            rest = max(min(hit.score, 0.0), hit.score - REST)  # not weak unless the passages are
            offers.append(Offer(rest, cost - PASSAGE, (hit,), "rest"))
        return offers

    def quote(self, offer: Offer) -> QuotedMessage:
        """Return the message of an offer as it is quoted, on one line."""
        if offer.quote is None:
            offer.quote = self._quote(offer.hits[0].item, has_gaps=offer.form == "passages")
        return offer.quote

    def is_gesture(self, text: str) -> bool:
        """Return whether a message is a mere gesture or silence, without words of the question."""
        if len(text) > _GESTURE_CHARS or len(_LETTER.findall(_ASIDE.sub("", text))) > _BARE_REPLY:
            return False
        tokens = query_tokens(text)
        return len(tokens) <= _GESTURE_TOKENS and self._wanted.isdisjoint(tokens)

    def _quote(self, item: MemoryItem, *, has_gaps: bool) -> QuotedMessage:
        name, sent_at = self.senders.get(item.ref, ("", None))
        self._calendar.note(item.start_index, sent_at)
        text = item.content.removeprefix(f"{name}: ") if name else item.content
        when = self._calendar.label(item.start_index)
        text, scene = self._calendar.story_of(item.start_index, name, text, when)
        text = in_a_line(without_remarks(text))
        if has_gaps:
            text = excerpt(text, self._wanted, index_tokens, PASSAGE, LONG)
        speaker = in_a_line(self._speaker_words(name))
        scene = tuple(map(in_a_line, scene)) if text else ()
        return QuotedMessage(item.start_index, speaker, text, when, item.ref, scene)


_ASIDE = re.compile(r"[（(][^（()）]*[）)]?|\*[^*]*\*?")  # （点点头, *nods*
_LETTER = re.compile(r"[^\W_]")
# Up to two letters beside a gesture (好), in up to three words or pairs of characters. Leaving such
# messages out costs a prompt .013 of ZH-4O's evidence and none of the words of its answers; a limit
# of eight cost as much again.
_BARE_REPLY, _GESTURE_TOKENS = 2, 3
_GESTURE_CHARS = 40  # a longer message says more than a gesture


def _about(text: str) -> float:
    """Return a quick estimate of a text's tokens: most offers are never chosen."""
    return len(text.encode("utf-8", "replace")) / BYTES_A_TOKEN


def of_events(hits: Sequence[RecallHit], events: Mapping[str, EventNode]) -> list[Offer]:
    """Offer each recalled event that still exists."""
    offers = []
    for hit in hits:
        event = events.get(hit.item.ref)
        if event is not None:
            worth = hit.score
            if event.extractor == "extractive":
                worth = max(min(worth, 0.0), worth - RETOLD)  # chosen last, but not as weak
            offers.append(Offer(worth, estimate_tokens(event.summary) + 8, (hit,), event=event))
    return offers


def of_logs(hits: Sequence[RecallHit], calendar: Calendar) -> list[Offer]:
    """Offer each recalled private log."""
    calendar.read(hit.item.end_index for hit in hits)
    lines = [log_line(hit, calendar.label(hit.item.end_index)) for hit in hits]
    return [
        Offer(hit.score, line.cost, (hit,), line=line)
        for hit, line in zip(hits, lines, strict=True)
    ]


def of_facts(
    facts: Facts, hits: Sequence[RecallHit], words: dict[str, str], best: float
) -> list[Offer]:
    """Offer entities and relations, the first of them worth as much as the ``best`` hit.

    A model gives a chat hundreds of relations, most of them between the two speakers: relations
    that the question does not ask for are worth less than what was recalled.
    """
    by_ref = {hit.item.ref: hit for hit in hits if hit.item.kind == "entity"}
    offers = []
    for rank, entity in enumerate(facts.entities):
        line = entity_line(rank, entity, words)
        hit = by_ref.get(entity.id)
        offers.append(Offer(best - FACT_STEP * rank, line.cost, (hit,) if hit else (), line=line))
    for rank, relation in enumerate(facts.relations):
        line = relation_line(rank, relation, words)
        share = ASKED if relation.is_asked else UNASKED
        worth = share * (best - FACT_STEP / ASKED * rank)
        offers.append(Offer(worth, line.cost, line=line))
    return offers


def rest(offers: Sequence[Offer], told: Set[int], asked_for: int, loss: float) -> None:
    """Demote what was in the last prompts (item ids ``told``): it loses ``loss`` of its worth.

    The ``asked_for`` best offers, which the question asks for, are not demoted.
    """
    by_worth = sorted((o for o in offers if o.hits and o.line is None), key=lambda o: -o.worth)
    for offer in by_worth[asked_for:]:
        if any(hit.item.id in told for hit in offer.hits):
            offer.worth = max(min(offer.worth, 0.0), offer.worth - loss)  # not weak for that
            offer.is_rested = True


# Shares from which a text says nothing new: of an event's tokens, those in quoted messages of its
# floors; of a message's tokens, those in an event. Set by hand.
_QUOTED, _RETOLD = 0.6, 0.8
# Share of a message that asks, from which it is quoted with its answer; and the most characters of
# such a message: a longer question says what it is about.
_ASKS, _ASKING_CHARS = 0.6, 100
_ABOUT = 1.3  # factor by which a message may cost less than estimated
_NO_ROOM = -1.0  # below any cost: `PromptContents.take` returns it if there is no room


@dataclass(slots=True)
class _Taken:
    """One chosen offer: the floors or line it added, and the quote it replaced."""

    offer: Offer
    floors: tuple[int, ...] = ()
    before: QuotedMessage | None = None
    line: PromptLine | None = None


class PromptContents:
    """The offers chosen for a prompt. Nothing is said twice.

    A message is left out if the same speaker said the same words already or if an event retells it
    almost whole; an event, if its messages are quoted. ``sentences`` are those in the prompt
    already. ``answer_on`` returns the message on a floor: a question is quoted with its answer.
    Gestures are left out, unless they answer a question or the prompt has room for all
    (``is_whole``).
    """

    def __init__(
        self,
        calendar: Calendar,
        sentences: PromptSentences,
        quoting: Quoting,
        answer_on: Callable[[int], Offer | None],
        *,
        is_whole: bool = False,
    ) -> None:
        self._calendar, self._sentences = calendar, sentences
        self._quoting, self._answer_on = quoting, answer_on
        self._is_whole = is_whole
        self._quotes = QuotedLines(token_weight(floors_of(8, 9)))
        self._said: dict[tuple[str, str], int] = {}  # maps to the floor where it is quoted
        self._hits: dict[int, RecallHit] = {}  # by floor
        self._taken: list[_Taken] = []
        self._events: list[tuple[EventNode, frozenset[str]]] = []
        self.dropped: dict[int, Dropped] = {}

    def take(self, offer: Offer, room: float) -> float:
        """Add an offer; return its cost, 0 if it is left out, or -1 if there is no room for it."""
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
        """Remove and return the offer taken last; None if there is none."""
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
        """Return every line; those of messages carry the hits they quote."""
        lines = [taken.line for taken in self._taken if taken.line is not None]
        days = sorted(line.order[0] for line in lines if line.day)
        for quotes in self._quotes.lines(days):
            hits = [self._hits[q.floor] for q in quotes if q.floor in self._hits]
            lines.append(quotes_line(quotes, hits))
        return lines

    def _take_message(self, offer: Offer, room: float) -> float:
        floor = offer.hits[0].item.start_index
        known = self._quotes.get(floor)
        if offer.cost > room * _ABOUT or (offer.form == "rest" and known is None):
            return _NO_ROOM
        if known is not None and offer.form != "rest":  # it is the answer to another quoted message
            self._hits[floor] = offer.hits[0]
            return 0.0
        quote = self._quoting.quote(offer)
        if known is not None:
            return self._put(offer, [quote], room, known)
        answer = self._answer_to(quote) if quote.text.strip() else None
        why = self._refusal(quote, has_answer=answer is not None)
        if why is not None:
            self._drop(offer, why)
            return 0.0
        if answer is None:
            return self._put(offer, [quote], room)
        cost = self._put(offer, [quote, answer[1]], room)
        if cost >= 0:
            self._hits[answer[1].floor] = answer[0].hits[0]
        return cost

    def _refusal(self, quote: QuotedMessage, *, has_answer: bool) -> Dropped | None:
        """Return why a message is not quoted; None if it is."""
        if not quote.text.strip():  # the message is out of character
            return "weak"
        if self._stands(quote):
            return "duplicate"
        is_idle = not (has_answer or self._is_whole) and self._quoting.is_gesture(quote.text)
        return "weak" if is_idle else None

    def _answer_to(self, quote: QuotedMessage) -> tuple[Offer, QuotedMessage] | None:
        """Return the answer to a message that mainly asks; None if it is quoted already."""
        if quote.floor + 1 in self._quotes or len(quote.text) > _ASKING_CHARS:
            return None
        if asking_share(quote.text) <= _ASKS:
            return None
        offer = self._answer_on(quote.floor + 1)
        if offer is None:
            return None
        answer = self._quoting.quote(offer)
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
            self._sentences.add_bare(quote.letters)
        self._hits[quotes[0].floor] = offer.hits[0]
        self._taken.append(_Taken(offer, tuple(q.floor for q in quotes), before))
        return cost

    def _stands(self, quote: QuotedMessage) -> bool:
        """Return whether the prompt says a message already, in the same words or in an event."""
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
        """Return the line of what an event adds to the prompt; None if it adds nothing."""
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
    return quote.speaker, quote.letters


# What volumes add to a prompt: the earlier story, before the chat's own and within its budget.

_STORY_SHARE = 3  # at least a third of the room for the story so far is kept for volumes
_HEADING = 12  # tokens of the line that names a volume
_HEAD = 8  # tokens of time and place before an event


@dataclass(frozen=True, slots=True)
class EarlierStory:
    """One volume in a prompt: its story, which is in every prompt, and what was recalled of it."""

    volume: OpenVolume
    story: tuple[EventNode, ...] = ()
    hits: tuple[RecallHit, ...] = ()


def room_beside(own: Sequence[EventNode], tokens: int) -> int:
    """Return how much of ``tokens``, the room for the story so far, volumes may take.

    That is what the chat's ``own`` story leaves, and a third at least. It changes in steps of a
    tenth, so that the text of volumes stays the same for a while as the chat grows.
    """
    step = max(1, tokens // 10)
    return max(tokens // _STORY_SHARE, (tokens - _cost(own)) // step * step)


def earlier_stories(
    volumes: Sequence[OpenVolume], query: RecallQuery, tokens: int, newest: int
) -> list[EarlierStory]:
    """Return the story of each volume for every prompt, in about ``tokens`` altogether."""
    stories = []
    room = tokens // max(1, len(volumes)) - _HEADING
    for volume in volumes:
        story = _story(volume, query, room, newest) if room > 0 else ()
        stories.append(EarlierStory(volume, story))
    return stories


def _story(volume: OpenVolume, query: RecallQuery, room: int, newest: int) -> tuple[EventNode, ...]:
    where = volume.where(query)

    def make() -> list[EventNode]:
        allowed = volume.store.items.known_events(where)
        return summary_events(volume.store, MAIN_BRANCH, room, newest, allowed=allowed)

    key = (where.actor is not None and where.asker, where.confidence, room, newest)
    return volume.story(key, make)


def taken_from(own: Sequence[EventNode], stories: Sequence[EarlierStory], tokens: int) -> int:
    """Return how many of ``tokens`` the ``own`` story must leave to ``stories``; 0 if all fits."""
    taken = sum(_HEADING + _cost(one.story) for one in stories if one.story)
    return taken if taken + _cost(own) > tokens else 0


def _cost(story: Sequence[EventNode]) -> int:
    return sum(estimate_tokens(event.summary) + _HEAD for event in story)


def with_hits(
    stories: Sequence[EarlierStory], results: Sequence[RecallResult], *, unrelated: bool
) -> list[EarlierStory]:
    """Add what was recalled of each volume, if it is related to the question."""
    filled = []
    for number, one in enumerate(stories):
        found = [result.earlier[number] for result in results if number < len(result.earlier)]
        is_related = unrelated or any(result.is_related for result in found)
        hits = tuple(hit for result in found for hit in result.hits) if is_related else ()
        filled.append(replace(one, hits=hits))
    return filled


def story_lines(stories: Sequence[EarlierStory]) -> list[PromptLine]:
    """Return the lines of the volumes' stories, the newest first: the oldest are dropped first."""
    lines = [
        PromptLine(
            "earlier",
            (n, *story_key(event)[:2], event.id),
            _volume_line_text(event),
            day=_title_of(one),
        )
        for n, one in enumerate(stories)
        for event in one.story
    ]
    return sorted(lines, key=lambda line: line.order, reverse=True)


def of_volumes(stories: Sequence[EarlierStory], words: dict[str, str]) -> list[Offer]:
    """Offer what was recalled of volumes, except what their stories say already."""
    made: list[Offer] = []
    for n, one in enumerate(stories):
        told = PromptSentences(event.summary for event in one.story)
        store = one.volume.store
        events = {e.id: e for e in store.events.by_ids(_refs_of(one.hits, "event"))}
        entities = {e.id: e for e in store.entities.fetch(_refs_of(one.hits, "entity"))}
        pages = 0
        for hit in one.hits:
            ref, worth = hit.item.ref, hit.score
            event, entity = events.get(ref), entities.get(ref)
            if event is not None and (text := told.new_of(event.summary)):
                line_text = _volume_line_text(replace(event, summary=text))
                order = (n, *story_key(event)[:2], event.id)
            elif entity is not None and is_telling(entity):
                line_text = entity_line(0, entity, words).text
                order = (n, _LAST, pages, entity.id)
                worth -= FACT_STEP * pages
                pages += 1
            else:
                continue
            line = PromptLine("earlier_recalled", order, line_text, (hit,), _title_of(one))
            made.append(Offer(worth, line.cost, (hit,), line=line))
    return made


_LAST = 10**9  # a floor after all others: people and things come after the events


def _refs_of(hits: Sequence[RecallHit], kind: str) -> list[str]:
    return [hit.item.ref for hit in hits if hit.item.kind == kind]


def _title_of(one: EarlierStory) -> str:
    return in_a_line(one.volume.row.title)


def _volume_line_text(event: EventNode) -> str:
    """Write an event without its floors, which are those of another chat."""
    place = place_of(event)
    return (
        f"- {head_of(place)} {in_a_line(event.summary)}"
        if place
        else (f"- {in_a_line(event.summary)}")
    )
