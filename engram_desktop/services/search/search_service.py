"""Search over the whole library, as the curator or as somebody of the story."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from engram_desktop.domain.errors import InputError, KnownError
from engram_desktop.domain.marks import QT_TRANSLATE_NOOP
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.phrase import Phrase
from engram_desktop.domain.search.hit import SearchGroup, SearchResult
from engram_desktop.domain.search.query import KINDS, HitKind, SearchQuery, parse
from engram_desktop.services.search.chat_hits import READ, ChatSearch
from engram_desktop.services.search.library_hits import WorldbookEntries, branch_hits, chat_hits

if TYPE_CHECKING:
    from engram_desktop.domain.memory.scope import Actor
    from engram_desktop.jobs.context import JobContext
    from engram_desktop.services.library.session import Session

_T = QT_TRANSLATE_NOOP
logger = logging.getLogger(__name__)

SHOWN = 50  # hits of each kind, where nobody says how many
_OF_CHATS: tuple[HitKind, ...] = ("entity", "event", "message", "log")


class SearchService:
    """Search. It reads, and writes nothing."""

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
    ) -> SearchResult:
        """Search as typed: `domain.search.query` says what may be typed.

        Of the chat of ``line`` hits come first. With ``actors``, only what all of them know on that
        line is found: names of other chats and worldbooks are the curator's. ``chat_id`` keeps to
        one chat, and to its branch where ``line`` names it. Raises NotFound, InputError, Cancelled.
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
        else:
            for one in self._places(line, chat_id):
                ctx.check()
                try:
                    home = line.branch_id if line and line.chat_id == one else None
                    self._in_chat(ctx, query, found, (one, (), home), limit)
                except KnownError as e:
                    key = one.chat_id if isinstance(one, Line) else one
                    logger.warning("Chat %s cannot be searched: %s", key, e)
                    unread.append(self._session.library.chat_name(key))
            if not chat_id:
                books = self._session.library.worldbooks
                found["book"] = self._entries.group(ctx, books, query, limit)
        groups = tuple(group for group in found.values() if group.count)
        return SearchResult(query, groups, tuple(unread))

    def _places(self, line: Line | None, chat_id: str) -> Iterator[Line | str]:
        """Yield the chats to be searched: the one that is shown, then the latest."""
        if chat_id:
            yield line if line is not None and line.chat_id == chat_id else chat_id
            return
        ids = [row[0] for row in self._session.library.chat_rows()]
        shown = line.chat_id if line is not None else ""
        yield from sorted(ids, key=lambda one: one != shown)

    def _in_chat(
        self,
        ctx: JobContext,
        query: SearchQuery,
        found: dict[HitKind, SearchGroup],
        where: tuple[Line | str, tuple[Actor, ...], str | None],
        limit: int,
    ) -> None:
        """Add what one chat has to what was found."""
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
