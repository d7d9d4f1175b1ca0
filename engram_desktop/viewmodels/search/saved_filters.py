"""Filters of events that are kept: what is filtered and sorted, by name, beside the chats."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any, get_args

from PySide6.QtCore import QObject
from typing_extensions import override

from engram_desktop.domain.memory.event import EventQuery, EventSort
from engram_desktop.domain.memory.facets import facets_of_json, facets_to_json
from engram_desktop.viewmodels.events.event_words import sort_names
from engram_desktop.viewmodels.events.facet_words import filter_words
from engram_desktop.viewmodels.search.library_finder import MOST_SAVED
from engram_desktop.viewmodels.search.remembered import Remembered
from engram_desktop.viewmodels.search.saved_searches import KeptLists, SavedSearches
from engram_desktop.viewmodels.workspace.messages import Messages

FILTERS = KeptLists("filters of events", "names of filters", "filters not pinned")


def query_text(query: EventQuery) -> str:
    """Write down what a list shows and how it is sorted; `query_of` reads it."""
    return json.dumps(
        {
            "text": query.text,
            "facets": facets_to_json(query.facets),
            "sort": query.sort,
            "reversed": query.is_reversed,
        },
        ensure_ascii=False,
        sort_keys=True,
    )


def query_of(text: str) -> EventQuery:
    """Read a filter. What is not understood is left out: files may be foreign."""
    try:
        read = json.loads(text)
    except (ValueError, RecursionError):
        return EventQuery()
    if not isinstance(read, dict):
        return EventQuery()
    sort: Any = read.get("sort")
    query = EventQuery(
        text=str(read.get("text") or ""),
        facets=facets_of_json(str(read.get("facets") or "")),
        is_reversed=read.get("reversed") is True,
    )
    return replace(query, sort=sort) if sort in get_args(EventSort) else query


class SavedFilters(SavedSearches):
    def __init__(
        self, remembered: Remembered, messages: Messages, parent: QObject | None = None
    ) -> None:
        super().__init__(remembered, messages, parent, lists=FILTERS)

    def save(self, query: EventQuery) -> None:
        """Keep a filter beside the chats, named by what it says until it is renamed."""
        text = query_text(query)
        self._kept.remove(FILTERS.unpinned, text)
        self._kept.add(FILTERS.saved, text, MOST_SAVED)
        self._tell(
            self.tr("“{name}” is kept beside the chats. F2 renames it there.").format(
                name=self.name_of(text)
            ),
            lambda: self._kept.remove(FILTERS.saved, text),
        )

    @override
    def words(self, text: str) -> str:
        query = query_of(text)
        parts = [f"“{query.text}”"] if query.text else []
        if query.facets:
            parts.append(filter_words(query.facets))
        return " ".join(parts) or sort_names()[query.sort]

    @override
    def unpinned_words(self, name: str) -> str:
        return self.tr("“{name}” stays in the menu of the events page.").format(name=name)

    @override
    def deleted_words(self, name: str) -> str:
        return self.tr("The filter “{name}” was deleted.").format(name=name)
