"""The database of one chat, with all stores that read and write it.

Also the `Changes` of an undo or redo, worked out from the rows and columns it touched.
"""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engram_desktop.domain.changes import Changes, StepLabel
from engram_desktop.domain.chats import EditScript
from engram_desktop.domain.graph.entity import EntityNode, Relation, norm_name
from engram_desktop.domain.memory.event import EventNode
from engram_desktop.domain.memory.line import MAIN_BRANCH
from engram_desktop.domain.memory.message import ParsedMessage
from engram_desktop.domain.memory.scope import Actor, ScopeState
from engram_desktop.storage.answers import Answers, ItemChanges
from engram_desktop.storage.care.migrations import CHAT, Claim, open_database
from engram_desktop.storage.chat.branches import BranchStore, StateOps, seen
from engram_desktop.storage.chat.branches import Path as BranchPath
from engram_desktop.storage.chat.claims import ClaimStore, PersonCounts
from engram_desktop.storage.chat.events import event_rows
from engram_desktop.storage.chat.events.event_rows import ApartPairs, EventBin
from engram_desktop.storage.chat.events.events import EventStore, OutlineStore
from engram_desktop.storage.chat.events.private_logs import AdoptedOrigins, PrivateLogStore
from engram_desktop.storage.chat.graph.entities import EntityStore
from engram_desktop.storage.chat.graph.entity_edits import (
    EntityEdits,
    EntityWrites,
    SuggestionStore,
)
from engram_desktop.storage.chat.graph.relations import RelationEdits
from engram_desktop.storage.chat.knowledge import (
    AudienceStore,
    KnowledgeSources,
    KnowledgeStore,
    PresenceStore,
    all_may_know,
)
from engram_desktop.storage.chat.messages import MessageStore, TurnNotes
from engram_desktop.storage.chat.pipeline import (
    DraftStore,
    FrozenStore,
    InboxAnswers,
    Ledger,
    ReflectionAnswers,
)
from engram_desktop.storage.chat.private_notes import PrivateNoteStore
from engram_desktop.storage.chat.recall import found, index, items, vectors
from engram_desktop.storage.chat.timeline import Rewritten, Timeline
from engram_desktop.storage.database import Database
from engram_desktop.storage.journal import Journal, Touched
from engram_desktop.storage.tables import ScopeStateRow, SummaryBlock

if TYPE_CHECKING:
    from engram_desktop.domain.memory.edits import SharedFields
    from engram_desktop.domain.memory.event import NamingEvent
    from engram_desktop.storage.chat.recall.found import FoundItems, LabStore
    from engram_desktop.storage.chat.recall.index import VectorIndex
    from engram_desktop.storage.chat.recall.items import ItemStore
    from engram_desktop.storage.chat.recall.vectors import VectorStore


def changes_of(chat_id: str, label: StepLabel, touched: Touched) -> Changes:
    """Return the changes of a step; the caller adds ids of events and entities."""
    came_or_went = touched.has_moved("event") or touched.has_updated("event", "is_deleted")
    return Changes(
        chat_id=chat_id,
        messages=bool(touched.of("message") or touched.of("turn_note")),
        logs=bool(touched.of("private_log")),
        rows=came_or_went,
        order=touched.has_updated("event", "start_index", "end_index", "order_key", "branch_id"),
        counts=came_or_went
        or touched.has_updated("event", "status", "level", "is_stale", "parent_id")
        or bool(touched.of("summary_block")),
        texts=touched.has_updated("event", "summary", "raw_data", "display_text", "kind", "scope"),
        trust=touched.has_updated("event", "confidence"),
        graph=came_or_went
        or touched.has_moved("entity", "entity_alias", "relation", "evidence", "suggestion"),
        branches=bool(touched.of("branch")),
        drafts=bool(touched.of("draft")),
        state=bool(touched.of("state_op") or touched.of("state_rule")),
        recall=bool(touched.of("lab_question")) or touched.has_updated("memory_item", "is_muted"),
        knowledge=bool(
            touched.of("presence_fix")
            or touched.of("knowledge_fix")
            or touched.of("kept_from")
            or touched.of("group_member")
            or touched.of("finding_answer")
            or touched.of("noted_thread")
        ),
        inbox=bool(touched.of("inbox_answer")),
        apart=bool(touched.of("event_apart")),
        notes=bool(touched.of("private_note")),
        undo_label=label,
    )


FILE_NAME = "memory.db"
INDEX_FOLDER = "index"


class ChatStore:
    """The memory of one chat. All its stores share its database and its journal."""

    def __init__(
        self,
        folder: Path,
        backups: Path,
        clock: Callable[[], int],
        *,
        create: bool = False,
        undo_steps: int = 200,
        read_only: bool = False,
        claim: Claim = contextlib.nullcontext,
    ) -> None:
        self.chat_id = folder.name
        self.folder = folder
        self.clock = clock
        self.database: Database = open_database(
            folder / FILE_NAME,
            CHAT,
            backups / self.chat_id,
            create=create,
            read_only=read_only,
            claim=claim,
        )
        self.journal = Journal(self.database, clock, undo_steps)
        self.branches = BranchStore(self.database)
        self.messages = MessageStore(self.database, self.branches)
        self.events = EventStore(self.database, self.branches)
        self.apart = ApartPairs(self.database)
        self.outlines = OutlineStore(self.database, self.events)
        self.event_bin = EventBin(self.database, self.branches, self.events)
        self._answers = Answers(self.database)
        self.entities = EntityStore(self.database, self.branches, self._answers)
        self.entity_writes = EntityWrites(self.database)
        self.timeline = Timeline(self.database, self.branches, self.messages, self.entities)
        self.suggestions = SuggestionStore(self.database, self.branches)
        self.relation_edits = RelationEdits(self.database)
        self.entity_edits = EntityEdits(self.database, self.suggestions)
        self.logs = PrivateLogStore(self.database, self.branches)
        self._items: ItemStore | None = None
        self.audiences = AudienceStore(self.database)
        self.presence = PresenceStore(self.database, self.audiences)
        self.knowledge = KnowledgeStore(self.database)
        self.knowledge_sources = KnowledgeSources(self.database, self.branches)
        self.state_ops = StateOps(self.database, self.branches)
        self.turn_notes = TurnNotes(self.database)
        self._vectors: VectorStore | None = None
        self._lock = threading.Lock()
        self.person_counts = PersonCounts(self.database)
        self.line_claims: dict[str, Any] = {}  # caches of services, by branch
        self.deriving = threading.Lock()  # held while knowledge is derived
        self.drafts = DraftStore(self.database)
        self.reflection_answers = ReflectionAnswers(self.database)
        self.ledger = Ledger(self.database)
        self.adopted = AdoptedOrigins(self.database)
        self.index_token: Callable[[], str] = str  # returns the token of a Chroma server
        self._index: VectorIndex | None = None
        if create:
            self._make_main_branch()

    @property
    def claims(self) -> ClaimStore:
        """Return the store of claims, and of the answers to findings."""
        return ClaimStore(self.database)

    @property
    def found(self) -> FoundItems:
        return found.FoundItems(self.database)

    @property
    def frozen(self) -> FrozenStore:
        return FrozenStore(self.database)

    @property
    def lab(self) -> LabStore:
        return found.LabStore(self.database)

    @property
    def inbox_answers(self) -> InboxAnswers:
        """Return the store of dismissed and postponed inbox items."""
        return InboxAnswers(self.database)

    @property
    def private_notes(self) -> PrivateNoteStore:
        """Return the store of private notes, which no model may see."""
        return PrivateNoteStore(self.database)

    @property
    def items(self) -> ItemStore:
        """Return the store of memory items.

        Made on first use: a list of chats needs no numpy (0.1 s).
        """
        with self._lock:
            if self._items is None:
                self._items = items.ItemStore(
                    self.database,
                    self.messages,
                    self.events,
                    self.logs,
                    ItemChanges(self.database),
                    self._answers,
                )
            return self._items

    @property
    def vectors(self) -> VectorStore:
        """Return the store of vectors, by model. Made on first use, as `items`."""
        with self._lock:
            if self._vectors is None:
                changes = ItemChanges(self.database)
                folder = self.folder / INDEX_FOLDER
                self._vectors = vectors.VectorStore(self.database, changes, folder)
            return self._vectors

    def known_graph(
        self, branch_id: str, actors: Sequence[Actor], at: int | None = None
    ) -> KnownGraph:
        """Return the graph of a line as all of ``actors`` know it, up to floor ``at``."""
        stores = (self.database, self.branches, self.entities, self.events, self._answers)
        return KnownGraph(stores, branch_id, actors, at)

    def shared_fields(self, pks: Sequence[int]) -> SharedFields:
        """Return the field values that these events have in common."""
        return event_rows.shared_fields(self.database, pks)

    def naming_events(self, pks: Sequence[int]) -> list[NamingEvent]:
        """Return what these events name, in their order."""
        return event_rows.naming_events(self.database, pks)

    def index(self, model: str, server: str = "") -> VectorIndex:
        """Return the Chroma index of ``model``; another model or server starts another index."""
        current = self._index
        if current is None or current.key != (model, server):
            if current is not None:
                current.close()
            current = index.VectorIndex(
                self.folder / INDEX_FOLDER,
                self.database,
                self.vectors,
                model,
                server,
                token=self.index_token,
            )
            self._index = current
        return current

    @contextlib.contextmanager
    def step(self, label: StepLabel, group: int | None = None, *, typed: str = "") -> Iterator[int]:
        """Run the block as one undoable transaction; see `Journal.step`."""
        with self.journal.step(label, group, typed=typed) as number:
            yield number

    def catch_up(self) -> None:
        """Write the deferred items of entities, as part of the newest step.

        Jobs that defer items call it at their end; after a kill it runs when the chat is opened.
        """
        due = self.entities.due_items()
        if due:
            with self.journal.newest_step():
                self.entities.refresh_items(due)

    def undo(self, expected: int | None = None) -> Changes:
        """Undo the newest step; see `Journal.undo`. Raises NothingToUndo, Conflict."""
        with self.database.replaying():
            label, touched = self.journal.undo(expected)
            return self._settle(label, touched)

    def redo(self) -> Changes:
        """Redo the step undone last. Raises NothingToUndo, Conflict."""
        with self.database.replaying():
            label, touched = self.journal.redo()
            return self._settle(label, touched)

    def scope_state(self, branch_id: str = MAIN_BRANCH) -> ScopeState:
        rows = self.database.rows(
            "SELECT last_summarized_floor, token_usage_accumulated, last_compressed_at,"
            " active_summary_order, last_extracted_floor, automatic_from, last_reflected_floor"
            " FROM scope_state WHERE branch_id = ?",
            (branch_id,),
        )
        return ScopeState(*rows[0]) if rows else ScopeState()

    def floors_reflected(self, branch_id: str) -> int:
        """Return how many floors of a line were looked back on, those of its parents included."""
        reached = 0
        for branch, last in self.branch_path(branch_id):
            floor = self.scope_state(branch).last_reflected_floor
            reached = max(reached, floor if last is None else min(floor, last + 1))
        return min(reached, self.messages.count(branch_id))

    def accounted_state(self, branch_id: str) -> ScopeState:
        """Return the scope state, with the tokens spent and the newest outline's time filled in."""
        spent = self.ledger.totals()
        newest = self.database.value(
            "SELECT max(timestamp) FROM event"
            " WHERE branch_id = ? AND level >= 1 AND is_deleted = 0",
            (branch_id,),
        )
        return replace(
            self.scope_state(branch_id),
            token_usage_accumulated=spent["prompt_tokens"] + spent["completion_tokens"],
            last_compressed_at=int(newest or 0),
        )

    def save_scope_state(self, state: ScopeState, branch_id: str) -> None:
        """Store the scope state (cursors), inside the caller's step."""
        ScopeStateRow.insert(
            branch_id=branch_id,
            last_summarized_floor=state.last_summarized_floor,
            token_usage_accumulated=state.token_usage_accumulated,
            last_compressed_at=state.last_compressed_at,
            active_summary_order=state.active_summary_order,
            last_extracted_floor=state.last_extracted_floor,
            automatic_from=state.automatic_from,
            last_reflected_floor=state.last_reflected_floor,
        ).on_conflict_replace().execute(self.database)

    def rewrite(
        self,
        branch_id: str,
        base: int,
        script: EditScript,
        new: Sequence[ParsedMessage],
        *,
        tail: int = 0,
    ) -> Rewritten:
        """Change a line like `Timeline.rewrite`, and its cursors, inside the caller's step."""
        report = self.timeline.rewrite(branch_id, base, script, new, self.clock(), tail=tail)
        for branch in report.branches:
            self.update_cursor(branch)
        return report

    def update_cursor(self, branch_id: str) -> None:
        """Set the cursor to the number of first floors that are summarised without a gap."""
        reached = 0
        for start, end, _hash, _extractor in self.blocks(branch_id):
            if start > reached:
                break
            reached = max(reached, end + 1)
        state = self.scope_state(branch_id)
        if state.last_summarized_floor != reached:
            self.save_scope_state(replace(state, last_summarized_floor=reached), branch_id)

    def blocks(self, branch_id: str = MAIN_BRANCH) -> list[tuple[int, int, str, str]]:
        """Return the summarised ranges of a line: (start, end, source hash, extractor), sorted."""
        path = self.branches.path(branch_id)
        return self.database.rows(
            "SELECT start_index, end_index, source_hash, extractor FROM summary_block"
            f" WHERE {seen('summary_block', path)} ORDER BY start_index, end_index"
        )

    def add_block(
        self,
        floors: tuple[int, int],
        source_hash: str,
        extractor: str,
        events: int,
        branch_id: str = MAIN_BRANCH,
        prompt_hash: str = "",
    ) -> None:
        """Store a summarised range, replacing ranges inside it; inside the caller's step."""
        self.database.run_many(
            "DELETE FROM summary_block WHERE branch_id = ? AND start_index >= ? AND end_index <= ?",
            [(branch_id, *floors)],
        )
        SummaryBlock.insert(
            branch_id=branch_id,
            start_index=floors[0],
            end_index=floors[1],
            source_hash=source_hash,
            extractor=extractor,
            events=events,
            created_at=self.clock(),
            prompt_hash=prompt_hash,
        ).execute(self.database)

    def branch_path(self, branch_id: str = MAIN_BRANCH) -> BranchPath:
        """Return ``branch_id`` and its ancestors, each with its last floor in the line."""
        return self.branches.path(branch_id)

    def close(self) -> None:
        if self._index is not None:
            self._index.close()
        self.database.close_all()

    def _make_main_branch(self) -> None:
        with self.database.writing() as connection:
            connection.execute(
                "INSERT OR IGNORE INTO branch(id, name) VALUES (?, ?)", (MAIN_BRANCH, "main")
            )

    def _settle(self, label: StepLabel, touched: Touched) -> Changes:
        changes = self.named_changes(label, touched)
        self.events.embedded.correct(changes.events)
        return changes

    def named_changes(self, label: StepLabel, touched: Touched) -> Changes:
        """Return the changes of a step, with the ids of the events and entities it touched."""
        ids: set[str] = set()
        for table, columns in (
            ("entity", "id"),
            ("relation", "src, dst"),
            ("suggestion", "src, dst"),
        ):
            rows = self.database.rows(
                f"SELECT {columns} FROM {table} WHERE pk IN (SELECT value FROM json_each(?))",
                (json.dumps(list(touched.of(table))),),
            )
            ids.update(*rows)
        changes = changes_of(self.chat_id, label, touched)
        events = frozenset(int(str(pk)) for pk in touched.of("event"))
        return replace(changes, events=events, entities=frozenset(ids))


# The graph as an actor knows it: entities by the names it heard, with what it was told. An entity
# is known if the actor may know an event about it. It has the names that such events give; its
# description, which is made of all events, is known only if all of them are. A relation is known
# by its known events, and ends only by known ones.

_READ_AT_ONCE = 32  # events: reading one takes 30 µs, a query about 100


class KnownGraph:
    """The graph of a line as all of ``actors`` know it; without actors, all of it."""

    def __init__(
        self,
        stores: tuple[Database, BranchStore, EntityStore, EventStore, Answers],
        branch_id: str,
        actors: Sequence[Actor],
        at: int | None = None,
    ) -> None:
        self._db, branches, self._entities, self._events, self._answers = stores
        self._path = branches.path(branch_id)
        self._branch_id = branch_id
        self._actors = tuple(actors)
        self._at = at

    @property
    def event_ids(self) -> frozenset[str]:
        """Return the ids of the events of the line that they all know."""
        condition, values = all_may_know(self._actors, "i")
        until = "" if self._at is None else f" AND i.end_index <= {int(self._at)}"
        sql = (
            "SELECT i.ref FROM memory_item i WHERE i.kind = 'event'"
            f" AND {seen('i', self._path)}{until} AND {condition}"
        )
        key = ("events of a line", tuple(self._path), self._actors, self._at)
        return self._answers.of(key, lambda: self._refs(sql, values))

    def entities(self, ids: Sequence[str], *, is_counted: bool = True) -> list[EntityNode]:
        """Return those of ``ids`` that are known, as they are known, in order.

        Without ``is_counted`` their degree is 0.
        """
        return self.known(self._entities.fetch(ids, self._branch_id, is_counted=is_counted))

    def known(self, entities: list[EntityNode]) -> list[EntityNode]:
        """Return those of ``entities`` that are known, as they are known, in order."""
        if not self._actors:
            return entities
        told = self._entities.events_of([e.id for e in entities])
        event_ids = self.event_ids
        whole = self._known_whole([e.id for e in entities])
        known = []
        read: dict[str, EventNode] = {}
        for entity in entities:
            mine = list(event_ids.intersection(told.get(entity.id, ())))
            seen_entity = self._as_known(entity, mine, read, is_whole=entity.id in whole)
            if seen_entity is not None:
                known.append(seen_entity)
        return known

    def make_ready(self) -> None:
        """Read the known evidence of every relation in advance."""
        known = self.event_ids if self._actors else None
        self._entities.make_ready(self._branch_id)
        self._entities.relations.make_ready_as_known(self._branch_id, self._at, known)

    def relations(self, ids: Iterable[str], *, among: bool = False) -> list[Relation]:
        """Return known relations of ``ids`` (``among``: with both ends there), ended ones too."""
        known = self.event_ids if self._actors else None
        read = self._entities.relations.among if among else self._entities.relations.touching
        return read(ids, self._branch_id, self._at, known)

    def current(self, ids: Iterable[str]) -> list[Relation]:
        """Return the known relations of ``ids`` that hold now, the latest evidence first."""
        relations = [r for r in self.relations(ids) if r.is_current]
        return sorted(relations, key=lambda r: r.floors[-1] if r.floors else (-1, -1), reverse=True)

    def _known_whole(self, ids: Sequence[str]) -> frozenset[str]:
        """Return those of ``ids`` whose item on this branch is known to all actors."""
        condition, values = all_may_know(self._actors, "i")
        sql = (
            "SELECT i.ref FROM memory_item i WHERE i.kind = 'entity' AND i.branch_id = ?"
            f" AND {condition}"
        )
        key = ("entities known whole", self._branch_id, self._actors)
        whole = self._answers.of(key, lambda: self._refs(sql, (self._branch_id, *values)))
        return whole.intersection(ids)

    def _refs(self, sql: str, values: Sequence[Any]) -> frozenset[str]:
        return frozenset(ref for (ref,) in self._db.rows(sql, values))

    def _as_known(
        self,
        entity: EntityNode,
        event_ids: Sequence[str],
        read: dict[str, EventNode],
        *,
        is_whole: bool,
    ) -> EntityNode | None:
        """Return an entity with the names that known events give; None if they give none.

        ``read`` caches events. Only as many are read as are needed to find all names: the hero is
        in every event, and named in the first of them.
        """
        if not event_ids:
            return None
        given: set[str] = set()
        for actor in self._actors:  # everybody knows their own names
            if norm_name(entity.name) in actor.norms:
                given |= actor.norms
        wanted = {norm_name(name) for name in (entity.name, *entity.aliases)}
        events: list[EventNode] = []
        for start in range(0, len(event_ids), _READ_AT_ONCE):
            if wanted <= given:
                break
            part = event_ids[start : start + _READ_AT_ONCE]
            missing = [i for i in part if i not in read]
            read |= {event.id: event for event in self._events.by_ids(missing)}
            events += [read[i] for i in part]
            for i in part:
                given |= _names_in(read[i])
        names = [n for n in (entity.name, *entity.aliases) if norm_name(n) in given]
        if not names:
            texts = norm_name("\n".join(event.summary for event in events))
            names = [n for n in (entity.name, *entity.aliases) if norm_name(n) in texts]
        if not names:
            return None
        return replace(
            entity,
            name=names[0],
            aliases=tuple(names[1:]),
            description=entity.description if is_whole else "",
            profile=entity.profile if is_whole else {},
            event_count=len(event_ids),
        )


def _names_in(event: EventNode) -> set[str]:
    given = {norm_name(entity.name) for entity in event.raw_data.entities}
    for relation in event.raw_data.relations:
        given |= {norm_name(relation.subject), norm_name(relation.object)}
    return given
