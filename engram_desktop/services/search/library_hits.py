"""What a search finds beside the chats' own memory: chats by name, and entries of worldbooks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from engram_desktop.domain.search.hit import SearchGroup, SearchHit, passage_of, title_of
from engram_desktop.domain.search.matching import holds
from engram_desktop.domain.search.query import Clause, SearchQuery
from engram_desktop.services.search import asked
from engram_desktop.services.worldbooks import stored

if TYPE_CHECKING:
    from engram_desktop.domain.worldbooks.worldbook import Entry, WorldbookRow
    from engram_desktop.jobs.context import JobContext
    from engram_desktop.storage.chat.chat_store import ChatStore
    from engram_desktop.storage.library.worldbooks import WorldbookStore


def chat_hits(query: SearchQuery, chat_id: str, name: str) -> SearchGroup:
    """Return a chat if its name is asked for."""
    if not any(holds(clause, (name,)) for clause in _of_chats(query, name)):
        return SearchGroup("chat", (), 0)
    hit = SearchHit("chat", chat_id, title_of(name, query.words), chat_id=chat_id, chat=name)
    return SearchGroup("chat", (hit,), 1)


def branch_hits(query: SearchQuery, name: str, store: ChatStore) -> SearchGroup:
    """Return the branches of a chat whose names are asked for."""
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


def _of_chats(query: SearchQuery, name: str) -> list[Clause]:
    """Return the clauses that a chat of this name may meet: it has no state."""
    return [
        clause
        for clause in query.for_kind("chat")
        if asked.is_of_chat(clause, name) and not clause.of("is") and not clause.of("entity")
    ]


class WorldbookEntries:
    """The entries of worldbooks, each book read once as long as nobody changes it."""

    def __init__(self) -> None:
        self._read: dict[str, tuple[WorldbookRow, tuple[Entry, ...]]] = {}

    def forget(self) -> None:
        self._read.clear()

    def group(
        self, ctx: JobContext, store: WorldbookStore, query: SearchQuery, limit: int
    ) -> SearchGroup:
        """Return the entries that are asked for. Of a chat there are none."""
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
    return "、".join((*entry.keys, *entry.secondary_keys))


def _is_meant(clause: Clause, entry: Entry) -> bool:
    texts = (entry.comment, _keys(entry), entry.content)
    return (
        holds(clause, texts)
        and asked.tells_of(clause, texts)
        and asked.has_states(clause, ("blue",) if entry.is_constant else ("green",))
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
