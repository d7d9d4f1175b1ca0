"""Merge the changes in a kept worldbook with the memory it was written from, entry by entry.

What is taken from the file changes the memory, as one undo step; then the file is written again, if
it is still the one that was compared.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from engram_desktop.domain.changes import MERGE_WORLDBOOK, Changes, StepLabel
from engram_desktop.domain.errors import BadProfile, Conflict, Unreadable
from engram_desktop.domain.graph.profile import yaml_to_profile
from engram_desktop.domain.memory.event import EventPatch, SourceRange
from engram_desktop.domain.memory.extraction import PlotExtraction
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.domain.pipeline.prompt_template import CardFields, read_card
from engram_desktop.domain.worldbooks.merging import (
    MergeEntry,
    MergePlan,
    MergeReport,
    Side,
    Uid,
    changes_between,
)
from engram_desktop.domain.worldbooks.worldbook import Entry
from engram_desktop.formats.json_text import read_json
from engram_desktop.formats.json_values import table_of
from engram_desktop.formats.world_info import WorldbookFile, decode, read_worldbook
from engram_desktop.jobs.context import JobContext, NullContext
from engram_desktop.services.events import curate
from engram_desktop.services.events.blocks import renderer_of
from engram_desktop.services.graph import graph_service
from engram_desktop.services.graph.link import Caps
from engram_desktop.services.library.whole_file import hash_of
from engram_desktop.services.worldbooks import worldbook_service
from engram_desktop.services.worldbooks.memory_worldbook import (
    MARKED,
    SUMMARY_KEYS,
    entity_row_of,
    event_of,
    is_frame,
    memory_worldbook,
)
from engram_desktop.storage.chat.chat_store import ChatStore
from engram_desktop.storage.library.worldbooks import digest

if TYPE_CHECKING:
    from engram_desktop.services.library.session import Session


NOTE = "note"  # profile key of a description that is no list of facts
_HERE = NullContext()  # already inside the write


class EntryTaker:
    """Applies entries of a worldbook to the memory of one branch, inside the caller's step."""

    def __init__(self, session: Session, store: ChatStore, branch_id: str) -> None:
        self._session = session
        self._store = store
        self._branch_id = branch_id
        self._caps = Caps.of(session.settings(store.chat_id))

    def take(self, entry: MergeEntry) -> Changes:
        """Make the memory match the file's version of one entry. Raises InputError."""
        if entry.here is None:
            return self._add(entry.there) if entry.there else self._nothing()
        pk, row = event_of(entry.uid), entity_row_of(entry.uid)
        if pk is not None:
            return self._take_event(pk, entry.here, entry.there)
        if row is not None:
            return self._take_entity(row, entry.here, entry.there)
        return self._nothing()

    def _take_event(self, pk: int, here: Entry, there: Entry | None) -> Changes:
        if there is None or not there.content.strip():
            return curate.delete_events(self._store, _HERE, [pk])
        patch = self._patch(here, there)
        changes = self._nothing()
        if patch is not None:
            renderer = renderer_of(self._session, self._store, patch.summary or here.content)
            changes = curate.update_event(self._store, pk, patch, renderer)
        if there.is_constant != here.is_constant:
            changes = changes | self._archive(pk, archived=not there.is_constant)
        return changes

    def _patch(self, here: Entry, there: Entry) -> EventPatch | None:
        """Return the changes to an event; None if text and keys are the same."""
        keys = _plain_keys(there) if there.keys != here.keys else ()
        if there.content == here.content:
            return EventPatch(keywords=keys) if keys else None
        card = self._card(there.content)
        return EventPatch(
            summary=card.summary,
            keywords=keys or card.keywords,
            time_anchor=card.timestamp,
            location=card.location,
            details=card.details,
        )

    def _card(self, text: str) -> CardFields:
        return read_card(text, self._session.settings().card_template)

    def _add(self, there: Entry) -> Changes:
        """Add an event or fact from an entry written by hand; nothing if it has no text."""
        if not there.content.strip():
            return self._nothing()
        last = max(0, self._store.messages.count(self._branch_id) - 1)
        card = self._card(there.content)
        data = PlotExtraction(
            summary=card.summary or there.content.strip(),
            keywords=_plain_keys(there) or card.keywords,
            timestamp=card.timestamp,
            location=card.location,
            details=card.details,
            kind="fact" if there.is_constant else "event",
        )
        renderer = renderer_of(self._session, self._store, data.summary)
        span = SourceRange(last, last)
        pk, changes = curate.add_event(self._store, data, span, renderer, self._branch_id)
        return changes if there.is_constant else changes | self._archive(pk, archived=True)

    def _archive(self, pk: int, *, archived: bool) -> Changes:
        return curate.set_archived(self._store, _HERE, [pk], self._caps, archived=archived)

    def _take_entity(self, row: int, here: Entry, there: Entry | None) -> Changes:
        """Update an entity's profile from the lines that are no relations; hide it if removed."""
        ids = {number: entity_id for entity_id, number in self._store.entities.keys().items()}
        entity_id = ids.get(row)
        if entity_id is None:
            return self._nothing()
        if there is None or not there.content.strip():
            return graph_service.update_entity(self._store, entity_id, hidden=True)
        (entity,) = self._store.entities.fetch([entity_id], self._branch_id)
        described = set(entity.description.splitlines())
        facts = [line for line in here.content.splitlines()[1:] if line not in described]
        lines = there.content.strip().splitlines()
        is_headed = lines[0].strip() == here.content.splitlines()[0].strip()
        body = [line for line in lines[is_headed:] if line not in facts]
        text = "\n".join(body).strip()
        if text == entity.description.strip():
            return self._nothing()
        try:
            profile = yaml_to_profile(text)
        except BadProfile:
            profile = {NOTE: text}
        return graph_service.update_entity(self._store, entity_id, profile=profile)

    def _nothing(self) -> Changes:
        return Changes(chat_id=self._store.chat_id)


def _plain_keys(entry: Entry) -> tuple[str, ...]:
    return tuple(key for key in entry.keys if key not in SUMMARY_KEYS)


_T = QT_TRANSLATE_NOOP


def plan_merge(session: Session, ctx: JobContext, file: Path) -> MergePlan:
    """Compare a kept file with the memory. Raises NotFound, InputError. Writes nothing."""
    row = session.library.kept.find(file)
    path = Path(row.path)
    try:
        worldbook = read_worldbook(path)
    except OSError as e:
        raise Unreadable(e.strerror or str(e), path=path) from e
    store = session.chat(row.chat_id)
    of_memory = memory_worldbook(ctx, store, session.library.chat_name(row.chat_id), row.branch_id)
    ctx.check()
    here = {
        entry.uid: entry for entry in of_memory.as_worldbook(ctx).entries if not is_frame(entry.uid)
    }
    there = {e.uid: e for e in worldbook.parsed.worldbook.entries if not is_frame(e.uid)}
    entries = tuple(changes_between(here, there, _marks(worldbook, path.name)))
    return MergePlan(row.path, row.chat_id, row.branch_id, digest(worldbook.original), entries)


def merge(
    session: Session, ctx: JobContext, plan: MergePlan, choices: Mapping[Uid, Side]
) -> MergeReport:
    """Apply the chosen entries to the memory, and write the file from it.

    Entries that ``choices`` does not name are handled as suggested. Raises Conflict if the file was
    changed since.
    """
    row = session.library.kept.find(Path(plan.path))
    if hash_of(Path(plan.path)) != plan.file_hash:
        raise Conflict(Phrase(_T("reports", "the file was changed again; compare it once more")))
    taken = [e for e in plan.entries if choices.get(e.uid, e.suggested) == "there"]
    changes = _take(session, ctx, plan, taken) if taken else Changes(chat_id=plan.chat_id)
    known = replace(row, hash=plan.file_hash, next_hash="")
    report = worldbook_service.sync(session.library, ctx, known, is_asked=True)
    return MergeReport(report.worldbook, len(taken), len(plan.entries) - len(taken), changes)


def _take(session: Session, ctx: JobContext, plan: MergePlan, entries: list[MergeEntry]) -> Changes:
    store = session.chat(plan.chat_id)
    label = StepLabel(MERGE_WORLDBOOK, {"count": len(entries), "file": Path(plan.path).name})
    taker = EntryTaker(session, store, plan.branch_id)

    def unit() -> Changes:
        changes = Changes(chat_id=plan.chat_id)
        with store.step(label):
            for entry in entries:
                changes = changes | taker.take(entry)
        return replace(changes, undo_label=label)

    return ctx.write(unit)


def _marks(worldbook: WorldbookFile, file: str) -> dict[str, str]:
    """Return the marks of the entries as written, by uid; {} for a file without marks."""
    value = table_of(read_json(decode(worldbook.content, file)[0], file))
    marks = table_of(table_of(table_of(value.get("extensions")).get(MARKED)).get("entries"))
    return {uid: mark for uid, mark in marks.items() if isinstance(mark, str)}
