"""The part of the facade that deals with entities and their relations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.entity import EntityNode, EntityType, GraphView, norm_name
from engram_desktop.domain.errors import NotFound
from engram_desktop.domain.event import EventNode
from engram_desktop.domain.ids import MAIN_BRANCH
from engram_desktop.services import entities, export
from engram_desktop.services.open_chats import OpenChats

ENTITIES_SHOWN = 500


class Graphs(OpenChats):
    """What `Memory` can do with the graph of a chat, as a branch sees it."""

    def find_entities(
        self,
        chat_id: str,
        text: str = "",
        limit: int = ENTITIES_SHOWN,
        branch_id: str = MAIN_BRANCH,
    ) -> list[EntityNode]:
        return self._chat(chat_id).entities.find(text, limit, branch_id)

    def neighbourhood(
        self,
        chat_id: str,
        center_id: str | None,
        hops: int = 1,
        limit: int = 150,
        branch_id: str = MAIN_BRANCH,
    ) -> GraphView:
        return self._chat(chat_id).entities.neighbourhood(center_id, hops, limit, branch_id)

    def entity_events(
        self, chat_id: str, entity_id: str, branch_id: str = MAIN_BRANCH
    ) -> list[EventNode]:
        store = self._chat(chat_id)
        return store.events.by_ids(store.entities.event_ids(entity_id, branch_id))

    def find_entity(self, chat_id: str, wanted: str) -> EntityNode:
        """Return the entity with this id, name or alias. Raises NotFound."""
        store = self._chat(chat_id)
        entity_id = store.entities.aliases().get(norm_name(wanted), wanted)
        found = store.entities.fetch([entity_id])
        if not found:
            raise NotFound("entity", wanted)
        return found[0]

    def update_entity(
        self,
        chat_id: str,
        entity_id: str,
        *,
        name: str | None = None,
        kind: EntityType | None = None,
        profile: dict[str, Any] | None = None,
        locked: bool | None = None,
    ) -> Changes:
        """Change what is given of an entity. Raises NotFound, InputError, Conflict."""
        return entities.update_entity(
            self._chat(chat_id), entity_id, name=name, kind=kind, profile=profile, locked=locked
        )

    def set_aliases(self, chat_id: str, entity_id: str, aliases: Sequence[str]) -> Changes:
        return entities.set_aliases(self._chat(chat_id), entity_id, aliases)

    def merge_entities(self, chat_id: str, sources: Sequence[str], target: str) -> Changes:
        """Make ``sources`` one with ``target``."""
        return entities.merge(self._chat(chat_id), sources, target)

    def split_entity(self, chat_id: str, entity_id: str, alias: str) -> Changes:
        """Make an entity of its own of one alias."""
        return entities.split(self._chat(chat_id), entity_id, alias)

    def graph(self, chat_id: str, branch_id: str = MAIN_BRANCH) -> dict[str, Any]:
        """The whole graph as node-link data."""
        return export.graph_data(self._chat(chat_id), branch_id)

    def graphml(self, chat_id: str, branch_id: str = MAIN_BRANCH) -> str:
        """The whole graph as GraphML, for other graph tools."""
        return export.graphml(self._chat(chat_id), branch_id)

    def save_layout(self, chat_id: str, places: dict[str, tuple[float, float]]) -> Changes:
        """Remember where nodes were drawn; not an undoable step."""
        store = self._chat(chat_id)
        with store.database.writing():
            store.entities.save_layout(places)
        return Changes(chat_id=chat_id)
