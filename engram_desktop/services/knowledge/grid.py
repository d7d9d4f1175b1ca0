"""The grid of events and persons: who was present, who knows an event, who must not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from engram_desktop.domain.graph.entity import norm_name
from engram_desktop.domain.knowledge.knowing import (
    GridCell,
    GridChange,
    GridPerson,
    GridState,
    Membership,
    Perceiver,
)
from engram_desktop.services.knowledge.actors import People
from engram_desktop.storage.chat.knowledge import ALL, KnowledgeFix

if TYPE_CHECKING:
    from engram_desktop.domain.memory.event import EventNode
    from engram_desktop.jobs.context import JobContext
    from engram_desktop.services.knowledge.knowledge_service import Tellings
    from engram_desktop.storage.chat.chat_store import ChatStore

UNAWARE = GridCell()
_END = 1 << 60  # higher than any floor


def people(store: ChatStore, perceiving: Sequence[str]) -> list[GridPerson]:
    """Return the columns: who perceives anything, persons of the graph, persons the user named."""
    known = People.of(store)
    names = [*perceiving]
    names += [entity.name for entity in store.entities.census() if entity.type == "char"]
    names += store.knowledge.named_of_events()
    found: list[GridPerson] = []
    taken: set[str] = set()
    for name in map(known.name_of, names):
        norms = known.norms(name)
        if norm_name(name) and not norms & taken:
            taken |= norms
            found.append(GridPerson(name, norms))
    return found


def rows(
    store: ChatStore,
    keys: Sequence[int],
    columns: Sequence[GridPerson],
    at: int | None,
    members: Sequence[Membership] = (),
) -> dict[int, tuple[GridCell, ...]]:
    """Return the cells of events by key, in the order of ``columns``.

    What a group knows, its ``members`` know from the floor they joined on.
    """
    of_groups = _of_groups(store, columns, members)
    events = store.events.fetch(keys)
    items = store.items.of_events([event.id for event in events.values()])
    numbers = store.audiences.of_items([item for item, _key in items.values()])
    companies = store.audiences.people(numbers.values())
    due = set(store.knowledge.due("event")) if store.knowledge.has_due() else set()
    refs = [("event", event.id) for event in events.values()]
    kept = store.knowledge.kept_from(refs)
    fixes: dict[str, list[KnowledgeFix]] = {}
    for fix in store.knowledge.fixes(refs):
        fixes.setdefault(fix.ref, []).append(fix)
    cells = {}
    for key, event in events.items():
        number = numbers.get(items[event.id][0]) if event.id in items else None
        row = _Row(
            event,
            is_public=number == ALL,
            company={} if number is None else _by_norm(companies.get(number, ())),
            fixes={norm_name(fix.name): fix for fix in fixes.get(event.id, ())},
            kept=frozenset(map(norm_name, kept.get(("event", event.id), ()))),
            is_due=event.id in due,
        )
        until = _END if at is None else at
        cells[key] = tuple(row.cell(person, until, of_groups.get(person, ())) for person in columns)
    return cells


def _of_groups(
    store: ChatStore, columns: Sequence[GridPerson], members: Sequence[Membership]
) -> dict[GridPerson, list[tuple[Membership, frozenset[str]]]]:
    """Return the memberships of each person, with all names of each group."""
    if not members:
        return {}
    known = People.of(store)
    named = [(one, known.norms(one.name), known.norms(one.group)) for one in members]
    return {
        person: [(one, group) for one, own, group in named if own & person.norms]
        for person in columns
    }


def learned_later(
    ctx: JobContext,
    store: ChatStore,
    tellings: Tellings,
    keys: Sequence[int],
    columns: Sequence[GridPerson],
    at: int | None,
) -> dict[int, dict[int, GridCell]]:
    """Return the cells of persons who learned of an event later, by event key and column."""
    repeating = {}
    for key, event in store.events.fetch(keys).items():
        ctx.check()
        item = next((i for i in store.items.of_refs([event.id]) if i.kind == "event"), None)
        if item is not None and (again := tellings.repeating(item))[0].size:
            repeating[key] = again
    found: dict[int, dict[int, GridCell]] = {}
    for place, person in enumerate(columns if repeating else ()):
        ctx.check()
        known = tellings.known(person.name, person.norms)
        for key, again in repeating.items():
            knower = tellings.first(again, person.name, known)
            if knower is not None and knower.from_floor <= (_END if at is None else at):
                cell = GridCell("knows", knower.how, knower.from_floor)
                found.setdefault(key, {})[place] = cell
    return found


def say(
    store: ChatStore, changes: Sequence[GridChange], norms: Mapping[str, frozenset[str]]
) -> None:
    """Store what the user says about events and persons, replacing what was said before.

    ``norms`` holds all names of each person in ``changes``. Runs inside the caller's transaction.
    """
    knowledge = store.knowledge
    knowledge.delete_corrections(
        ("event", change.event_id, norm) for change in changes for norm in norms[change.name]
    )
    knowledge.fix(
        [
            KnowledgeFix(
                "event",
                change.event_id,
                change.name,
                change.state in ("present", "knows"),
                change.from_floor,
                "there" if change.state == "present" else "confirmed",
            )
            for change in changes
            if change.state is not None
        ]
    )
    knowledge.also_keep_from(
        ("event", change.event_id, change.name) for change in changes if change.state == "kept"
    )


def _by_norm(company: Sequence[Perceiver]) -> dict[str, Perceiver]:
    return {norm_name(person.name): person for person in company}


class _Row:
    """One event, with everything that says who knows it."""

    def __init__(
        self,
        event: EventNode,
        *,
        is_public: bool,
        company: Mapping[str, Perceiver],
        fixes: Mapping[str, KnowledgeFix],
        kept: frozenset[str],
        is_due: bool,
    ) -> None:
        self._event = event
        self._is_public = is_public
        self._company = company
        self._fixes = fixes
        self._kept = kept
        self._is_due = is_due

    def cell(
        self, person: GridPerson, at: int, groups: Sequence[tuple[Membership, frozenset[str]]]
    ) -> GridCell:
        cell = self._known(person.norms, at)
        if cell == UNAWARE:
            cell = self._of_groups(groups, at)
        if self._kept.isdisjoint(person.norms):
            return cell
        if cell.state == "unaware":
            return GridCell("kept", cell.how, cell.from_floor, is_said=True)
        return GridCell(cell.state, cell.how, cell.from_floor, cell.is_said, is_leak=True)

    def _of_groups(self, groups: Sequence[tuple[Membership, frozenset[str]]], at: int) -> GridCell:
        """Return what a person knows as a member of groups, from joining on."""
        cells = []
        for one, norms in groups:
            of_group = self._known(norms, at)
            since = max(one.joined, of_group.from_floor)
            is_late = one.left is not None and of_group.from_floor >= one.left
            if of_group.state in ("present", "knows") and not is_late and since <= at:
                cells.append(GridCell("knows", "member", since))
        return min(cells, key=lambda cell: cell.from_floor, default=UNAWARE)

    def _known(self, norms: frozenset[str], at: int) -> GridCell:
        said = [self._fixes[norm] for norm in norms & self._fixes.keys()] if self._fixes else []
        if said:
            return _said(said, at)
        if self._is_due:
            return UNAWARE
        if self._event.scope == "conditional" or self._event.condition:
            return GridCell(how="condition")
        end = self._event.source_range.end_index
        there = norms & self._company.keys()
        if self._is_public:
            return GridCell("knows", "everybody", end)
        how = self._company[min(there)].how if there else ""
        return GridCell("knows" if how == "read" else "present", how, end) if there else UNAWARE


def _said(fixes: Sequence[KnowledgeFix], at: int) -> GridCell:
    """Return the cell of what the user said about one person, as of floor ``at``."""
    known = [fix for fix in fixes if fix.is_known and fix.from_floor <= at]
    if not known or not all(fix.is_known for fix in fixes):
        return GridCell(is_said=True)
    first = min(known, key=lambda fix: fix.from_floor)
    state: GridState = "present" if first.how == "there" else "knows"
    return GridCell(state, first.how, first.from_floor, is_said=True)
