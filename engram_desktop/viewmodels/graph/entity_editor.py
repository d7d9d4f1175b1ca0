"""The selected entity: its edits, and the sheet with its facts, values and events.

Every command is one undoable step; a failed command shows its error and changes nothing. The sheet
is read in one job for each entity shown.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QImage

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.claims.descriptions import Description
from engram_desktop.domain.errors import InputError, KnownError, LibraryBusy, NotFound
from engram_desktop.domain.graph import profile as profiles
from engram_desktop.domain.graph.entity import EntityNode, EntityType, Relation, norm_name
from engram_desktop.domain.graph.relations import predicate_alone
from engram_desktop.domain.memory.event import EventNode
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.memory.promises import Promise, promises
from engram_desktop.domain.state.tree import (
    Leaf,
    StateHistory,
    StatePath,
    join_path,
    leaves,
    points_of,
    steps_of,
)
from engram_desktop.domain.values import dataclass
from engram_desktop.jobs.context import JobContext
from engram_desktop.qtjobs.runner import JobHandle
from engram_desktop.services.memory import Memory
from engram_desktop.viewmodels.graph.drawn_graph import fact_words
from engram_desktop.viewmodels.graph.graph_view import GraphPageModel
from engram_desktop.viewmodels.workspace.choice_texts import value_words
from engram_desktop.viewmodels.workspace.live_query import newest_answer
from engram_desktop.viewmodels.workspace.transcript import face_of
from engram_desktop.viewmodels.workspace.undo_actions import UndoActions
from engram_desktop.viewmodels.workspace.workspace import (
    AskedMemories,
    TypingPlace,
    Workspace,
    WorkspaceModel,
)

MAX_NAMES = 5_000


@dataclass(frozen=True, slots=True)
class RelationRow:
    """A relation seen from the shown entity."""

    relation: Relation
    other_id: str
    other: str
    is_outgoing: bool
    here: str = ""  # name of the shown entity

    @property
    def fact(self) -> str:
        """Return the whole relation, its subject first."""
        ends = (self.here, self.other) if self.is_outgoing else (self.other, self.here)
        return fact_words(ends[0], self.relation.predicate, ends[1])

    @property
    def text(self) -> str:
        """Return the relation for a card of the shown entity, whose name is not said again."""
        if self.is_outgoing and self.relation.predicate:
            return f"{predicate_alone(self.relation.predicate)} → {self.other}"
        return self.fact


def _rows(
    ctx: JobContext,
    memory: Memory,
    line: Line,
    entity_id: str,
    seen: tuple[tuple[str, ...], int | None],
) -> list[RelationRow]:
    """Return the relations of an entity. ``seen``: as which character, as of which floor."""
    names, at = seen
    actors = memory.knowledge.askers(ctx, line, names)
    relations = memory.graph.relations_of(line, entity_id, actors, at)
    ends = memory.graph.entity_names(
        line.chat_id, {entity_id} | {end for r in relations for end in (r.src, r.dst)}
    )
    here = ends.get(entity_id, "")
    rows = []
    for relation in relations:
        is_outgoing = relation.src == entity_id
        other = relation.dst if is_outgoing else relation.src
        rows.append(RelationRow(relation, other, ends.get(other, ""), is_outgoing, here))
    return sorted(rows, key=_newest_first)


def _newest_first(row: RelationRow) -> tuple[bool, int]:
    relation = row.relation
    last = max((floor for _first, floor in relation.floors), default=relation.valid_from or 0)
    return (not relation.is_current, -last)


class EntityEditor(WorkspaceModel):
    """Editor of the entity that the graph page has selected."""

    relations_read = Signal(object)  # list[RelationRow], current relations first
    names_read = Signal(object)  # dict[str, str]: names of entities, and their ids
    reshown = Signal(object)  # EntityNode: the edit was refused
    merge_offered = Signal(object, object)  # EntityNode, and the one that has its new name

    def __init__(
        self,
        workspace: Workspace,
        graph: GraphPageModel,
        undo: UndoActions,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(workspace, parent)
        self._undo = undo
        self._graph = graph
        self.names: dict[str, str] = {}
        self._relations = newest_answer(workspace, self.relations_read, self)
        graph.selected.connect(self._on_selected)

    @property
    def entity(self) -> EntityNode | None:
        return self._graph.entity

    @property
    def place(self) -> TypingPlace:
        """Return the typing place of the shown entity."""
        name = f"entity {self.entity.id}" if self.entity is not None else "entity"
        return TypingPlace(name, self._space.chat_id)

    def rename(self, name: str) -> None:
        entity = self.entity
        if entity is not None and name.strip() and name.strip() != entity.name:
            new_name = name.strip()
            chat, memory = self._space.chat_id, self._space.memory
            job = self._space.look_up(lambda _ctx: memory.graph.named(chat, new_name))
            job.succeeded.connect(lambda holder: self._rename(entity, new_name, holder))

    def set_aliases(self, aliases: Sequence[str]) -> None:
        entity = self.entity
        if entity is not None and tuple(aliases) != entity.aliases:
            names = list(aliases)
            self._change(lambda m, chat: m.graph.set_aliases(chat, entity.id, names))

    def set_type(self, kind: EntityType) -> None:
        entity = self.entity
        if entity is not None and kind != entity.type:
            self._change(lambda m, chat: m.graph.update_entity(chat, entity.id, kind=kind))

    def set_locked(self, *, locked: bool) -> None:
        entity = self.entity
        if entity is not None and locked != entity.is_locked:
            self._change(lambda m, chat: m.graph.update_entity(chat, entity.id, locked=locked))

    def hide(self) -> None:
        entity = self.entity
        if entity is not None:
            self._change(lambda m, chat: m.graph.update_entity(chat, entity.id, hidden=True))

    def show_again(self, entity_id: str) -> None:
        self._change(lambda m, chat: m.graph.update_entity(chat, entity_id, hidden=False))

    def check_profile(self, text: str) -> InputError | None:
        """Return what is wrong with a profile that is being typed."""
        try:
            profiles.yaml_to_profile(text)
        except InputError as e:
            return e
        return None

    def is_stored_profile(self, text: str) -> bool:
        """Return whether a typed profile equals the stored one."""
        entity = self.entity
        if entity is None or self.check_profile(text) is not None:
            return False
        return profiles.yaml_to_profile(text) == entity.profile

    def set_profile(self, text: str) -> None:
        """Save a profile if it has no fault and differs from the stored one."""
        entity = self.entity
        if entity is None or self.check_profile(text) is not None:
            return
        profile = profiles.yaml_to_profile(text)
        if profile != entity.profile:
            self._change(lambda m, chat: m.graph.update_entity(chat, entity.id, profile=profile))

    def merge_into(self, target: str) -> None:
        entity = self.entity
        if entity is not None:
            self.merge(entity, target)

    def merge(self, entity: EntityNode, target: str) -> None:
        """Merge an entity into another, which keeps its name."""
        if target != entity.id:
            job = self._change(lambda m, chat: m.graph.merge_entities(chat, [entity.id], target))
            job.succeeded.connect(lambda changes: self._on_merged(entity, target, changes))

    def split(self, alias: str) -> None:
        entity = self.entity
        if entity is not None:
            self._change(lambda m, chat: m.graph.split_entity(chat, entity.id, alias))

    def add_relation(self, predicate: str, other: str, *, is_outgoing: bool = True) -> None:
        entity = self.entity
        if entity is not None:
            src, dst = (entity.id, other) if is_outgoing else (other, entity.id)
            line = self._space.line
            self._change(lambda m, _chat: m.graph.add_relation(line, src, predicate, dst))

    def reword(self, relation_id: str, predicate: str) -> None:
        self._change(lambda m, chat: m.graph.edit_relation(chat, relation_id, predicate))

    def end_relation(self, relation_id: str, floor: int | None) -> None:
        """Set the floor at which a relation ended; see `GraphService.end_relation`."""
        self._change(lambda m, chat: m.graph.end_relation(chat, relation_id, floor))

    def delete_relation(self, relation_id: str) -> None:
        self._change(lambda m, chat: m.graph.delete_relation(chat, relation_id))

    def read_floor(self, floor: int) -> None:
        """Show a floor in the text of the chat."""
        self._space.floor_wanted.emit(floor, floor)

    def open_other(self, entity_id: str) -> None:
        """Show the entity at the other end of a relation."""
        self._graph.show_entity(entity_id)

    def read_names(self) -> None:
        """Read the names of all other entities, for a field with completion."""
        line, memory = self._space.line, self._space.memory
        names = self._space.actors
        job = self._space.look_up(
            lambda ctx: memory.graph.find_entities(
                line, "", MAX_NAMES, memory.knowledge.askers(ctx, line, names)
            )
        )
        job.succeeded.connect(self._on_entities_read)

    @Slot()
    def read_relations(self) -> None:
        """Read the relations of the shown entity, for a view made after it was selected."""
        self._on_selected(self.entity)

    @Slot()
    def ask_who(self) -> None:
        """Ask for the dialog that shows who knows the entity."""
        entity = self.entity
        if entity is not None:
            asked = AskedMemories((("entity", entity.id),), entity.name)
            self._space.who_wanted.emit(asked)

    def find_id(self, text: str) -> str | None:
        """Return the id of another entity with this name; None if there is no such entity."""
        return self.names.get(norm_name(text))

    def find_any_id(self, text: str) -> str | None:
        """Return the id of the entity with this name; it may be the shown one."""
        shown = {norm_name(name) for name in self.shown_names}
        entity = self.entity
        return entity.id if entity is not None and norm_name(text) in shown else self.find_id(text)

    @property
    def shown_names(self) -> tuple[str, ...]:
        """Return all names of the shown entity."""
        entity = self.entity
        return () if entity is None else (entity.name, *entity.aliases)

    @Slot(object)
    def _on_entities_read(self, entities: list[EntityNode]) -> None:
        here = self.entity.id if self.entity else None
        others = [e for e in entities if e.id != here]
        self.names = {norm_name(n): e.id for e in others for n in (*e.aliases, e.name)}
        self.names_read.emit([n for e in others for n in (e.name, *e.aliases)])

    def _rename(self, entity: EntityNode, name: str, holder: EntityNode | None) -> None:
        """Rename, or offer to merge with the entity that has the name already."""
        if holder is None or holder.id == entity.id:
            self._change(lambda m, chat: m.graph.update_entity(chat, entity.id, name=name))
            return
        self._on_refused(None)
        self.merge_offered.emit(entity, holder)

    def _on_merged(self, gone: EntityNode, target: str, changes: Changes) -> None:
        """Show the surviving entity, and offer to undo the merge."""
        self._graph.show_survivor(gone.id, target)
        text = self.tr("“{name}” was merged.").format(name=gone.name)
        self._undo.offer(text, changes.undo_label)

    def _change(self, act: Callable[[Memory, str], Changes]) -> JobHandle:
        chat, memory = self._space.chat_id, self._space.memory
        job = self._space.change(self.tr("Editing an entity"), lambda _ctx: act(memory, chat))
        job.failed.connect(self._on_refused)
        return job

    @Slot(object)
    def _on_refused(self, error: object) -> None:
        """Show the stored entity again, unless another program only held the lock."""
        if self.entity is not None and not isinstance(error, LibraryBusy):
            self.reshown.emit(self.entity)

    @Slot(object)
    def _on_selected(self, entity: EntityNode | None) -> None:
        if entity is None:
            self._relations.drop()
            self.relations_read.emit([])
            return
        line, memory, entity_id = self._space.line, self._space.memory, entity.id
        seen = (self._space.actors, self._graph.time.at)
        self._relations.ask(lambda ctx: _rows(ctx, memory, line, entity_id, seen))


FACE_SIDE = 192  # pixels: sharp at twice the displayed size
LEAST_VALUE = 2  # characters of a fact searched in events: one occurs in all of them
MOST_FACTS = 60
# Words of values that describe a relationship: such a curve is shown first.
_FEELINGS = (
    "好感 亲密 信任 爱意 爱情 友情 羁绊 恋 敌意 依赖 affinity affection trust love intimacy bond"
    " relationship favor favour 好感度"
).split()


@dataclass(frozen=True, slots=True)
class Fact:
    """One line of a profile, and the first event that mentions it, if there is one."""

    name: str
    value: str
    event: EventNode | None = None


@dataclass(frozen=True, slots=True)
class Curve:
    """A number of the state that belongs to an entity, with the floors that changed it."""

    path: StatePath
    name: str
    points: tuple[tuple[int, float], ...]
    reasons: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class EntitySheet:
    """All there is about an entity.

    ``events`` are all that mention it, the newest first; ``face`` is the picture of a card.
    """

    entity: EntityNode
    face: QImage | None = None
    facts: tuple[Fact, ...] = ()
    curves: tuple[Curve, ...] = ()
    promises: tuple[Promise, ...] = ()
    events: tuple[EventNode, ...] = ()


@dataclass(frozen=True, slots=True)
class _Seen:
    """Which line is read, as which character, as of which floor."""

    line: Line
    names: tuple[str, ...]
    at: int | None


class EntitySheets(WorkspaceModel):
    """Reads the sheet of the entity that the graph page has selected."""

    read = Signal(object)  # EntitySheet, or None: nothing is selected
    described = Signal(object)  # list[Description]: read after the sheet

    def __init__(
        self, workspace: Workspace, graph: GraphPageModel, parent: QObject | None = None
    ) -> None:
        super().__init__(workspace, parent)
        self._graph = graph
        self.sheet: EntitySheet | None = None
        self._reading = newest_answer(workspace, self._show, self)
        self.descriptions: list[Description] = []
        self._describing = newest_answer(workspace, self._show_descriptions, self)
        graph.selected.connect(self._on_selected)
        workspace.hub.changed.connect(self._on_changed)

    def show_event(self, event: EventNode) -> None:
        self._space.event_wanted.emit(event.pk)

    def show_lines(self, event: EventNode) -> None:
        """Show the messages that an event summarises."""
        span = event.source_range
        self._space.floor_wanted.emit(span.start_index, span.end_index)

    def show_floor(self, floor: int) -> None:
        self._space.floor_wanted.emit(floor, floor)

    def put_in_centre(self) -> None:
        if self._graph.entity is not None:
            self._graph.recenter(self._graph.entity.id)

    @Slot(object)
    def _on_selected(self, entity: EntityNode | None) -> None:
        if entity is None:
            self._reading.drop()
            self._describing.drop()
            self._show(None)
            return
        memory = self._space.memory
        seen = _Seen(self._space.line, self._space.actors, self._graph.time.at)
        self._reading.ask(lambda ctx: _sheet(ctx, memory, seen, entity))

    @Slot(object)
    def _show(self, sheet: EntitySheet | None) -> None:
        self.sheet = sheet
        self.read.emit(sheet)
        self._show_descriptions([])
        if sheet is not None:
            memory, line, actor = self._space.memory, self._space.line, self._space.actor
            at = self._graph.time.at
            self._describing.ask(lambda ctx: _described(ctx, memory, line, sheet, actor, at))

    @Slot(object)
    def _show_descriptions(self, found: list[Description]) -> None:
        self.descriptions = found
        self.described.emit(found)

    @Slot(object, object)
    def _on_changed(self, changes: Changes, _initiator: object) -> None:
        """Read again after changes that do not concern the graph itself."""
        is_state = changes.chat_id == self._space.chat_id and (changes.state or changes.messages)
        if (is_state or changes.worldbooks) and self.sheet is not None:
            self._on_selected(self._graph.entity)


def _sheet(ctx: JobContext, memory: Memory, seen: _Seen, entity: EntityNode) -> EntitySheet:
    line = seen.line
    actors = memory.knowledge.askers(ctx, line, seen.names)
    events = memory.graph.entity_events(line, entity.id, actors, seen.at)
    events.sort(key=lambda e: (e.source_range.end_index, e.order_key), reverse=True)
    relations = memory.graph.relations_of(line, entity.id, actors, seen.at)
    ended = [r for r in relations if not r.is_current and r.superseded_by is None]
    over = {event_id for relation in ended for event_id in relation.event_ids}
    ctx.check()
    names = (entity.name, *entity.aliases)
    norms = frozenset(map(norm_name, names))
    return EntitySheet(
        entity,
        _face(memory, line.chat_id, norms) if entity.type in ("char", "unknown") else None,
        tuple(_facts(entity, events)),
        tuple(_curves(ctx, memory, seen, norms)),
        tuple(promises(events, names, over)),
        tuple(events),
    )


def _described(
    ctx: JobContext, memory: Memory, line: Line, sheet: EntitySheet, actor: str, at: int | None
) -> list[Description]:
    """Return what messages say of the entity; empty if the story has no person ``actor``."""
    names = (sheet.entity.name, *sheet.entity.aliases)
    spans = [event.source_range for event in sheet.events]
    try:
        return memory.findings.descriptions(ctx, line, names, spans, actor, at)
    except NotFound:
        return []


def _face(memory: Memory, chat_id: str, norms: Collection[str]) -> QImage | None:
    """Return the picture of the card with one of the names; cards of this chat come first."""
    rows = [*memory.characters.all(chat_id), *memory.characters.all()]
    for row in rows:
        if {norm_name(row.name), norm_name(row.nickname)} & set(norms):
            try:
                face = face_of(memory.characters.picture(row.id), FACE_SIDE)
            except KnownError:
                continue  # a card whose picture cannot be read
            if not face.isNull():
                return face
    return None


def _facts(entity: EntityNode, events: Sequence[EventNode]) -> list[Fact]:
    """Return the lines of a profile, each with the first event whose text contains its value."""
    told = [(event, norm_name(f"{event.summary} {event.raw_data.details}")) for event in events]
    facts = []
    for name, value in _lines_of(entity.profile)[:MOST_FACTS]:
        wanted = norm_name(value)
        first = None
        if len(wanted) >= LEAST_VALUE:
            first = next((event for event, text in reversed(told) if wanted in text), None)
        facts.append(Fact(name, value, first))
    return facts


def _lines_of(profile: object, above: str = "") -> list[tuple[str, str]]:
    if not isinstance(profile, dict):
        return [(above, value_words(profile))]
    lines = []
    for name, value in profile.items():
        lines += _lines_of(value, f"{above} · {name}" if above else str(name))
    return lines


def _curves(ctx: JobContext, memory: Memory, seen: _Seen, norms: frozenset[str]) -> list[Curve]:
    """Return the numbers that belong to a person, relationships first."""
    history = memory.knowledge.state(ctx, seen.line, seen.names, seen.at)
    found = [leaf for leaf in leaves(history.tree) if _is_about(leaf.path, norms)]
    feelings = [leaf for leaf in leaves(history.tree) if _is_feeling(leaf)]
    if not found and feelings:
        members = memory.play.scene(seen.line).members
        if len(members) == 1 and norm_name(members[0].name) in norms:  # the only one there is
            found = feelings
    curves = [curve for leaf in found if (curve := _curve(history, leaf, norms)) is not None]
    return sorted(curves, key=lambda c: not any(w in c.name.casefold() for w in _FEELINGS))


def _curve(history: StateHistory, leaf: Leaf, norms: Collection[str]) -> Curve | None:
    steps = tuple(steps_of(history.entries, leaf.path))
    points = points_of(steps, leaf.value, history.floor)
    if len(points) < 2:
        return None
    rest = tuple(part for part in leaf.path if norm_name(part) not in norms)
    reasons = tuple((step.floor, step.reason) for step in steps if step.reason)
    return Curve(leaf.path, join_path(rest or leaf.path), points, reasons)


def _is_about(path: StatePath, norms: Collection[str]) -> bool:
    parts = [norm_name(part) for part in path]
    return any(
        part == name or (len(name) >= LEAST_VALUE and name in part)
        for part in parts
        for name in norms
    )


def _is_feeling(leaf: Leaf) -> bool:
    text = join_path(leaf.path).casefold()
    return any(word in text for word in _FEELINGS)
