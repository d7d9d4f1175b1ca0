"""Check a library (检查资料库), rebuild what can be derived from its messages, export memories."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engram_desktop.domain.errors import KnownError, StorageError
from engram_desktop.domain.memory.event import EventNode, EventQuery, event_fields
from engram_desktop.domain.memory.line import MAIN_BRANCH
from engram_desktop.domain.memory.scope import Actor, is_ordinary
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.domain.reports import CheckResult, ExportForm, IndexHealth
from engram_desktop.domain.settings import Settings
from engram_desktop.formats.volume_file import read_volume
from engram_desktop.jobs.context import JobContext
from engram_desktop.llm.embedding.local_embedder import Embedder
from engram_desktop.services.adopt import engram_file
from engram_desktop.services.chats.stopped_imports import stopped_imports
from engram_desktop.services.graph.pictures import graph_data
from engram_desktop.services.library.whole_file import document, write_new_parts
from engram_desktop.services.prompts.prompts import Language
from engram_desktop.services.recall.index import is_changing, rebuild, uses_chroma
from engram_desktop.services.worldbooks.memory_worldbook import (
    card_of,
    chat_language,
    write_memory_worldbook,
)
from engram_desktop.storage.care import schema_check
from engram_desktop.storage.care.backup import check_database, sweep
from engram_desktop.storage.care.migrations import CHAT, LIBRARY
from engram_desktop.storage.chat.chat_store import ChatStore
from engram_desktop.storage.chat.recall.index import IndexUnavailable
from engram_desktop.storage.library.library import Library

if TYPE_CHECKING:
    from engram_desktop.storage.care.migrations import Migration
    from engram_desktop.storage.database import Database


_T = QT_TRANSLATE_NOOP
_UNFINISHED = _T("reports", "a backup that was interrupted; what there was of it was deleted")
_EMPTY = _T("reports", "there is nothing in this chat, as after an import that was interrupted")
_WHOLE = _T("reports", "the database is whole")
_FOREIGN = _T("reports", "it holds what Engram does not make, or lacks what it makes: {names}")
_INDEXED = _T("reports", "every memory is indexed")
_FAULTY = _T("reports", "{count} memories are not indexed as they are")
_NO_VECTOR = _T("reports", "there is no vector yet")
_HOLDS = _T("reports", "the vector index holds all {count} vectors")
_COMPARED = _T("reports", "all {count} vectors are there and are searched in memory")
_UNUSABLE = _T("reports", "the vector index cannot be used: {why}")
_CHANGING = _T("reports", "the change to the model {model} is at {share} %")
_DIFFERS = _T("reports", "the vector index differs from the vectors")


def doctor(
    library: Library, ctx: JobContext, embedder: Embedder, settings: Settings, *, repair: bool
) -> list[CheckResult]:
    """Check every database, every memory item and every vector index; with ``repair`` mend them.

    The result includes what was mended when the library was opened.
    """
    findings = [_check_file(library.folder / "library.db", "library.db")]
    findings += _check_schema(library.database, LIBRARY, "library.db", repair=repair)
    findings += library.repaired
    with library.copying:
        unfinished = sweep(library.folder / "backups")
    findings += [
        CheckResult(name, Phrase(_UNFINISHED), is_ok=False, repaired=True) for name in unfinished
    ]
    rows = library.chat_rows()
    for number, (chat_id, name, _source, _updated) in enumerate(rows):
        ctx.report(number, len(rows), name)
        finding, store = _open(library, chat_id, name)
        findings.append(finding)
        if store is not None:
            if _is_empty(store):
                findings.append(CheckResult(name, Phrase(_EMPTY), is_ok=False, repaired=repair))
                if repair:
                    library.delete_chat(chat_id)
                continue
            findings += _check_schema(store.database, CHAT, name, repair=repair)
            findings += _check_items(store, name, repair=repair)
            if repair:  # claims are read again from the messages when they are needed
                with store.database.writing():
                    store.claims.drop_deleted()
            findings += _check_index(store, ctx, name, embedder, settings, repair=repair)
    findings += _check_imports(library, repair=repair)
    findings += _check_volumes(library)
    return findings + library.adopt_strays(repair=repair)


def _check_imports(library: Library, *, repair: bool) -> list[CheckResult]:
    """Report stopped imports. ``repair`` forgets them; the messages that were imported stay."""
    findings = []
    for stopped in stopped_imports(library):
        findings.append(
            CheckResult(stopped.file.name, stopped.phrase, is_ok=False, repaired=repair)
        )
        if repair:
            library.begun.forget(stopped.file)
    return findings


def _check_volumes(library: Library) -> list[CheckResult]:
    """Report volumes that cannot be read: chats go on without them."""
    findings = []
    for volume in library.volumes.all():
        try:
            read_volume(library.volumes.content(volume.id), volume.title)
        except KnownError as e:  # also a deleted volume that a chat still uses
            findings.append(CheckResult(volume.title, e.phrase, is_ok=False))
    return findings


def stats(
    store: ChatStore, name: str, index: IndexHealth, branch_id: str = MAIN_BRANCH
) -> dict[str, Any]:
    """Return counts, sizes, index health and tokens spent of one chat."""
    counts = store.events.counts(branch_id)
    data = store.folder / "memory.db"
    folder = store.folder / "index"
    sizes = [f.stat().st_size for f in folder.rglob("*") if f.is_file()] if folder.exists() else []
    return {
        "chat_id": store.chat_id,
        "name": name,
        "messages": store.messages.count(branch_id),
        "events": counts.total,
        "buffer": counts.buffer,
        "archived": counts.archived,
        "outlines": counts.outlines,
        "stale": counts.stale,
        "entities": store.entities.count(branch_id),
        "items": index.items,
        "embedded": index.embedded,
        "index": index.state,
        "database_bytes": data.stat().st_size,
        "index_bytes": sum(sizes),
        "tokens": store.ledger.totals(),
    }


def _open(library: Library, chat_id: str, name: str) -> tuple[CheckResult, ChatStore | None]:
    finding = _check_file(library.folder / "chats" / chat_id / "memory.db", name)
    if not finding.is_ok:
        return finding, None
    try:
        return finding, library.chat(chat_id)
    except StorageError as e:  # an empty file is a valid one
        return CheckResult(name, e.phrase, is_ok=False), None


def _check_file(path: Path, name: str) -> CheckResult:
    try:
        check_database(path, thorough=True)
    except KnownError as e:
        return CheckResult(name, e.phrase, is_ok=False)
    return CheckResult(name, Phrase(_WHOLE), is_ok=True)


def _check_schema(
    database: Database, migrations: Sequence[Migration], name: str, *, repair: bool
) -> list[CheckResult]:
    """Report schema objects that no migration made, such as a trigger; ``repair`` drops them."""
    try:
        faults = schema_check.check_schema(database, migrations, repair=repair)
    except StorageError as e:
        return [CheckResult(name, e.phrase, is_ok=False)]
    if not faults:
        return []
    phrase = Phrase(_FOREIGN, names=faults.names)
    return [CheckResult(name, phrase, is_ok=False, repaired=repair)]


def _is_empty(store: ChatStore) -> bool:
    """Return whether a chat never held anything; deleted messages and events count as something."""
    return not store.database.value(
        "SELECT EXISTS (SELECT 1 FROM message) OR EXISTS (SELECT 1 FROM event)"
        " OR EXISTS (SELECT 1 FROM entity) OR EXISTS (SELECT 1 FROM private_log)"
        " OR EXISTS (SELECT 1 FROM undo_step)"
    )


def _check_items(store: ChatStore, name: str, *, repair: bool) -> list[CheckResult]:
    """Check that every event has its item, and that every item has its event or message."""
    faults = repair_items(store, repair=repair)
    if not faults:
        return [CheckResult(name, Phrase(_INDEXED), is_ok=True)]
    return [CheckResult(name, Phrase(_FAULTY, count=faults), is_ok=False, repaired=repair)]


class _OnlyLooked(Exception):
    """Raised in `repair_items` to roll back when faults are only counted."""


def repair_items(store: ChatStore, *, repair: bool) -> int:
    """Rebuild wrong items and wrong marks of embedded events; returns how many were wrong.

    Without ``repair`` the transaction is rolled back and only the number is returned.
    """
    faults = 0
    with contextlib.suppress(_OnlyLooked), store.database.writing():
        faults = store.items.faults()
        if faults:
            store.items.rebuild_faulty()
        faults += store.events.embedded.correct_all()
        before = _entity_items(store)
        refs = {str(ref) for ref, *_rest in before}  # also of entities that are merged or hidden
        store.entities.refresh_items(refs.union(e.id for e in store.entities.census()))
        after = _entity_items(store)
        faults += len({row[:2] for row in before ^ after})
        if not repair:
            raise _OnlyLooked
    return faults


def _entity_items(store: ChatStore) -> set[tuple[object, ...]]:
    return set(
        store.database.rows(
            "SELECT ref, branch_id, content_hash, start_index, end_index FROM memory_item"
            " WHERE kind = 'entity'"
        )
    )


def _check_index(
    store: ChatStore,
    ctx: JobContext,
    name: str,
    embedder: Embedder,
    settings: Settings,
    *,
    repair: bool,
) -> list[CheckResult]:
    server = settings.index_server
    index = store.index(embedder.model_id, server)
    ids = store.vectors.all_ids(embedder.model_id)
    if is_changing(store, embedder.model_id):
        share = 100 * len(ids) // max(1, store.items.count())
        progress = Phrase(_CHANGING, model=embedder.model_id, share=share)
        if repair:
            rebuild(store, ctx, embedder, settings)
        return [CheckResult(name, progress, is_ok=False, repaired=repair)]
    if not ids:
        return [CheckResult(name, Phrase(_NO_VECTOR), is_ok=True)]
    if not uses_chroma(settings.index_backend, server, store.items.count()):
        return [CheckResult(name, Phrase(_COMPARED, count=len(ids)), is_ok=True)]
    try:
        index.sync(ctx)
        if sorted(index.ids()) == ids:
            return [CheckResult(name, Phrase(_HOLDS, count=len(ids)), is_ok=True)]
        if repair:
            index.drop()
            index.sync(ctx)
    except IndexUnavailable as e:
        return [CheckResult(name, Phrase(_UNUSABLE, why=e), is_ok=False)]
    return [CheckResult(name, Phrase(_DIFFERS), is_ok=False, repaired=repair)]


_LAMPS: dict[Language, dict[str, str]] = {
    "zh": {"outline": "大纲", "buffer": "缓冲", "archived": "归档"},
    "en": {"outline": "outline", "buffer": "buffer", "archived": "archived"},
}
_PAGE = 200  # events read at once: all 100,000 of a long chat took 2.1 GB


def _event_pages(
    ctx: JobContext, store: ChatStore, branch_id: str, actors: Sequence[Actor]
) -> Iterator[list[EventNode]]:
    """Yield the events of a branch in story order, page by page. Raises Cancelled."""
    pks = store.events.find(EventQuery(branch_id=branch_id, actors=tuple(actors)))
    for start in range(0, len(pks), _PAGE):
        ctx.report(start, len(pks), "export")
        page = pks[start : start + _PAGE]
        events = store.events.fetch(page)
        yield [events[pk] for pk in page if pk in events]


def export(
    ctx: JobContext,
    store: ChatStore,
    name: str,
    target: Path,
    form: ExportForm,
    branch_id: str = MAIN_BRANCH,
    actors: Sequence[Actor] = (),
) -> int:
    """Write memory to the new file ``target``; returns how many events or entries it holds.

    Raises InputError if the file exists. With ``actors``, only what all of them know is written.
    """
    if form == "worldbook":
        return write_memory_worldbook(ctx, store, name, target, branch_id, actors=actors)
    count = 0

    def exported() -> Iterator[EventNode]:
        nonlocal count
        for page in _event_pages(ctx, store, branch_id, actors):
            for event in page:
                if form != "engram" or is_ordinary(event.scope, event.condition):
                    count += 1
                    yield event

    events = exported()
    match form:
        case "markdown":
            parts = _markdown(name, events, chat_language(store, branch_id))
        case "engram":
            parts = engram_file(store, events, branch_id, actors)
        case _:
            parts = _json(store, name, events, branch_id, actors)
    write_new_parts(target, (part.encode("utf-8", "replace") for part in parts))
    return count


def _markdown(name: str, events: Iterator[EventNode], language: Language) -> Iterator[str]:
    yield f"# {name}"
    for event in events:
        source = event.source_range
        lamp = _LAMPS[language]["outline" if event.level else event.status]
        title = f"## {source.start_index}–{source.end_index} · {lamp}"
        yield f"\n\n{title}\n\n{card_of(event, language)}"
    yield "\n"


def _json(
    store: ChatStore,
    name: str,
    events: Iterator[EventNode],
    branch_id: str,
    actors: Sequence[Actor],
) -> Iterator[str]:
    graph = graph_data(store, branch_id, actors)
    notes = [] if actors else [note.to_json() for note in store.private_notes.all()]
    yield from document(
        {
            "format": "engram",
            "version": 1,
            "chat": {"chat_id": store.chat_id, "name": name},
            "events": map(event_fields, events),
            "entities": iter(graph["nodes"]),
            "relations": iter(graph["links"]),
            **({"private_notes": iter(notes)} if notes else {}),
        }
    )
    yield "\n"
