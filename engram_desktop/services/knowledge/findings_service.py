"""Findings of a line: what is over, untrue, contradicted or promised, and the user's answers."""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Collection, Sequence
from functools import cache
from typing import TYPE_CHECKING

from typing_extensions import override

from engram_desktop.domain.changes import (
    ANSWER_FINDING,
    FORGET_THREADS,
    NOTE_THREAD,
    Changes,
    StepLabel,
)
from engram_desktop.domain.claims.claim import (
    Claim,
    DuePromise,
    Finding,
    FindingKind,
    Quote,
    WaitingFindings,
    answers_of,
)
from engram_desktop.domain.claims.descriptions import Description, descriptions
from engram_desktop.domain.claims.findings import LineFindings, answered, findings_of
from engram_desktop.domain.claims.marks import day_come, days_ahead
from engram_desktop.domain.claims.wording import words_of
from engram_desktop.domain.errors import InputError, NotFound
from engram_desktop.domain.graph.entity import norm_name
from engram_desktop.domain.memory.facets import Facet
from engram_desktop.domain.memory.line import new_id
from engram_desktop.domain.memory.scope import Actor
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.domain.text.sentences import bare
from engram_desktop.domain.values import dataclass
from engram_desktop.jobs.context import Cancelled
from engram_desktop.services.knowledge import claims, heard
from engram_desktop.services.prompts.prompts import tongue_of
from engram_desktop.storage.chat.claims import NotedThread

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from engram_desktop.domain.claims.marks import Tongue
    from engram_desktop.domain.memory.event import SourceRange
    from engram_desktop.domain.memory.line import Line
    from engram_desktop.jobs.context import JobContext
    from engram_desktop.services.knowledge.knowledge_service import KnowledgeService
    from engram_desktop.services.knowledge.line_claims import LineClaims
    from engram_desktop.services.library.session import Session

_T = QT_TRANSLATE_NOOP
_NOT_HELD = _T("reports", "Words of message #{floor} are expected, as they stand there.")
_SHOWN = 40  # characters of a noted thread in the label of its step
_SAMPLE = 50  # messages that show the language of a chat
# Floors up to which a prompt waits for findings not computed yet. In a story full of promises a
# floor takes .25 ms in a fresh process, and ten times the floors take twelve times as long.
_AT_ONCE = 20_000
_LONG = 2_048  # floors, .5 s of a story full of promises, from which progress is reported
_UNSETTLED = 24  # newest floors, about a page, whose findings are computed again at each change
_LINES_KEPT = (
    6  # lines, of all chats, whose findings stay in memory: some 30 MB each at 10,000 floors
)
_DESCRIBED_IN = 4_000  # floors searched for sentences that describe an entity
_Key = tuple[str, str]  # chat and branch
_NEWEST = 2  # last floors that may mention what a promise is about, as in a prompt
_ABOUT = 2  # words, without names, that a sentence about a promise shares with it; set by hand


class UnknownAnswer(InputError):
    """The answer does not exist for this kind of finding."""

    text = _T("errors", "“{answer}” is no answer to a finding of the kind “{kind}”.")
    hint = _T("errors", "Answer one of: {choices}.")


class AnsweredOtherwise(InputError):
    """Another program gave the same finding another answer."""

    text = _T("errors", "This finding was answered “{other}” meanwhile; “{answer}” was not saved.")
    hint = _T("errors", "Look at it again, and answer again if you still mean it.")


@dataclass(frozen=True, slots=True)
class _Known:
    """The claims and findings of a line at a revision of its chat.

    ``settled`` are the findings without the newest floors, which are often swiped and edited.
    """

    revision: int
    line: LineClaims
    settled: LineFindings
    found: list[Finding]

    def holds_for(self, line: LineClaims, floors: int) -> bool:
        """Return whether the first ``floors`` floors of ``line`` are as they were."""
        return line.story is self.line.story and line.is_same(self.line, floors)


class FindingsService:
    """Findings. They are computed on request; only the user's answers are stored."""

    def __init__(self, session: Session, knowledge: KnowledgeService) -> None:
        self._session = session
        self._knowledge = knowledge
        self._known: dict[_Key, _Known] = {}
        self._begun: tuple[_Key, _Known] | None = None  # computed in part when it was cancelled
        session.on_leaving(self._forget)

    def claims(self, ctx: JobContext, line: Line, at: int | None = None) -> Iterator[Claim]:
        """Return the claims in the messages of a line, up to floor ``at``. Raises Cancelled."""
        loaded = self._whole(ctx, line)
        last = loaded.last_floor if at is None else at
        return (claim for claim in loaded.facts_in(0, last) if claim.floor <= last)

    def findings(
        self,
        ctx: JobContext,
        line: Line,
        kinds: Collection[FindingKind] = (),
        actor: str = "",
        at: int | None = None,
    ) -> list[Finding]:
        """Return the findings of a line, up to floor ``at``. Raises Cancelled, NotFound.

        ``actor``: only findings from what this person said, heard, thought or saw.
        """
        loaded = self._whole(ctx, line)
        if actor:
            found = self._of_actor(ctx, line, loaded, actor, at)
        elif at is None:
            found = self._known[line.chat_id, line.branch_id].found
        else:
            facts = loaded.facts_of(0, at)
            last = min(at, loaded.last_floor)
            found = findings_of(facts, _Until(loaded, at), last, loaded.people, _checked(ctx))
        answers = self._session.chat(line.chat_id).claims.answers()
        found = answered(found, answers)
        return [f for f in found if not kinds or f.kind in kinds]

    def descriptions(
        self,
        ctx: JobContext,
        line: Line,
        names: Collection[str],
        spans: Iterable[SourceRange],
        actor: str = "",
        at: int | None = None,
    ) -> list[Description]:
        """Return the sentences that say what somebody or something with these ``names`` is.

        ``spans`` are the floors of the events about it; of very many, the first and the newest are
        read. ``actor``: only what this person heard. Raises Cancelled, NotFound.
        """
        found = self.findings(ctx, line, ("superseded", "lie", "mistaken"), actor, at)
        loaded = self._whole(ctx, line)
        last = loaded.last_floor if at is None else min(at, loaded.last_floor)
        told = {floor for span in spans for floor in range(span.start_index, span.end_index + 1)}
        floors = [floor for floor in sorted(told) if floor <= last]
        if len(floors) > _DESCRIBED_IN:
            floors = [*floors[: _DESCRIBED_IN // 2], *floors[-(_DESCRIBED_IN // 2) :]]
        facts = (c for c in loaded.facts_in(0, last) if c.about in names and c.floor <= last)
        sentences = (claim for floor in floors for claim in loaded.at(floor))
        is_known = self._heard_by(line, self._norms(line, loaded, actor)) if actor else None
        return descriptions(names, facts, sentences, found, is_known)

    def _heard_by(self, line: Line, norms: frozenset[str]) -> Callable[[Claim], bool]:
        """Return a test whether a person heard a sentence; whispers to others are not heard."""
        store, asker = self._session.chat(line.chat_id), Actor(norms)

        @cache
        def heard_on(floor: int) -> str:
            messages = heard.heard(store, line.branch_id, asker, floor, floor)
            return "\n".join(bare(message.text) for message in messages)

        return lambda claim: bare(claim.quote) in heard_on(claim.floor)

    def waiting(
        self, ctx: JobContext, line: Line, actor: str = "", at: int | None = None
    ) -> WaitingFindings:
        """Return what needs the user: contradictions without an answer, and open promises.

        With ``at``, as of that floor, and without due promises. A promise is due once what it waits
        for was said after it, or the last floors mention what it is about; ``due`` has that
        sentence. Raises NotFound, Cancelled.
        """
        found = self.findings(ctx, line, ("contradiction", "promise"), actor, at)
        asked = [f for f in found if f.status == "open"]
        promises = tuple(f for f in asked if f.kind == "promise")
        return WaitingFindings(
            tuple(f for f in asked if f.kind == "contradiction" and not f.answer),
            promises,
            self._due(line, promises) if at is None else (),
        )

    def event_facet(self, ctx: JobContext, line: Line, actor: str) -> Facet:
        """Return the facet for `WITH_FINDING`: the events with a floor that a finding quotes.

        Raises Cancelled.
        """
        try:
            found = self.findings(ctx, line, (), actor)
        except NotFound:  # no person of this name in the story
            found = []
        floors = sorted({floor for finding in found for floor in finding.floors})
        spans = self._session.chat(line.chat_id).events.spans(line.branch_id)
        keys = [pk for pk, first, last, _s in spans if _holds_any(floors, first, last)]
        return Facet("finding", json.dumps(keys))

    def _due(self, line: Line, promises: Sequence[Finding]) -> tuple[DuePromise, ...]:
        lines = self._known[line.chat_id, line.branch_id].line
        due = []
        for finding in promises:
            by = _trigger_told(lines, finding) or _told_lately(lines, finding)
            if by is not None:
                due.append(DuePromise(finding, by))
        return tuple(due)

    def near(
        self, ctx: JobContext, line: Line, most: int, *, waits: bool = False
    ) -> tuple[list[Finding], LineClaims] | None:
        """Return findings and claims for a prompt, reading at most ``most`` messages.

        None if more messages are due; they are read when findings are asked for. Also None for a
        very long line without computed findings, unless the caller ``waits``.
        """
        if not waits and self.is_too_long(line):
            return None
        store = self._session.chat(line.chat_id)
        key = (line.chat_id, line.branch_id)
        revision = store.items.revision()
        known = self._known.get(key)
        floors = store.messages.count(line.branch_id)
        if known is None and floors > most:  # a quick test that does not look at each message
            is_unread = floors - store.claims.at_most() > most  # its claims were never asked for
            if is_unread or not claims.are_current(store):
                return None
        if known is None or known.revision != revision:
            loaded = claims.load(ctx, store, line.branch_id, most=most, keeps=False)
            if not loaded.is_whole:
                return None
            known = self._computed(ctx, key, revision, loaded)
        return answered(known.found, store.claims.answers()), known.line

    def is_too_long(self, line: Line) -> bool:
        """Return whether prompts leave findings out: the line is long and none are computed yet."""
        floors = self._session.chat(line.chat_id).messages.count(line.branch_id)
        return floors > _AT_ONCE and (line.chat_id, line.branch_id) not in self._known

    def heard_floors(self, line: Line, loaded: LineClaims, actor: str) -> frozenset[int] | None:
        """Return the floors on which a person speaks, is spoken to, acts or is present.

        What a model or the user says about presence takes precedence. None if no person of this
        name is known in the line.
        """
        store = self._session.chat(line.chat_id)
        norms = self._norms(line, loaded, actor)
        floors = {
            floor
            for floor, people in enumerate(loaded.there)
            if any(norm_name(person) in norms for person in people)
        }
        perceived, settled = heard.sure_floors(
            store, line.branch_id, Actor(norms), 0, loaded.last_floor
        )
        is_known = bool(floors or perceived)
        return frozenset(floors - settled | perceived) if is_known else None

    def tongue(self, line: Line) -> Tongue:
        """Return the language of findings: that of the settings, else that of the chat."""
        chosen = self._session.settings(line.chat_id).ui_language
        if chosen != "system":
            return "zh" if chosen == "zh_CN" else "ja" if chosen == "ja" else "en"
        store = self._session.chat(line.chat_id)
        said = store.messages.sayings(line.branch_id, 0, _SAMPLE)
        return tongue_of([saying.text for saying in said])

    def answer(
        self, ctx: JobContext, line: Line, finding_id: str, answer: str, *, seen: str | None = None
    ) -> Changes:
        """Answer a finding, as one undoable step; "" takes the answer back.

        ``seen`` is the answer the user saw, if another may be stored by now. Raises NotFound,
        InputError (also if another program gave another answer), Cancelled.
        """
        finding = next((f for f in self.findings(ctx, line) if f.id == finding_id), None)
        if finding is None:
            raise NotFound("finding", finding_id)
        if answer and answer not in answers_of(finding.kind):
            raise UnknownAnswer(
                answer=answer, kind=finding.kind, choices=", ".join(answers_of(finding.kind))
            )
        store = self._session.chat(line.chat_id)
        label = StepLabel(ANSWER_FINDING, {"answer": answer or "–"})
        before = finding.answer if seen is None else seen
        with store.step(label):
            now = store.claims.answers().get(finding_id, "")
            if now not in (before, answer):
                raise AnsweredOtherwise(other=now or "–", answer=answer)
            store.claims.answer(finding_id, answer)
        return Changes(chat_id=line.chat_id, knowledge=True, undo_label=label)

    def speaker_of(self, ctx: JobContext, line: Line, floor: int, words: str) -> str:
        """Return who says some words on a floor, according to its claims; "" for narration.

        Raises Cancelled.
        """
        words = words.strip()
        for claim in self._whole(ctx, line).at(floor):
            quote = claim.quote.strip()
            if claim.speaker and quote and (words in quote or quote in words):
                return claim.speaker
        return ""

    def note_thread(self, ctx: JobContext, line: Line, floor: int, words: str) -> Changes:
        """Note words of a message as a promise or another thread, as one step.

        It counts as a finding from then on, open until the story says it was kept or the user
        answers it. Raises NotFound for the floor, InputError if the message does not hold the
        words, Cancelled.
        """
        quote = words.strip()
        store = self._session.chat(line.chat_id)
        heads = store.messages.heads(line.branch_id, (floor, floor), 0)
        said = store.messages.sayings(line.branch_id, floor, floor)
        if not heads:
            raise NotFound("message", f"#{floor}")
        if not quote or quote not in said[0].text:
            raise InputError(Phrase(_NOT_HELD, floor=floor))
        speaker = self.speaker_of(ctx, line, floor, quote) or said[0].name
        label = StepLabel(NOTE_THREAD, {"text": quote[:_SHOWN]})
        with store.step(label):
            store.claims.note(NotedThread(new_id(), heads[0][0].id, floor, speaker, quote))
        return Changes(chat_id=line.chat_id, knowledge=True, undo_label=label)

    def noted_words(self, line: Line) -> frozenset[str]:
        """Return the words of all threads noted by hand, as findings quote them."""
        noted = self._session.chat(line.chat_id).claims.noted()
        return frozenset(thread.quote for thread in noted)

    def noted_at(self, line: Line, floor: int, words: str) -> list[str]:
        """Return the ids of noted threads whose words overlap these words on this floor."""
        store = self._session.chat(line.chat_id)
        said = store.messages.sayings(line.branch_id, floor, floor)
        text = said[0].text if said else ""
        start = text.find(words.strip())
        return [
            thread.id
            for thread in store.claims.noted()
            if (place := text.find(thread.quote)) >= 0
            and place < start + len(words.strip())
            and start < place + len(thread.quote)
        ]

    def forget_threads(self, line: Line, ids: Sequence[str]) -> Changes:
        """Delete threads noted by hand, as one step."""
        store = self._session.chat(line.chat_id)
        label = StepLabel(FORGET_THREADS, {"count": len(ids)})
        with store.step(label):
            store.claims.forget_noted(ids)
        return Changes(chat_id=line.chat_id, knowledge=True, undo_label=label)

    def read(self, ctx: JobContext, line: Line) -> None:
        """Read the claims of messages that are due. Raises Cancelled."""
        self._whole(ctx, line)

    def _whole(self, ctx: JobContext, line: Line) -> LineClaims:
        store = self._session.chat(line.chat_id)
        key = (line.chat_id, line.branch_id)
        revision = store.items.revision()
        known = self._known.get(key)
        if known is None or known.revision != revision or known.line.unkept:
            with self._session.claim_if_free() as is_mine:
                keeps = is_mine and self._session.can_write
                loaded = claims.load(ctx, store, line.branch_id, keeps=keeps)
            known = self._computed(ctx, key, revision, loaded)
        return known.line

    def _computed(self, ctx: JobContext, key: _Key, revision: int, line: LineClaims) -> _Known:
        """Compute the findings of a line, continuing from earlier ones that are still valid.

        Raises Cancelled; the next call continues from what was computed until then.
        """
        before, last = self._known.get(key), line.last_floor - _UNSETTLED
        floors = max(len(line.rows), len(before.line.rows)) if before is not None else 0
        if before is not None and before.holds_for(line, floors):
            return self._keep(key, _Known(revision, line, before.settled, before.found))
        settled = self._settled_before(key, line)
        if last - settled.next_floor >= _UNSETTLED:

            def between(floor: int) -> None:
                ctx.check()
                if last - floor >= _LONG:
                    ctx.report(floor, len(line.rows), "claims")

            settled = settled.copy()
            try:
                read_to = line.read_by_model(settled.next_floor, last)
                settled.go_on(line.facts_of, line, last, between, read_to)
            except Cancelled:
                self._begun = key, _Known(revision, line, settled, [])
                raise
            self._begun = None
            settled.findings(line)  # its promises note their outcomes, for all copies made of it
        newest = settled.copy()
        read_to = line.read_by_model(newest.next_floor, line.last_floor)
        newest.go_on(line.facts_of, line, line.last_floor, read_to=read_to)
        return self._keep(key, _Known(revision, line, settled, newest.findings(line)))

    def _settled_before(self, key: _Key, line: LineClaims) -> LineFindings:
        """Return the findings of most floors of a line that earlier calls computed."""
        begun = self._begun[1] if self._begun is not None and self._begun[0] == key else None
        valid = [
            known.settled
            for known in (self._known.get(key), begun)
            if known is not None and known.holds_for(line, known.settled.next_floor)
        ]
        return max(valid, key=lambda found: found.next_floor, default=LineFindings(line.people))

    def _keep(self, key: _Key, known: _Known) -> _Known:
        self._known.pop(key, None)  # re-insert the line as the one used last
        self._known[key] = known
        for other in list(self._known)[:-_LINES_KEPT]:
            self._known.pop(other, None)
        return known

    def _norms(self, line: Line, loaded: LineClaims, actor: str) -> frozenset[str]:
        norms = set(self._knowledge.actor_norms(line, actor))
        for name, forms in loaded.people.items():
            if norm_name(name) in norms or actor.casefold() in forms:
                norms |= {norm_name(name), *(norm_name(form) for form in forms)}
        return frozenset(norms)

    def _of_actor(
        self, ctx: JobContext, line: Line, loaded: LineClaims, actor: str, at: int | None
    ) -> list[Finding]:
        self._knowledge.derive(ctx, line.chat_id)
        floors = self.heard_floors(line, loaded, actor)
        if floors is None:
            raise NotFound("known person", actor)
        norms = self._norms(line, loaded, actor)
        last = loaded.last_floor if at is None else min(at, loaded.last_floor)
        lines = _Heard(loaded, floors, norms, last)
        facts = [c for c in loaded.facts_in(0, last) if c.floor <= last and lines.is_known(c)]
        found = findings_of(facts, lines, last, loaded.people, _checked(ctx))
        return [f for f in found if not _is_secret(f, norms)]

    def _forget(self, chat_id: str | None) -> None:
        for key in [k for k in self._known if chat_id is None or k[0] == chat_id]:
            del self._known[key]
        if self._begun is not None and chat_id in (None, self._begun[0][0]):
            self._begun = None


def _checked(ctx: JobContext) -> Callable[[int], object]:
    """Return what raises Cancelled between two parts of a line if the user asked to stop."""
    return lambda _floor: ctx.check()


def _trigger_told(lines: LineClaims, promise: Finding) -> Quote | None:
    """Return the first sentence after a promise that holds all words of what it waits for.

    A promise that waits for a day falls due when the narration reaches that day; the word
    “tomorrow” alone, said again, means another day.
    """
    if days_ahead(promise.trigger) is not None:
        return day_come(promise, lines, lines.last_floor)
    units = words_of(promise.trigger).units if promise.trigger else frozenset()
    if not units:
        return None
    # the word index gives the floors to look at
    for floor in lines.with_words(promise.floors[0] + 1, lines.last_floor, units, len(units)):
        for claim in lines.at(floor):
            if units <= words_of(claim.quote).units:
                return Quote(floor, claim.quote.strip())
    return None


def _told_lately(lines: LineClaims, promise: Finding) -> Quote | None:
    """Return the sentence in the last floors that shares most words with an earlier promise."""
    first = max(promise.floors[0] + 1, lines.last_floor - _NEWEST + 1)
    names = words_of(" ".join(promise.who)).units
    own = words_of(f"{promise.trigger} {promise.quotes[0].text}").units - names
    best, most = None, _ABOUT - 1
    for floor in range(first, lines.last_floor + 1):
        for claim in lines.at(floor):
            shared = len(words_of(claim.quote).units & own)
            if shared > most:
                best, most = Quote(floor, claim.quote.strip()), shared
    return best


def _holds_any(floors: Sequence[int], first: int, last: int) -> bool:
    place = bisect_left(floors, first)
    return place < len(floors) and floors[place] <= last


def _is_secret(finding: Finding, norms: Collection[str]) -> bool:
    """Return whether a finding is an unrevealed lie of somebody else, hidden from this asker."""
    is_own = any(norm_name(name) in norms for name in finding.who)
    return finding.kind == "lie" and finding.status == "told" and not is_own


class _Until:
    """The claims of a line up to a floor."""

    def __init__(self, lines: LineClaims, last: int) -> None:
        self._lines = lines
        self._last = last

    def at(self, floor: int) -> Sequence[Claim]:
        return self._lines.at(floor) if floor <= self._last else ()

    def with_words(
        self, first: int, last: int, words: Iterable[str], least: int = 1
    ) -> Iterable[int]:
        return self._lines.with_words(first, min(last, self._last), words, least)


class _Heard(_Until):
    """The claims of a line that a person perceives: what is said near them, and their thoughts."""

    def __init__(
        self, lines: LineClaims, floors: Collection[int], norms: Collection[str], last: int
    ) -> None:
        super().__init__(lines, last)
        self._floors = floors
        self._norms = norms

    def is_known(self, claim: Claim) -> bool:
        if claim.how == "narrated" and claim.sign == "errs":
            return False  # no character knows it
        if claim.how == "thought" or (claim.how == "narrated" and claim.sign == "untrue"):
            return norm_name(claim.speaker or claim.about) in self._norms
        return claim.floor in self._floors

    @override
    def at(self, floor: int) -> Sequence[Claim]:
        return [claim for claim in super().at(floor) if self.is_known(claim)]
