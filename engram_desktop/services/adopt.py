"""Memories of other memory tools: find them in chats and files, import and refresh them."""

from __future__ import annotations

import contextlib
import hashlib
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

from engram_desktop.domain.changes import ADOPT, Changes, StepLabel
from engram_desktop.domain.errors import InputError
from engram_desktop.domain.graph.entity import EntityNode
from engram_desktop.domain.memory.event import EventNode, EventQuery, SourceRange
from engram_desktop.domain.memory.extraction import PlotExtraction, StructuredKv
from engram_desktop.domain.memory.line import Line, new_id
from engram_desktop.domain.memory.scope import Actor, ScopeState
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.domain.pipeline.prompt_template import StoryRenderer
from engram_desktop.domain.reports import FileWarning, ImportPreview, ImportReport
from engram_desktop.domain.tavern.adopted import (
    Adopted,
    AdoptPlan,
    AdoptReport,
    OnOlder,
    by_tool,
    tool_of,
)
from engram_desktop.domain.values import dataclass
from engram_desktop.formats import foreign_memories
from engram_desktop.formats.json_values import row_of, table_of
from engram_desktop.formats.tavern.folder import NoTavern, find_handles
from engram_desktop.jobs.context import JobContext
from engram_desktop.services.events.blocks import make_event, renderer_of
from engram_desktop.services.library.whole_file import document
from engram_desktop.services.state import begins_with
from engram_desktop.storage.chat.chat_store import ChatStore
from engram_desktop.storage.library.library import Library

if TYPE_CHECKING:
    from engram_desktop.domain.tavern.folder import SyncReport
    from engram_desktop.services.library.session import Session
    from engram_desktop.services.state import StateService
    from engram_desktop.services.worldbooks.worldbook_service import WorldbookService


BATCH = 500  # messages read at once, so that a job can be cancelled in between
_MARKS = (
    '"qvink_memory"',
    '"horae_meta"',
    '"memory"',
    '"stat_data"',
    '"TavernDB_ACU_',
    '"hash_sheets"',
    '"dataTable"',
)


def find_memories(
    store: ChatStore,
    ctx: JobContext,
    branch_id: str,
    files: Sequence[Path] = (),
    initial: Callable[[], Iterable[str]] = tuple,
    first: int = 0,
) -> list[Adopted]:
    """Return the memories other tools left on a line, from floor ``first`` on, and in ``files``.

    Reads the messages, the header of the chat's file and ``files``. Of a state, or of a summary of
    the whole chat, only the newest one is returned. ``initial`` yields the texts of worldbooks that
    give the state at the start of the story. Raises InputError.
    """
    in_messages = _MessageMemories(_metadata(store, branch_id))
    for floor, row in _rows(store, ctx, branch_id, first):
        in_messages.take(row, floor)
    last = max(0, store.messages.count(branch_id) - 1)
    memories = [*in_messages.noted, *in_messages.rolling(), *_in_header(in_messages.metadata, last)]
    memories += in_messages.state() or foreign_memories.mvu_memories_of(
        begins_with(store, branch_id, initial), 0
    )
    for file in files:
        ctx.check()
        memories += read_handed(file)
    return memories


def read_handed(file: Path) -> list[Adopted]:
    """Return the memories in a file that the user chose. Raises NoMemories, InputError."""
    return [replace(memory, is_handed=True) for memory in foreign_memories.read_file(file)]


def sources_of(library: Library, store: ChatStore, branch_id: str) -> frozenset[str]:
    """Return names, without suffix, of the chat files a line and its ancestors were read from."""
    main = {chat_id: source for chat_id, _name, source, _at in library.chat_rows()}
    path = {branch for branch, _highest in store.branches.path(branch_id)}
    sources = [main.get(store.chat_id, "")]
    sources += [source for branch, *_rest, source in store.branches.rows() if branch in path]
    return frozenset(PurePath(source).stem for source in sources if source)


def in_worldbook(content: bytes, name: str, chats: Collection[str]) -> list[Adopted]:
    """Return the memories in a worldbook that name one of these chats, or name no chat."""
    if foreign_memories.MEMORYBOOKS_MARK not in content:
        return []
    worldbook = row_of(content.decode("utf-8", "replace"))
    return [
        replace(one, place=name)
        for one in foreign_memories.memorybooks_of_worldbook(worldbook, chats)
    ]


def in_folder(folder: Path, chats: Collection[str]) -> list[Adopted]:
    """Return these chats' memories that the Engram extension synced into a SillyTavern folder."""
    memories: list[Adopted] = []
    try:
        handles = find_handles(folder)
    except NoTavern:  # such as a drive that is not mounted
        return memories
    for handle in handles:
        for chat in sorted(chats):
            file = handle / "user" / "files" / f"Engram_sync_{chat}.json"
            if file.is_file() and not file.is_symlink():
                with contextlib.suppress(InputError):  # the user did not choose this file: skip it
                    memories += foreign_memories.read_file(file)
    return memories


class _MessageMemories:
    """Collects memories noted on messages; a newer summary or table replaces the older one."""

    def __init__(self, metadata: dict[str, Any]) -> None:
        self.metadata = metadata
        self.noted: list[Adopted] = []
        self._summary: Adopted | None = None
        self._sheets: dict[str, list[Adopted]] = {}
        self._tables: list[Adopted] = []
        self._state: tuple[dict[str, Any], int] = ({}, 0)

    def take(self, row: dict[str, Any], floor: int) -> None:
        memory = foreign_memories.qvink_of_message(row, floor)
        self.noted += [memory] if memory else []
        self.noted += foreign_memories.horae_of_message(row, floor)
        self._summary = foreign_memories.summarize_of_message(row, floor) or self._summary
        self._sheets |= foreign_memories.acu_in(row, floor)
        noted_tables = foreign_memories.enhancement_in(row, self.metadata, floor)
        self._tables = self._tables if noted_tables is None else noted_tables
        state = foreign_memories.mvu_state_in(row)
        self._state = (state, floor) if state else self._state

    def rolling(self) -> Iterator[Adopted]:
        if self._summary is not None:
            yield self._summary
        for sheet in self._sheets.values():
            yield from sheet
        yield from self._tables

    def state(self) -> list[Adopted]:
        return list(foreign_memories.mvu_memories_of(*self._state))


def _in_header(metadata: dict[str, Any], last: int) -> Iterator[Adopted]:
    yield from foreign_memories.openvault_of_metadata(metadata, last)
    yield from foreign_memories.timeline_of_metadata(metadata)


def _metadata(store: ChatStore, branch_id: str) -> dict[str, Any]:
    return table_of(row_of(store.branches.header(branch_id)).get("chat_metadata"))


def _rows(
    store: ChatStore, ctx: JobContext, branch_id: str, first: int
) -> Iterator[tuple[int, dict[str, Any]]]:
    count = store.messages.count(branch_id)
    for start in range(first, count, BATCH):
        ctx.report(start, count, "adopt")
        parts = store.messages.as_parsed(branch_id, start, min(count, start + BATCH) - 1)
        for floor, message in enumerate(parts, start):
            if any(mark in message.raw for mark in _MARKS):
                yield floor, row_of(message.raw)


LOOKED_AT = 200  # messages read back at least: a state is written with every reply, or not at all


@dataclass(frozen=True, slots=True)
class _Work:
    """What an import would do: memories to add, memories known already, keys of outdated events.

    ``ids`` are the event ids of ``new``, in its order. ``older`` are memories of chosen files that
    reach less far into the story than the events imported from the same place.
    """

    new: Sequence[Adopted]
    known: Sequence[Adopted]
    outdated: Sequence[int]
    ids: Sequence[str]
    older: Sequence[Adopted]


def plan(store: ChatStore, branch_id: str, memories: Sequence[Adopted]) -> AdoptPlan:
    """Return what importing ``memories`` would do. Writes nothing."""
    work = _look(store, branch_id, memories)
    return AdoptPlan(tuple(work.new), tuple(work.known), len(work.outdated), tuple(work.older))


def adopt(
    store: ChatStore,
    ctx: JobContext,
    branch_id: str,
    memories: Sequence[Adopted],
    renderer: StoryRenderer,
    on_older: OnOlder = "skip",
) -> AdoptReport:
    """Import ``memories`` as one undoable step; known ones are skipped, outdated ones deleted.

    The events are marked as imported and name their origin. An event id is a hash of tool and text,
    so a second run adds nothing, not even what the user deleted since. Events are not replaced by
    those of an older file unless ``on_older`` says so.
    """
    work = _look(store, branch_id, memories, on_older)
    empty = AdoptReport(by_tool(memories), 0, len(work.known), older=len(work.older))
    if not work.new and not work.outdated:
        return empty
    last = store.messages.count(branch_id) - 1
    new = [
        replace(_event(one, branch_id, last, store.clock(), renderer), id=event_id)
        for one, event_id in zip(work.new, work.ids, strict=True)
    ]
    label = StepLabel(ADOPT, {"count": len(new)})

    def unit() -> list[int]:
        with store.step(label):
            deleted = store.events.delete(work.outdated, store.clock())
            store.entities.refresh_items(store.entities.of_events(deleted))
            store.adopted.note({o.origin for o in work.new}, {o.origin for o in work.known})
            return [*deleted, *store.events.add(new, store.clock())]

    pks = ctx.write(unit)
    changes = Changes(
        chat_id=store.chat_id,
        events=frozenset(pks),
        rows=True,
        counts=True,
        graph=bool(work.outdated),
        undo_label=label,
    )
    return replace(empty, added=len(new), replaced=len(work.outdated), changes=changes)


def renew(
    store: ChatStore, ctx: JobContext, branch_id: str, read_from: int, renderer: StoryRenderer
) -> AdoptReport:
    """Import again, after a sync, from the tools that this line has imported memories of.

    Messages are read from floor ``read_from`` on. Memories the user left out stay out.
    """
    left_out = store.adopted.known()
    tools = {tool_of(origin) for origin, is_left_out in left_out.items() if not is_left_out}
    if not tools:
        return AdoptReport()
    first = max(0, min(read_from, store.messages.count(branch_id) - LOOKED_AT))
    memories = find_memories(store, ctx, branch_id, first=first)
    again = [
        memory for memory in memories if memory.tool in tools and not left_out.get(memory.origin)
    ]
    return adopt(store, ctx, branch_id, again, renderer)


def _look(
    store: ChatStore, branch_id: str, found: Sequence[Adopted], on_older: OnOlder = "skip"
) -> _Work:
    events = store.events.fetch(store.events.find(EventQuery(branch_id=branch_id))).values()
    older = [] if on_older == "replace" else _older(store, branch_id, found, events)
    left_out_objects = {id(memory) for memory in older}
    memories = [memory for memory in found if id(memory) not in left_out_objects]
    now = _Now(memories)
    outdated = {
        event.pk
        for event in events
        if event.branch_id == branch_id
        and event.confidence == "imported"
        and not event.is_locked
        and now.is_outdated(event)
    }
    texts = {_words(event.summary) for event in events if event.pk not in outdated}
    ids = {_id_of(memory): memory for memory in memories}
    ever = store.event_bin.ever([*ids, *(memory.ref for memory in memories if memory.ref)])
    left_out = {origin for origin, is_out in store.adopted.known().items() if is_out}
    new: dict[str, Adopted] = {}
    for event_id, memory in ids.items():
        is_told = memory.ref in ever or _words(memory.text) in texts
        # a rolling text may return to an earlier wording: only a deletion by the user keeps it out
        was_told = event_id in ever and (not memory.is_rolling or memory.origin in left_out)
        if not is_told and not was_told:
            new[new_id() if event_id in ever else event_id] = memory
    new_objects = {id(memory) for memory in new.values()}
    known_memories = [memory for memory in memories if id(memory) not in new_objects]
    return _Work(list(new.values()), known_memories, sorted(outdated), list(new), older)


def _older(
    store: ChatStore, branch_id: str, found: Sequence[Adopted], events: Collection[EventNode]
) -> list[Adopted]:
    """Return memories of chosen files that end before the events imported from the same place."""
    reached: dict[str, int] = {}
    for event in events:
        if event.confidence == "imported" and event.origin:
            end = max(event.source_range.end_index, reached.get(event.origin, 0))
            reached[event.origin] = end
    last = max(0, store.messages.count(branch_id) - 1)
    return [
        memory
        for memory in found
        if memory.is_handed
        and memory.is_rolling
        and min(memory.last, last) < reached.get(memory.origin, -1)
    ]


class _Now:
    """The memories found now, by their origin; a newer one replaces the older (see `Adopted`)."""

    def __init__(self, memories: Sequence[Adopted]) -> None:
        self._whole = {memory.tool for memory in memories if memory.is_rolling and memory.is_whole}
        self._rolling: dict[str, set[str]] = defaultdict(set)
        self._notes: dict[tuple[str, int], set[str]] = defaultdict(set)
        for memory in memories:
            if memory.is_rolling:
                self._rolling[memory.origin].add(_words(memory.text))
            elif memory.is_note:
                self._notes[memory.origin, memory.first].add(_words(memory.text))

    def is_outdated(self, event: EventNode) -> bool:
        """Return whether the place the event was read from holds another text now."""
        words = _words(event.summary)
        if event.origin in self._rolling:
            return event.is_stale or words not in self._rolling[event.origin]
        if event.origin and tool_of(event.origin) in self._whole:
            return True
        span = event.source_range
        texts = self._notes.get((event.origin, span.start_index))
        return texts is not None and span.start_index == span.end_index and words not in texts


def _event(
    memory: Adopted, branch_id: str, last: int, now: int, renderer: StoryRenderer
) -> EventNode:
    span = SourceRange(min(memory.first, max(0, last)), min(memory.last, max(0, last)))
    kv = StructuredKv(time_anchor=memory.when, role=memory.who, location=memory.where)
    data = PlotExtraction(
        summary=memory.text,
        keywords=memory.keywords,
        timestamp=memory.when,
        location=memory.where,
        entities=memory.entities,
        relations=memory.relations,
        structured_kv=kv,
        significance_score=memory.weight,
        kind=memory.kind,
    )
    event = make_event(data, span, now, "imported", renderer, branch_id)
    return replace(event, level=memory.level, origin=memory.origin)


def _id_of(memory: Adopted) -> str:
    """Return an event id: a hash of tool and text; for a rolling fact also of its floor."""
    content = f"{memory.tool}\x00{memory.text}"
    if memory.is_rolling and memory.kind == "fact":
        content += f"\x00{memory.last}"
    return hashlib.blake2b(content.encode(), digest_size=16).hexdigest()


def _words(text: str) -> str:
    return " ".join(text.split())


_EVERY = 1_000_000  # a limit that no chat reaches


def engram_file(
    store: ChatStore, events: Iterator[EventNode], branch_id: str, actors: Sequence[Actor]
) -> Iterator[str]:
    """Yield, in pieces, the JSON text of a sync file of the Engram extension for SillyTavern.

    The file is ``{entities, events, meta}``; field names are those of its EventNode, EntityNode and
    ScopeState (design notes 000 and 001). It has no access rules between characters: ``events``
    must be those everybody may know. With ``actors``, entities are written as all of them know
    them.
    """
    entities = store.known_graph(branch_id, actors).known(
        store.entities.find("", _EVERY, branch_id)
    )
    return document(
        {
            "entities": map(_entity, entities),
            "events": map(_event_of_file, events),
            "meta": _meta(store.accounted_state(branch_id), store.clock()),
        }
    )


def _event_of_file(event: EventNode) -> dict[str, Any]:
    span = event.source_range
    row: dict[str, Any] = {
        "id": event.id,
        "type": "event_node",
        "status": event.status,
        "summary": event.summary,
        "structured_kv": event.structured_kv.to_json(),
        "raw_data": event.raw_data.to_json(),
        "display_text": event.display_text,
        "is_embedded": False,  # vectors are not exported: the extension makes its own
        "is_archived": event.is_archived,
        "level": event.level,
        "source_range": {"start_index": span.start_index, "end_index": span.end_index},
        "significance_score": event.significance_score,
        "timestamp": event.timestamp,
    }
    return row | ({"parent_id": event.parent_id} if event.parent_id else {})


def _entity(entity: EntityNode) -> dict[str, Any]:
    row: dict[str, Any] = {
        "id": entity.id,
        "name": entity.name,
        "type": entity.type,
        "aliases": list(entity.aliases),
        "description": entity.description,
        "profile": entity.profile,
        "last_updated_at": entity.last_updated_at,
    }
    if entity.layout_x is not None and entity.layout_y is not None:
        row |= {"layout_x": entity.layout_x, "layout_y": entity.layout_y}
    return row


def _meta(state: ScopeState, now: int) -> dict[str, Any]:
    return {
        "last_summarized_floor": state.last_summarized_floor,
        "token_usage_accumulated": state.token_usage_accumulated,
        "last_compressed_at": state.last_compressed_at,
        "active_summary_order": state.active_summary_order,
        "last_extracted_floor": state.last_extracted_floor,
        "lastModified": now,
    }


KIND = "memories"
_HOLDS = QT_TRANSLATE_NOOP(
    "reports",
    "It also holds {count} memories of another tool. They can be taken over into the chat.",
)
_OLDER = QT_TRANSLATE_NOOP(
    "reports", "{count} memories were left out: what is here from the same place is newer."
)


class ChatNotNamed(InputError):
    """``file`` holds memories, but no chat was named for them."""

    text = QT_TRANSLATE_NOOP("errors", "{file} holds memories of a chat, and no chat.")
    hint = QT_TRANSLATE_NOOP(
        "errors", "Open the chat they are of, then choose “Take over memories…” there."
    )
    command_hint = "Say which chat they are of: --into CHAT."


class AdoptService:
    """The memories of other tools. Their files are never written."""

    def __init__(self, session: Session, worldbooks: WorldbookService, state: StateService) -> None:
        self._session = session
        self._worldbooks = worldbooks
        self._state = state

    def find(self, ctx: JobContext, line: Line, files: Sequence[Path] = ()) -> list[Adopted]:
        """Return other tools' memories in a chat, its worldbooks and its SillyTavern folder.

        Also those in ``files``. Raises InputError.
        """
        store = self._session.chat(line.chat_id)
        memories = find_memories(
            store, ctx, line.branch_id, files, lambda: self._state.initial(line.chat_id)
        )
        chats = sources_of(self._session.library, store, line.branch_id)
        for row in self._worldbooks.of_chat(Line.main(line.chat_id)):
            memories += in_worldbook(self._worldbooks.content(row.id), row.name, chats)
        folder = self._session.settings().tavern_folder
        return [*memories, *(in_folder(Path(folder), chats) if folder else ())]

    def plan(self, line: Line, memories: Sequence[Adopted]) -> AdoptPlan:
        """Return what importing these memories would do. Writes nothing."""
        return plan(self._session.chat(line.chat_id), line.branch_id, memories)

    def take_over(
        self, ctx: JobContext, line: Line, memories: Sequence[Adopted], on_older: OnOlder = "skip"
    ) -> AdoptReport:
        """Import memories of other tools as events; a second run adds nothing.

        ``on_older`` says whether memories of a file that reach less far than the events imported
        from the same place replace them; by default they are left out.
        """
        store = self._session.chat(line.chat_id)
        renderer = renderer_of(self._session, store)
        return adopt(store, ctx, line.branch_id, memories, renderer, on_older)

    def renew(self, ctx: JobContext, reports: Collection[SyncReport]) -> list[Changes]:
        """Import again, in chats that were just synced, from the tools imported there before.

        One undoable step a chat. Events that the user deleted, locked or edited stay as they are.
        """
        changes = []
        for report in reports:
            if report.chat_id and (report.happened or report.is_noted):
                store = self._session.chat(report.chat_id)
                renderer = renderer_of(self._session, store)
                adopted = renew(store, ctx, report.branch_id, report.read_from, renderer)
                changes += [adopted.changes] if adopted.changes.events else []
        return changes

    def preview_file(self, path: Path) -> ImportPreview:
        """Return which memories a file holds. Raises InputError."""
        memories = foreign_memories.read_file(path)
        return ImportPreview(
            file=str(path),
            kind=KIND,
            name=path.stem,
            characters=tuple(by_tool(memories)),
            messages=0,
            hidden=0,
            swipes=0,
            first_at=None,
            last_at=None,
            sample=tuple((memory.tool, memory.text[:200]) for memory in memories[:3]),
            chat_id=None,
            chat_name=None,
            new_messages=0,
            entries=len(memories),
        )

    def holds_memories(self, path: Path) -> bool:
        """Return whether a worldbook holds memories of MemoryBooks. Raises InputError."""
        try:
            return bool(foreign_memories.read_file(path))
        except foreign_memories.NoMemories:
            return False

    def import_file(self, ctx: JobContext, path: Path, chat_id: str | None) -> ImportReport:
        """Import the memories of a file into a chat. Raises ChatNotNamed if no chat is named."""
        memories = read_handed(path)
        if chat_id is None:
            raise ChatNotNamed(file=path.name)
        adopted = self.take_over(ctx, Line.main(chat_id), memories)
        return ImportReport(
            file=str(path),
            kind=KIND,
            chat_id=chat_id,
            messages=0,
            added=adopted.added,
            skipped=adopted.skipped + adopted.older,
            warnings=_older_note(adopted),
            changes=adopted.changes,
        )

    def with_memories(
        self, ctx: JobContext, path: Path, report: ImportReport, chat_id: str | None
    ) -> ImportReport:
        """Add to a report that the chat brings memories; import them if the user named the chat."""
        try:
            memories = read_handed(path)
        except foreign_memories.NoMemories:
            return report
        if chat_id is None or report.chat_id is None or report.also:
            note = FileWarning(0, Phrase(_HOLDS, count=len(memories)))
            return replace(report, warnings=(*report.warnings, note), offered=len(memories))
        adopted = self.take_over(ctx, Line.main(report.chat_id), memories)
        return replace(
            report,
            memories=adopted.added,
            warnings=(*report.warnings, *_older_note(adopted)),
            changes=report.changes | adopted.changes,
        )


def _older_note(report: AdoptReport) -> tuple[FileWarning, ...]:
    if not report.older:
        return ()
    return (FileWarning(0, Phrase(_OLDER, count=report.older)),)
