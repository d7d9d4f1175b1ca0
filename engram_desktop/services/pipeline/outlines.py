"""Make outlines: their words, by a model or by choosing sentences, and their place in the story.

An outline takes the place of what it tells of: it is stored in the very transaction in which its
parts are archived, so that no floor is ever missing from the story so far.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import field, replace
from typing import TYPE_CHECKING

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.errors import BadAnswer, LlmError
from engram_desktop.domain.inject.delimiters import defused
from engram_desktop.domain.labels import MEND_OUTLINES, StepLabel
from engram_desktop.domain.marks import QT_TRANSLATE_NOOP
from engram_desktop.domain.memory.confidence import OF_EXTRACTOR
from engram_desktop.domain.memory.event import EventNode, Extractor, SourceRange
from engram_desktop.domain.memory.extraction import PlotExtraction, StructuredKv
from engram_desktop.domain.memory.ids import new_id
from engram_desktop.domain.phrase import Phrase
from engram_desktop.domain.pipeline.outline import condense
from engram_desktop.domain.pipeline.render import StoryRenderer
from engram_desktop.domain.pipeline.story_so_far import may_be_told
from engram_desktop.domain.text.tokens import estimate_tokens
from engram_desktop.domain.values import dataclass
from engram_desktop.jobs.asyncjob import run_async
from engram_desktop.llm.answers.structured import FORMATS, extract
from engram_desktop.llm.client.client import Client
from engram_desktop.services.library.one_step import OneStep
from engram_desktop.services.pipeline.desk import Desk
from engram_desktop.services.prompts.prompts import Language, language_of
from engram_desktop.storage.chat.chat_store import ChatStore

if TYPE_CHECKING:
    from engram_desktop.llm.client.session import Session

_T = QT_TRANSLATE_NOOP

SHORTER = 0.8  # an outline longer than this share of its originals is refused
TARGET = 1 / 3  # of what it tells of, which a model is asked for; not measured
MOST = 240  # tokens of one outline: else those of high levels would grow with what they tell of
PROMPT_TOKENS = 500  # what a request costs besides the events
_WITHOUT_MODEL = _T("reports", "{count} outlines were made without the model: {reason}")

Group = Sequence[EventNode]
Outlined = tuple[Group, EventNode]


@dataclass(slots=True)
class OutlineWriter:
    """Writes outlines of groups of events: by ``client``, or without a model if that is None.

    Where the model fails the sentences are chosen instead, and `notes` says so: what is archived
    must stay told. After a failure that would meet every request the model is asked no more.
    """

    renderer: StoryRenderer
    clock: Callable[[], int]
    desk: Desk | None = None
    client: Client | None = None
    reasons: list[str] = field(default_factory=list)
    _is_given_up: bool = False

    @property
    def has_model(self) -> bool:
        return self.client is not None and self.desk is not None

    def write(self, groups: Sequence[Group], take: Callable[[Sequence[Outlined]], None]) -> None:
        """Give every group and its outline to ``take``: each as it is answered, or all at once.

        ``take`` is called on the calling thread. Raises what it raises, and Cancelled.
        """
        if self.desk is None or self.client is None:
            if groups:
                take([(group, self._chosen(group)) for group in groups])
            return
        run_async(self.desk.ctx, self._with_model(self.desk, self.client, groups, take))

    def notes(self) -> list[str]:
        """Say which outlines a model should have written and did not."""
        if not self.reasons:
            return []
        return [Phrase(_WITHOUT_MODEL, count=len(self.reasons), reason=self.reasons[0])]

    def _chosen(self, group: Group) -> EventNode:
        data = condense([e.raw_data for e in group], room(tokens_of(group)))
        return outline_of(group, data, "extractive", self.renderer, self.clock())

    async def _with_model(
        self,
        desk: Desk,
        client: Client,
        groups: Sequence[Group],
        take: Callable[[Sequence[Outlined]], None],
    ) -> None:
        gate = asyncio.Semaphore(desk.settings.llm_parallel)
        async with client.session() as session:

            async def one(group: Group) -> None:
                async with gate:
                    outline = await self._asked(desk, session, group)
                    take([(group, outline)])

            try:
                async with asyncio.TaskGroup() as tasks:
                    for group in groups:
                        tasks.create_task(one(group))
            except BaseExceptionGroup as errors:  # the first is why the others were given up
                raise errors.exceptions[0] from None

    async def _asked(self, desk: Desk, session: Session, group: Group) -> EventNode:
        if len(group) == 1 or self._is_given_up:  # one event is shortened without a request
            if self._is_given_up:
                self.reasons.append(self.reasons[0])
            return self._chosen(group)
        try:
            data = await ask(desk, session, group)
        except BadAnswer as e:
            self.reasons.append(str(e))
        except LlmError as e:  # the next request would meet the same
            self._is_given_up = True
            self.reasons.append(str(e))
        else:
            return outline_of(group, data, "llm", self.renderer, self.clock())
        return self._chosen(group)


def tellable(store: ChatStore, events: Sequence[EventNode]) -> list[EventNode]:
    """Those of ``events`` that an outline may tell of: known to everybody, and not muted."""
    muted = {item.ref for item in store.items.muted()}
    return [e for e in events if may_be_told(e) and e.id not in muted]


def place(store: ChatStore, outlined: Sequence[Outlined]) -> list[int]:
    """Store outlines in the place of their parts, inside the caller's step; return their keys."""
    now = store.clock()
    pks = store.events.add([outline for _group, outline in outlined], now)
    for group, outline in outlined:
        store.outlines.put_under([e.pk for e in group], outline.id, now)
    return pks


async def ask(desk: Desk, session: Session, group: Group) -> PlotExtraction:
    """Let a model merge a group. Raises LlmError; BadAnswer where nothing shorter came of it."""
    messages, language = request_of(desk, group)
    formats = desk.prompts.formats("trim", language, FORMATS)
    answer = await extract(session, messages, formats=formats)
    if not answer.events:
        raise BadAnswer(Phrase(_T("reports", "it holds no outline")), raw=answer.raw)
    first, *others = answer.events
    data = replace(first, summary=" ".join([first.summary, *(e.summary for e in others)]))
    if estimate_tokens(data.summary) > max(room(tokens_of(group)), tokens_of(group) * SHORTER):
        why = _T("reports", "it is hardly shorter than the events it was to be made of")
        raise BadAnswer(Phrase(why), raw=answer.raw)
    return data


def request_of(desk: Desk, group: Group) -> tuple[list[dict[str, str]], Language]:
    """Return the request to merge a group of events, and the language it is put in."""
    listed = "\n".join(
        f"- [{e.source_range.start_index}–{e.source_range.end_index}"
        f" · {e.raw_data.timestamp} {e.raw_data.location}] {e.summary}"
        for e in group
    )
    values = {
        "events": defused(listed, "events"),
        "count": str(len(group)),
        "first": str(group[0].source_range.start_index),
        "last": str(max(e.source_range.end_index for e in group)),
        "limit": str(room(tokens_of(group))),
        "engramSummaries": "\n".join(f"- {e.summary}" for e in group),
    }
    language = language_of([e.summary for e in group])
    return desk.prompts.request("trim", language, values), language


def tokens_of(group: Group) -> int:
    """What the summaries of these events take, without anything around them."""
    return sum(estimate_tokens(e.summary) for e in group)


def room(tokens: int) -> int:
    """Return how many tokens an outline of so many may take."""
    return min(MOST, max(24, int(tokens * TARGET)))


def outline_of(
    group: Group, data: PlotExtraction, extractor: Extractor, renderer: StoryRenderer, now: int
) -> EventNode:
    """Build the node: the span, the union of roles and the highest significance of the group."""
    roles = tuple(dict.fromkeys(name for e in group for name in e.structured_kv.role))
    kv: StructuredKv = replace(data.structured_kv, role=roles or data.structured_kv.role)
    score = max(e.significance_score for e in group)
    data = replace(data, structured_kv=kv, significance_score=score)
    people = [name for e in group for name in e.participants]
    return EventNode(
        pk=0,
        id=new_id(),
        branch_id=group[-1].branch_id,
        summary=data.summary,
        structured_kv=kv,
        raw_data=data,
        display_text=renderer.render(data),
        status="buffer",
        is_archived=False,
        is_embedded=False,
        level=max(e.level for e in group) + 1,
        source_range=SourceRange(
            min(e.source_range.start_index for e in group),
            max(e.source_range.end_index for e in group),
        ),
        significance_score=score,
        timestamp=now,
        extractor=extractor,
        confidence=OF_EXTRACTOR[extractor],
        participants=tuple(dict.fromkeys(people)),
        keywords=data.keywords,
    )


def mend_outlines(desk: Desk) -> Changes:
    """Take stale outlines of the branch apart: their parts that still stand are told again."""
    label = StepLabel(MEND_OUTLINES)
    touched = dissolve_stale(desk, OneStep(desk.store, label))
    return Changes(
        chat_id=desk.store.chat_id,
        events=touched,
        rows=bool(touched),
        counts=bool(touched),
        undo_label=label if touched else None,
    )


def dissolve_stale(desk: Desk, step: OneStep) -> frozenset[int]:
    """Undo the stale outlines of the branch, those of the highest level first; say what changed."""
    store = desk.store
    stale = store.events.stale(desk.branch_id, outlines=True)
    if not stale:
        return frozenset()
    touched: set[int] = set()
    with step.part():
        for outline in sorted(stale, key=lambda e: -e.level):
            touched.update(store.outlines.dissolve(outline, store.clock()))
    return frozenset(touched)
