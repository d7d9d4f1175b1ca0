"""What a search finds in one chat: messages, events, entities and private logs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from engram_desktop.domain.search.hit import SearchGroup, SearchHit, passage_of, title_of
from engram_desktop.domain.search.query import Clause, HitKind, SearchQuery
from engram_desktop.domain.values import dataclass
from engram_desktop.services.search import asked
from engram_desktop.services.search.entity_hits import Place, entity_hits
from engram_desktop.storage.chat.recall.found import FoundItem, Marked, Seeing

if TYPE_CHECKING:
    from engram_desktop.domain.memory.scope import Actor
    from engram_desktop.storage.chat.chat_store import ChatStore
    from engram_desktop.storage.chat.messages.branches import Path

# Candidates whose text is looked at, of each kind: 15 µs each. The rest is estimated.
READ = 3_000
_READ_AT_LEAST = 60  # of one chat, whatever was read of those before
_ITEMS: dict[HitKind, Literal["turn", "event", "log"]] = {
    "event": "event",
    "message": "turn",
    "log": "log",
}


@dataclass(frozen=True, slots=True)
class ChatSearch:
    """A search in one chat. ``branch_id`` None sees all branches; ``actors`` need one.

    ``home`` is the branch that is shown: what it sees need not be gone to elsewhere.
    """

    store: ChatStore
    name: str
    query: SearchQuery
    branch_id: str | None = None
    actors: tuple[Actor, ...] = ()
    home: str | None = None

    def group(self, kind: HitKind, limit: int, read: int = READ) -> SearchGroup:
        """Return the hits of one kind, at most ``limit``, and how many there are.

        ``read`` is how many texts may be looked at; a few always are.
        """
        clauses = tuple(c for c in self.query.for_kind(kind) if asked.is_of_chat(c, self.name))
        if not clauses:
            return SearchGroup(kind, (), 0)
        if kind == "entity":
            place = Place(self.store, self.name, self.branch_id, self.actors, self.home)
            return entity_hits(place, self.query, clauses, limit)
        return self._items(kind, clauses, limit, max(read, _READ_AT_LEAST))

    def _items(
        self, kind: HitKind, clauses: Sequence[Clause], limit: int, read: int
    ) -> SearchGroup:
        found, row_kind, seeing = self.store.found, _ITEMS[kind], self._seeing()
        naming = None if self.actors else found.called
        wanted = [asked.item_clause(clause, naming) for clause in clauses]
        if asked.is_settled_by_index(clauses):
            count = found.count(row_kind, wanted, seeing)
            rows = found.newest(row_kind, wanted, seeing, limit) if count and limit else []
            return SearchGroup(kind, self._hits(kind, rows), count)
        rows = found.newest(row_kind, wanted, seeing, read)
        true = [row for row in rows if asked.holds_any(clauses, row.content)]
        count = len(true)
        if len(rows) == read:  # of the others the same share is taken to be what was asked for
            count = found.count(row_kind, wanted, seeing) * count // read
        return SearchGroup(
            kind, self._hits(kind, true[:limit]), count, len(rows) == read, len(rows)
        )

    def _seeing(self) -> Seeing:
        path = None if self.branch_id is None else self.store.branch_path(self.branch_id)
        return Seeing(path, self.actors)

    def _hits(self, kind: HitKind, rows: Sequence[FoundItem]) -> tuple[SearchHit, ...]:
        refs = [row.ref for row in rows]
        found = self.store.found
        marked: dict[str, Marked] = {}
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
                marked.get(row.ref, Marked(0, frozenset())),
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
        self, kind: HitKind, row: FoundItem, marked: Marked, speakers: dict[str, str]
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
