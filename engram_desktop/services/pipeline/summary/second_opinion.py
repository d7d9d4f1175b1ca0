"""What another model makes of the block of a draft: asked for, and kept beside the draft."""

from __future__ import annotations

from dataclasses import replace

from engram_desktop.domain.errors import Conflict
from engram_desktop.domain.marks import QT_TRANSLATE_NOOP
from engram_desktop.domain.memory.event import SourceRange
from engram_desktop.domain.memory.ids import new_id, range_hash
from engram_desktop.domain.phrase import Phrase
from engram_desktop.domain.pipeline.drafts.draft import Draft, placed
from engram_desktop.jobs.asyncjob import run_async
from engram_desktop.llm.answers.structured import FLOOR_FORMATS, Extraction, Formats, extract
from engram_desktop.llm.client.client import Client
from engram_desktop.services.library.usage.metering import CallRecorder
from engram_desktop.services.pipeline.desk import Desk
from engram_desktop.services.pipeline.summary.request import question_hash, request_of

_T = QT_TRANSLATE_NOOP


def ask_other(desk: Desk, draft: Draft, model: str) -> Draft:
    """Ask ``model`` about the same messages, and keep its answer beside ``draft``.

    Asked later for these floors, that model is not paid again. Raises Conflict where the messages
    have changed since the draft, LlmError (BadAnswer carries the answer).
    """
    override = replace(desk.prompts.override("summary"), model=model)
    overrides = {**desk.prompts.overrides, "summary": override}
    desk = replace(desk, prompts=replace(desk.prompts, overrides=overrides))
    messages = desk.store.messages.slice(desk.branch_id, *draft.floors)
    if range_hash(m.swipe_hash for m in messages) != draft.source_hash:
        raise Conflict(Phrase(_T("reports", "its messages")))
    request, language = request_of(desk, messages, draft.floors)
    formats = desk.prompts.formats("summary", language, FLOOR_FORMATS)
    recorder = CallRecorder(desk.store, desk.ctx, desk.meter, "summary")
    with recorder.kept():
        client = desk.client("summary", recorder.record)
        answer = run_async(desk.ctx, _ask(client, request, formats))
        other = replace(
            draft,
            id=new_id(),
            prompt_hash=question_hash(desk, messages, language),
            state="answered",
            extractor="llm",
            model=model,
            answer=answer.raw,
            events=placed(answer.events, answer.floors, SourceRange(*draft.floors)),
            created_at=desk.store.clock(),
        )

        def unit() -> None:
            desk.store.drafts.keep_beside(other)
            recorder.write()

        desk.ctx.write(unit)
    return other


async def _ask(client: Client, request: list[dict[str, str]], formats: Formats) -> Extraction:
    async with client.session() as session:
        return await extract(session, request, formats=formats)
