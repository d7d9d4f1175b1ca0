"""Search the library, as the curator or as a person of a story.

Found are messages, events, entities and private logs of chats, chats and branches by name, private
notes (for the curator only), and entries of worldbooks.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Literal, cast

from engram_desktop.domain.errors import InputError, KnownError
from engram_desktop.domain.graph.entity import norm_name
from engram_desktop.domain.memory.event import EventQuery
from engram_desktop.domain.memory.line import MAIN_BRANCH, Line
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.domain.search import (
    KINDS,
    Clause,
    HitKind,
    SearchGroup,
    SearchHit,
    SearchQuery,
    SearchResult,
    State,
    expression,
    folded,
    holds,
    holds_folded,
    is_settled,
    parse,
    passage_of,
    title_of,
)
from engram_desktop.domain.text.cleaning import in_a_row
from engram_desktop.domain.values import dataclass
from engram_desktop.services.worldbooks import stored
from engram_desktop.storage.chat.events import vast_lists
from engram_desktop.storage.chat.recall.found import (
    FoundItem,
    ItemClause,
    ItemMark,
    NamedPerson,
    Seeing,
)

if TYPE_CHECKING:
    from engram_desktop.domain.memory.scope import Actor
    from engram_desktop.domain.worldbooks.worldbook import Entry, WorldbookRow
    from engram_desktop.jobs.context import JobContext
    from engram_desktop.services.library.session import Session
    from engram_desktop.storage.chat.branches import Path
    from engram_desktop.storage.chat.chat_store import ChatStore
    from engram_desktop.storage.chat.recall.found import FoundEntity
    from engram_desktop.storage.library.worldbooks import WorldbookStore


# Candidates of each kind whose texts are read: 15 µs each. The rest is estimated.
READ = 3_000
_CHECKED = 500  # texts read between two checks for a cancel: 8 ms
_READ_AT_LEAST = 60  # texts read of each chat, whatever was read of earlier ones
_ITEMS: dict[HitKind, Literal["turn", "event", "log"]] = {
    "event": "event",
    "message": "turn",
    "log": "log",
}


@dataclass(frozen=True, slots=True)
class ChatSearch:
    """A search in one chat. ``branch_id`` None: all branches; ``actors`` require a branch.

    ``home`` is the branch shown in the window: hits it sees are opened on it.
    """

    store: ChatStore
    name: str
    query: SearchQuery
    branch_id: str | None = None
    actors: tuple[Actor, ...] = ()
    home: str | None = None

    def group(self, kind: HitKind, limit: int, read: int = READ) -> SearchGroup:
        """Return at most ``limit`` hits of one kind, and how many there are.

        ``read`` is how many texts may be read; a few always are.
        """
        clauses = tuple(c for c in self.query.for_kind(kind) if is_of_chat(c, self.name))
        if not clauses:
            return SearchGroup(kind, (), 0)
        if kind == "entity":
            place = SearchScope(self.store, self.name, self.branch_id, self.actors, self.home)
            return entity_hits(place, self.query, clauses, limit)
        return self._items(kind, clauses, limit, max(read, _READ_AT_LEAST))

    def event_keys(self, ctx: JobContext) -> list[int]:
        """Return the keys of all matching events. Raises Cancelled."""
        clauses = [c for c in self.query.for_kind("event") if is_of_chat(c, self.name)]
        found = [self._keys_of(ctx, clause) for clause in clauses]
        return found[0] if len(found) == 1 else sorted({key for keys in found for key in keys})

    def _keys_of(self, ctx: JobContext, clause: Clause) -> list[int]:
        """Return the keys of the events that match one clause. Raises Cancelled.

        States are tested with sets of keys: reading each of 100,000 events took .3 s.
        """
        wanted, unwanted = states(clause)
        such = [(self.store.found.events_that_are(s), s in wanted) for s in (*wanted, *unwanted)]
        if self.branch_id and _is_words_and_states(clause):  # words as in the event list
            text = " ".join(word.text for word in clause.words)
            asked = EventQuery(text=text, branch_id=self.branch_id, actors=self.actors)
            return vast_lists.those_that_are(self.store.events.find(asked), such)
        naming = None if self.actors else self.store.found.called
        stateless = replace(clause, filters=clause.of("entity"))
        certain, doubtful = self.store.found.event_items(
            item_clause(stateless, naming), self._seeing()
        )
        items = certain.tolist()
        for first in range(0, len(doubtful), _CHECKED):
            ctx.check()
            rows = self.store.found.texts(doubtful[first : first + _CHECKED].tolist())
            items += [item for item, text in rows if holds_any([clause], text)]
        return vast_lists.those_that_are(self.store.events.of_words.of_items(items), such)

    def _items(
        self, kind: HitKind, clauses: Sequence[Clause], limit: int, read: int
    ) -> SearchGroup:
        found, row_kind, seeing = self.store.found, _ITEMS[kind], self._seeing()
        naming = None if self.actors else found.called
        wanted = [item_clause(clause, naming) for clause in clauses]
        if is_settled_by_index(clauses):
            count = found.count(row_kind, wanted, seeing)
            if kind == "message" and not count:
                return self._outside_story(clauses, seeing, limit)
            rows = found.newest(row_kind, wanted, seeing, limit) if count and limit else []
            return SearchGroup(kind, self._hits(kind, rows), count)
        rows = found.newest(row_kind, wanted, seeing, read)
        if kind == "message" and not rows:
            return self._outside_story(clauses, seeing, limit)
        true = [row for row in rows if holds_any(clauses, row.content)]
        count = len(true)
        if len(rows) == read:  # the same share of the unread ones is taken to match
            count = found.count(row_kind, wanted, seeing) * count // read
        return SearchGroup(
            kind, self._hits(kind, true[:limit]), count, len(rows) == read, len(rows)
        )

    def _outside_story(self, clauses: Sequence[Clause], seeing: Seeing, limit: int) -> SearchGroup:
        """Search thoughts and panels, for words that the story of no message holds."""
        rows: list[FoundItem] = []
        if not self.actors and len(clauses) == 1 and clauses[0] == Clause(clauses[0].words):
            words = [word.text for word in clauses[0].words]
            rows = self.store.found.outside_story(words, seeing, limit) if words else []
        return SearchGroup("message", self._hits("message", rows), len(rows), len(rows) == limit)

    def _seeing(self) -> Seeing:
        path = None if self.branch_id is None else self.store.branch_path(self.branch_id)
        return Seeing(path, self.actors)

    def _hits(self, kind: HitKind, rows: Sequence[FoundItem]) -> tuple[SearchHit, ...]:
        refs = [row.ref for row in rows]
        found = self.store.found
        marked: dict[str, ItemMark] = {}
        speakers: dict[str, str] = {}
        if kind == "event":
            marked = found.events(refs)
        elif kind == "log":
            marked = found.logs(refs)
        else:
            speakers = found.speakers(refs)
        path = self.store.branch_path(self.home) if self.home else ()
        hits = [
            self._hit(
                kind,
                row._replace(branch_id=self._branch_to_show(row, path)),
                marked.get(row.ref, ItemMark(0, frozenset())),
                speakers,
            )
            for row in rows
        ]
        return tuple(sorted(hits, key=lambda hit: hit.floors or (0, 0), reverse=True))

    def _branch_to_show(self, row: FoundItem, path: Path) -> str:
        if self.branch_id is not None:
            return self.branch_id
        is_seen = any(
            branch == row.branch_id and (highest is None or row.end_index <= highest)
            for branch, highest in path
        )
        return self.home if self.home and is_seen else row.branch_id

    def _hit(
        self, kind: HitKind, row: FoundItem, marked: ItemMark, speakers: dict[str, str]
    ) -> SearchHit:
        words = self.query.words
        title, text = speakers.get(row.ref, ""), row.content
        if kind == "message" and title:
            text = text.removeprefix(f"{title}: ")
        elif kind == "log" and "：" in text:
            title, _colon, text = text.partition("：")
        return SearchHit(
            kind,
            row.ref,
            title_of(title, words),
            passage_of(text, words),
            self.store.chat_id,
            self.name,
            row.branch_id,
            (row.start_index, row.end_index),
            marked.states,
            marked.key,
        )


@dataclass(frozen=True, slots=True)
class SearchScope:
    """Where entities are searched for, and for which actors."""

    store: ChatStore
    chat: str
    branch_id: str | None
    actors: tuple[Actor, ...]
    home: str | None = None


@dataclass(frozen=True, slots=True)
class _Known:
    """What the searcher knows of an entity: its names, the first one to be shown, and the text."""

    names: tuple[str, ...]
    telling: str


def entity_hits(
    place: SearchScope, query: SearchQuery, clauses: Sequence[Clause], limit: int
) -> SearchGroup:
    """Return the entities that match one of ``clauses``: by name first, then by text."""
    # the index tests words only; names and states are tested on the texts
    wanted = [
        replace(
            item_clause(clause, None),
            without=(),
            called=(),
            states=frozenset(),
            not_states=frozenset(),
        )
        for clause in clauses
    ]
    pieces = dict.fromkeys(norm_name(w.text) for clause in clauses for w in clause.words)
    rows = place.store.found.entities(wanted, [piece for piece in pieces if piece])
    known = _known(place, rows)
    hits = [
        _entity_hit(place, query, row, known[row.id])
        for row in rows
        if row.id in known and any(_is_entity_meant(c, row, known[row.id]) for c in clauses)
    ]
    hits.sort(key=lambda hit: not hit.title.marks)  # stable: the best known first
    return SearchGroup("entity", tuple(hits[:limit]), len(hits))


def _is_entity_meant(clause: Clause, row: FoundEntity, known: _Known) -> bool:
    return (
        holds(clause, (*known.names, known.telling))
        and names_wanted(clause, known.names)
        and has_states(clause, ("locked",) if row.is_locked else ())
    )


def _entity_hit(
    place: SearchScope, query: SearchQuery, row: FoundEntity, known: _Known
) -> SearchHit:
    others = in_a_row(known.names[1:])
    telling = "　".join(part for part in (others, known.telling) if part)
    return SearchHit(
        "entity",
        row.id,
        title_of(known.names[0], query.words),
        passage_of(telling, query.words),
        place.store.chat_id,
        place.chat,
        place.branch_id or _branch_to_show(place, row.branch_id or MAIN_BRANCH),
        states=frozenset({"locked"} if row.is_locked else ()),
    )


def _branch_to_show(place: SearchScope, told_on: str) -> str:
    """Return ``home`` if it sees the entity's branch, else the branch that mentions it."""
    if place.home is None:
        return told_on
    sees = {branch for branch, _highest in place.store.branch_path(place.home)}
    return place.home if told_on in sees else told_on


def _known(place: SearchScope, rows: Sequence[FoundEntity]) -> dict[str, _Known]:
    ids = [row.id for row in rows]
    if place.actors and place.branch_id is not None:
        graph = place.store.known_graph(place.branch_id, place.actors)
        return {e.id: _Known(_names(e.name, e.aliases), e.description) for e in graph.entities(ids)}
    told, names = place.store.found.entity_texts(ids), place.store.entities.names(ids)
    return {
        row.id: _Known(
            _names(row.name, names.get(row.id, ())),
            # the first line of the item holds its names
            told[row.id].partition("\n")[2] if row.id in told else row.description,
        )
        for row in rows
    }


def _names(name: str, others: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((name, *others)))


def chat_hits(query: SearchQuery, chat_id: str, name: str) -> SearchGroup:
    """Return a chat if its name matches."""
    if not any(holds(clause, (name,)) for clause in _of_chats(query, name)):
        return SearchGroup("chat", (), 0)
    hit = SearchHit("chat", chat_id, title_of(name, query.words), chat_id=chat_id, chat=name)
    return SearchGroup("chat", (hit,), 1)


def branch_hits(query: SearchQuery, name: str, store: ChatStore) -> SearchGroup:
    """Return the branches of a chat whose names match."""
    clauses = [clause for clause in _of_chats(query, name) if clause.words]
    hits = [
        SearchHit(
            "chat",
            branch_id,
            title_of(name, query.words),
            passage_of(branch, query.words),
            store.chat_id,
            name,
            branch_id,
        )
        for branch_id, _parent, _fork, branch, _source in (
            store.branches.rows()[1:] if clauses else ()
        )
        if any(holds(clause, (branch,)) for clause in clauses)
    ]
    return SearchGroup("chat", tuple(hits), len(hits))


def _of_chats(query: SearchQuery, name: str, kind: HitKind = "chat") -> list[Clause]:
    """Return the clauses that a chat of this name, or its notes, can match: without states."""
    return [
        clause
        for clause in query.for_kind(kind)
        if is_of_chat(clause, name) and not clause.of("is") and not clause.of("entity")
    ]


def note_hits(
    store: ChatStore, name: str, query: SearchQuery, clauses: Sequence[Clause], limit: int
) -> SearchGroup:
    """Return the notes that match one of ``clauses``, except those on deleted things."""
    hits = [
        SearchHit(
            "note",
            note.ref,
            title_of(note.what or name, query.words),
            passage_of(note.text, query.words),
            store.chat_id,
            name,
            note.branch_id,
            note.floors,
            key=note.key,
            on=note.kind,
        )
        for note in (store.private_notes.all() if clauses else ())
        if not note.is_gone and any(holds(clause, (note.text,)) for clause in clauses)
    ]
    return SearchGroup("note", tuple(hits[:limit]), len(hits))


class WorldbookEntries:
    """The entries of worldbooks; each book is read once until it changes."""

    def __init__(self) -> None:
        self._read: dict[str, tuple[WorldbookRow, tuple[Entry, ...]]] = {}

    def forget(self) -> None:
        self._read.clear()

    def group(
        self, ctx: JobContext, store: WorldbookStore, query: SearchQuery, limit: int
    ) -> SearchGroup:
        """Return the matching entries; none for clauses that name a chat."""
        clauses = [c for c in query.for_kind("book") if not c.of("chat")]
        hits: list[SearchHit] = []
        count = 0
        for row in store.rows() if clauses else ():
            ctx.check()
            for entry in self._entries(store, row):
                if any(_is_meant(clause, entry) for clause in clauses):
                    count += 1
                    if len(hits) < limit:
                        hits.append(_hit(query, row, entry))
        return SearchGroup("book", tuple(hits), count)

    def _entries(self, store: WorldbookStore, row: WorldbookRow) -> Sequence[Entry]:
        kept = self._read.get(row.id)
        if kept is None or kept[0] != row:
            kept = self._read[row.id] = (row, tuple(stored.read(store, row).entries))
        return kept[1]


def _keys(entry: Entry) -> str:
    return in_a_row((*entry.keys, *entry.secondary_keys))


def _is_meant(clause: Clause, entry: Entry) -> bool:
    texts = (entry.comment, _keys(entry), entry.content)
    return (
        holds(clause, texts)
        and names_wanted(clause, texts)
        and has_states(clause, ("blue",) if entry.is_constant else ("green",))
    )


def _hit(query: SearchQuery, row: WorldbookRow, entry: Entry) -> SearchHit:
    words, keys = query.words, _keys(entry)
    passage = passage_of(entry.content, words)
    if not passage.marks and passage_of(keys, words).marks:
        passage = passage_of(f"{keys}　{entry.content}", words)
    return SearchHit(
        "book",
        row.id,
        title_of(entry.comment or keys or str(entry.uid), words),
        passage,
        chat=row.name,
        states=frozenset({"blue" if entry.is_constant else "green"}),
        key=entry.uid,
    )


_T = QT_TRANSLATE_NOOP
logger = logging.getLogger(__name__)

SHOWN = 50  # hits of each kind if no limit is given
_OF_CHATS: tuple[HitKind, ...] = ("entity", "event", "message", "log")


class SearchService:
    """Search. Only reads."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._entries = WorldbookEntries()
        session.on_leaving(lambda _chat: self._entries.forget())

    def find(
        self,
        ctx: JobContext,
        text: str,
        line: Line | None = None,
        actors: Sequence[Actor] = (),
        *,
        chat_id: str = "",
        limit: int = SHOWN,
        with_notes: bool = False,
    ) -> SearchResult:
        """Search as typed; `domain.search.query` has the syntax.

        Hits in the chat of ``line`` come first. With ``actors``, only what all of them know on that
        line is found; names of other chats and worldbooks are for the curator. ``chat_id`` limits
        the search to one chat, and to its branch if ``line`` names it. ``with_notes`` includes
        private notes: only for the user, since no model may read what is found. Raises NotFound,
        InputError, Cancelled.
        """
        query = parse(text)
        if actors and line is None:
            raise InputError(Phrase(_T("reports", "Who looks must be in a chat: name it.")))
        if not query.clauses:
            return SearchResult(query)
        found = {kind: SearchGroup(kind, (), 0) for kind in KINDS}
        unread: list[str] = []
        if actors and line is not None:
            self._in_chat(ctx, query, found, (line, tuple(actors), None), limit)
            with_notes = False
        else:
            for one in self._places(line, chat_id):
                ctx.check()
                try:
                    home = line.branch_id if line and line.chat_id == one else None
                    self._in_chat(ctx, query, found, (one, (), home), limit)
                    if with_notes:
                        _add(found, self._notes(one, query, limit), limit)
                except KnownError as e:
                    key = one.chat_id if isinstance(one, Line) else one
                    logger.warning("Chat %s cannot be searched: %s", key, e)
                    unread.append(self._session.library.chat_name(key))
            if not chat_id:
                books = self._session.library.worldbooks
                found["book"] = self._entries.group(ctx, books, query, limit)
        groups = tuple(group for group in found.values() if group.count)
        return SearchResult(query, groups, tuple(unread))

    def event_keys(
        self, ctx: JobContext, line: Line, text: str, actors: Sequence[Actor] = ()
    ) -> list[int] | None:
        """Return the keys of the events of a line that match a search with filters.

        None if it holds words only, which the event list searches itself. Raises Cancelled.
        """
        query = parse(text)
        if query.is_plain:
            return None
        name = self._session.library.chat_name(line.chat_id)
        store = self._session.chat(line.chat_id)
        search = ChatSearch(store, name, query, line.branch_id, tuple(actors))
        key = (SearchService.event_keys, text, line, name, tuple(actors))
        return store.database.until_written.of(key, lambda: search.event_keys(ctx))

    def _places(self, line: Line | None, chat_id: str) -> Iterator[Line | str]:
        """Yield the chats to search: the one shown in the window, then the latest first."""
        if chat_id:
            yield line if line is not None and line.chat_id == chat_id else chat_id
            return
        ids = [row[0] for row in self._session.library.chat_rows()]
        shown = line.chat_id if line is not None else ""
        yield from sorted(ids, key=lambda one: one != shown)

    def _notes(self, place: Line | str, query: SearchQuery, limit: int) -> SearchGroup:
        """Return the matching private notes of a chat."""
        chat_id = place.chat_id if isinstance(place, Line) else place
        name = self._session.library.chat_name(chat_id)
        clauses = [c for c in _of_chats(query, name, "note") if c.words]
        return note_hits(self._session.chat(chat_id), name, query, clauses, limit)

    def _in_chat(
        self,
        ctx: JobContext,
        query: SearchQuery,
        found: dict[HitKind, SearchGroup],
        where: tuple[Line | str, tuple[Actor, ...], str | None],
        limit: int,
    ) -> None:
        """Add the hits of one chat to ``found``."""
        place, actors, home = where
        chat_id, branch_id = (
            (place.chat_id, place.branch_id) if isinstance(place, Line) else (place, None)
        )
        name = self._session.library.chat_name(chat_id)
        if not actors:
            _add(found, chat_hits(query, chat_id, name), limit)
        store = self._session.chat(chat_id)
        if not actors:
            _add(found, branch_hits(query, name, store), limit)
        search = ChatSearch(store, name, query, branch_id, actors, home)
        for kind in _OF_CHATS:
            ctx.check()
            group = found[kind]
            more = search.group(kind, limit - len(group.hits), READ - group.read)
            _add(found, more, limit)


def _add(found: dict[HitKind, SearchGroup], more: SearchGroup, limit: int) -> None:
    group = found[more.kind]
    found[more.kind] = SearchGroup(
        more.kind,
        (*group.hits, *more.hits)[:limit],
        group.count + more.count,
        group.is_about or more.is_about,
        group.read + more.read,
    )


_NAMES = 50  # names of an entity filter that are searched for: limits the SQL

Naming = Callable[[str], tuple[tuple[str, ...], tuple[str, ...]]]


def _is_words_and_states(clause: Clause) -> bool:
    has_other = clause.without or clause.of("entity") or any(w.is_quoted for w in clause.words)
    return not has_other


def item_clause(clause: Clause, naming: Naming | None) -> ItemClause:
    """Return the clause for the index. ``naming`` returns ids and names of entities by name.

    Without ``naming``, an entity is searched for only under the name typed, since the searcher may
    not know its other names.
    """
    asked = [(word, expression(word)) for word in clause.words]
    wanted, unwanted = states(clause)
    return ItemClause(
        matching=tuple(text for _word, text in asked if text),
        without=tuple(expression(word) for word in clause.without if is_settled(word)),
        spelled=tuple(word.text for word, text in asked if text and not is_settled(word)),
        not_spelled=tuple(word.text for word in clause.without if not is_settled(word)),
        written=tuple(word.text for word, text in asked if not text),
        states=wanted,
        not_states=unwanted,
        called=tuple(
            _called(value, naming, is_excluded=chosen.is_excluded)
            for chosen in clause.of("entity")
            for value in chosen.values
        ),
    )


def states(clause: Clause) -> tuple[frozenset[State], frozenset[State]]:
    """Return the states a hit must have, and those it must not have."""
    chosen = clause.of("is")
    wanted = {value for f in chosen if not f.is_excluded for value in f.values}
    unwanted = {value for f in chosen if f.is_excluded for value in f.values}
    return cast("frozenset[State]", frozenset(wanted)), cast(
        "frozenset[State]", frozenset(unwanted)
    )


def has_states(clause: Clause, own: Iterable[State]) -> bool:
    wanted, unwanted = states(clause)
    return wanted <= frozenset(own) and unwanted.isdisjoint(own)


def is_of_chat(clause: Clause, name: str) -> bool:
    """Return whether a clause can match in a chat of this name."""
    chosen = clause.of("chat")
    side = folded(name).text
    among = [f for f in chosen if not f.is_excluded]
    excluded = [f for f in chosen if f.is_excluded]

    def named(values: Iterable[str]) -> bool:
        return any(folded(value).text in side for value in values)

    return (not among or any(named(f.values) for f in among)) and not any(
        named(f.values) for f in excluded
    )


def names_wanted(clause: Clause, texts: Sequence[str]) -> bool:
    """Return whether ``texts`` name each entity that is wanted, and none that is excluded."""
    sides = [folded(text).text for text in texts]
    return all(
        any(folded(value).text in side for value in chosen.values for side in sides)
        is not chosen.is_excluded
        for chosen in clause.of("entity")
    )


def is_settled_by_index(clauses: Sequence[Clause]) -> bool:
    """Return whether the index alone decides, so that hits need not be read."""
    return all(
        is_settled(word) or (is_asked and not expression(word))
        for clause in clauses
        for words, is_asked in ((clause.words, True), (clause.without, False))
        for word in words
    )


def holds_any(clauses: Sequence[Clause], text: str) -> bool:
    sides = (folded(text),)
    return any(holds_folded(clause, sides) for clause in clauses)


def _called(value: str, naming: Naming | None, *, is_excluded: bool) -> NamedPerson:
    if naming is None:
        return NamedPerson((value,), (), is_excluded)
    ids, names = naming(norm_name(value))
    told = [name for name in names if len(name) > 1]  # a single character is everywhere
    return NamedPerson(tuple(dict.fromkeys([value, *told[:_NAMES]])), ids, is_excluded)
