"""精简: old visible events become one outline of the next level; the originals turn green.

Visible text stays under its limit at any chat length, because outlines are trimmed again into
higher ones. Nothing is deleted: an outline can be taken apart into what it was made of. Locked
events are left alone. Each outline is one transaction; a run is one undo step.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.confidence import OF_EXTRACTOR
from engram_desktop.domain.errors import BadAnswer, DailyCapReached, InputError, LlmError
from engram_desktop.domain.event import EventNode, Extractor, SourceRange
from engram_desktop.domain.extraction import PlotExtraction, StructuredKv
from engram_desktop.domain.ids import new_id
from engram_desktop.domain.labels import TRIM, UNTRIM, StepLabel
from engram_desktop.domain.marks import QT_TRANSLATE_NOOP
from engram_desktop.domain.outline import condense, next_group
from engram_desktop.domain.phrase import Phrase
from engram_desktop.domain.render import StoryRenderer
from engram_desktop.domain.reports import TrimReport
from engram_desktop.domain.tokens import estimate_tokens
from engram_desktop.jobs.asyncjob import run_async
from engram_desktop.llm.client import Client
from engram_desktop.llm.structured import FORMATS, extract
from engram_desktop.services.desk import Desk, ExtractorChoice, choose
from engram_desktop.services.link import Caps, Linker, caught_up
from engram_desktop.services.metering import CallBook
from engram_desktop.services.prompts import Language, language_of
from engram_desktop.storage.chat_store import ChatStore

_T = QT_TRANSLATE_NOOP

SHORTER = 0.8  # an outline longer than this share of its originals is refused
TARGET = 1 / 3
MOST = 240  # tokens of one outline: else those of high levels would grow with what they tell of


@dataclass(slots=True)
class _Tally:
    outlines: int = 0
    trimmed: int = 0
    failed: list[str] = field(default_factory=list)
    touched: set[int] = field(default_factory=set)
    group: int | None = None
    linker: Linker | None = None


def visible_tokens(events: Sequence[EventNode]) -> int:
    """What the always-visible text costs."""
    return sum(estimate_tokens(e.summary) for e in events)


def trim(desk: Desk, limit: int, wanted: ExtractorChoice = "auto") -> TrimReport:
    """Merge the oldest visible events until the visible text costs at most ``limit`` tokens.

    Stops early, and says so, where a model fails or nothing is left that may be merged. What a
    branch inherits is not its to merge. Raises DailyCapReached.
    """
    book = CallBook(desk.store, desk.ctx, desk.meter, "trim")
    with book.kept(), caught_up(desk.store, desk.ctx):
        return _trim(desk, limit, choose(desk.clients, wanted), book)


def _trim(desk: Desk, limit: int, extractor: Extractor, book: CallBook) -> TrimReport:
    store, ctx = desk.store, desk.ctx
    caps = Caps.of(desk.settings)
    tally = _Tally(linker=None if caps is None else Linker(store, caps))
    client = desk.client("trim", book.record) if extractor == "llm" else None
    visible = store.events.visible(desk.branch_id)
    before = left = visible_tokens(visible)
    label = StepLabel(TRIM, {"count": 0})
    while left > limit and not tally.failed:
        ctx.report(tally.trimmed, None, "trim")
        group = next_group([e for e in visible if e.branch_id == desk.branch_id])
        if not group:
            break
        label = StepLabel(TRIM, {"count": tally.trimmed + len(group)})
        data = _merged(desk, client, group, tally)
        if data is not None:
            outline = _outline(store, group, data, extractor, desk.renderer)
            made = _commit(desk, group, outline, label, tally)
            if made is None:  # somebody changed them meanwhile: look again at everything
                visible = store.events.visible(desk.branch_id)
                left = visible_tokens(visible)
            else:
                gone = {e.pk for e in group}
                visible = [*(e for e in visible if e.pk not in gone), made]
                left += visible_tokens([made]) - visible_tokens(group)
    return TrimReport(
        tally.outlines,
        tally.trimmed,
        before,
        left,
        book.calls,
        tuple(tally.failed),
        Changes(
            chat_id=store.chat_id,
            events=frozenset(tally.touched),
            structure=bool(tally.touched),
            undo_label=label if tally.outlines else None,
        ),
    )


def untrim(store: ChatStore, pk: int) -> Changes:
    """Take an outline apart: it is deleted, what it was made of is visible again."""
    outline = store.events.fetch([pk]).get(pk)
    if outline is None or outline.is_deleted or outline.level == 0:
        raise InputError(Phrase(_T("reports", "Only an outline can be taken apart.")))
    children = store.events.children(outline.id)
    label = StepLabel(UNTRIM, {"count": len(children)})
    with store.step(label):
        store.events.dissolve(outline, store.clock())
    touched = frozenset({pk, *(c.pk for c in children)})
    return Changes(chat_id=store.chat_id, events=touched, structure=True, undo_label=label)


def next_events(desk: Desk) -> list[EventNode]:
    """Which events would be merged next; none if there is nothing to merge."""
    visible = desk.store.events.visible(desk.branch_id)
    return list(next_group([e for e in visible if e.branch_id == desk.branch_id]))


def _merged(
    desk: Desk, client: Client | None, group: Sequence[EventNode], tally: _Tally
) -> PlotExtraction | None:
    """Text of the outline, by the model or by choosing sentences; None if that failed."""
    cost = visible_tokens(group)
    if client is None:
        return condense([e.raw_data for e in group], _room(cost))
    try:
        answer = run_async(desk.ctx, _ask(desk, client, group))
    except DailyCapReached:
        raise
    except LlmError as e:
        tally.failed.append(str(e))
        return None
    if estimate_tokens(answer.summary) > cost * SHORTER:
        tally.failed.append("the model's outline is hardly shorter than the events it is made of")
        return None
    return answer


def _room(cost: int) -> int:
    return min(MOST, max(24, int(cost * TARGET)))


def request_of(desk: Desk, group: Sequence[EventNode]) -> tuple[list[dict[str, str]], Language]:
    """Return the request to merge a group of events, and the language it is put in."""
    listed = "\n".join(
        f"- [{e.source_range.start_index}–{e.source_range.end_index}"
        f" · {e.raw_data.timestamp} {e.raw_data.location}] {e.summary}"
        for e in group
    )
    values = {
        "events": listed.replace("</events", "<\\/events"),
        "count": str(len(group)),
        "first": str(group[0].source_range.start_index),
        "last": str(max(e.source_range.end_index for e in group)),
        "limit": str(_room(visible_tokens(group))),
        "engramSummaries": "\n".join(f"- {e.summary}" for e in group),
    }
    language = language_of([e.summary for e in group])
    return desk.prompts.request("trim", language, values), language


async def _ask(desk: Desk, client: Client, group: Sequence[EventNode]) -> PlotExtraction:
    messages, language = request_of(desk, group)
    formats = desk.prompts.formats("trim", language, FORMATS)
    async with client.session() as session:
        found = await extract(session, messages, formats=formats)
    if not found.events:
        raise BadAnswer(Phrase(_T("reports", "it holds no outline")), raw=found.raw)
    first, *rest = found.events
    return replace(first, summary=" ".join([first.summary, *(e.summary for e in rest)]))


def _outline(
    store: ChatStore,
    group: Sequence[EventNode],
    data: PlotExtraction,
    extractor: Extractor,
    renderer: StoryRenderer,
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
        timestamp=store.clock(),
        extractor=extractor,
        confidence=OF_EXTRACTOR[extractor],
        participants=tuple(dict.fromkeys(people)),
        keywords=data.keywords,
    )


def _commit(
    desk: Desk,
    group: Sequence[EventNode],
    outline: EventNode,
    label: StepLabel,
    tally: _Tally,
) -> EventNode | None:
    """Store an outline in place of its events; None if they are no longer what was merged."""
    store = desk.store

    def unit() -> EventNode | None:
        with store.step(label, tally.group) as joined:
            if len(store.events.unchanged(group)) != len(group):
                return None
            (pk,) = store.events.add([outline], store.clock())
            waiting = [e for e in group if e.level == 0]
            if waiting and tally.linker is not None:
                tally.linker.archive(waiting)
            store.events.adopt([e.pk for e in group], outline.id, store.clock())
            tally.touched.update([pk, *(e.pk for e in group)])
        tally.group = joined
        return store.events.fetch([pk])[pk]

    made = desk.ctx.write(unit)
    if made is not None:
        tally.outlines += 1
        tally.trimmed += len(group)
    return made
