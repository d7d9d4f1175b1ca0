"""Names a chat's story may use that are known from elsewhere: cards, worldbooks, the graph.

A tokenizer that is told them never cuts one in two.
"""

from __future__ import annotations

from collections.abc import Iterable

from engram_desktop.domain.graph.entity import EntityType
from engram_desktop.domain.graph.naming import is_entity_name
from engram_desktop.domain.worldbooks.worldbook import Worldbook
from engram_desktop.storage.chat.chat_store import ChatStore

_MOST = 5_000  # entities, best connected first: bounds the time of a summary; not measured
_LONGEST = 40  # characters: longer keys are sentences
_PATTERN = frozenset("/\\{}[]()|^$*+?<>")


def known_names(
    store: ChatStore, branch_id: str, cards: Iterable[str], worldbooks: Iterable[Worldbook]
) -> dict[str, EntityType]:
    """Return names with what they name; ``unknown`` where nobody says. The graph's word wins."""
    kinds: dict[str, EntityType] = {}
    for worldbook in worldbooks:
        for entry in worldbook.entries:
            if entry.mode != "disabled":
                kinds.update(dict.fromkeys(entry.keys, "unknown"))
    kinds.update(dict.fromkeys(cards, "char"))
    for entity in store.entities.find("", _MOST, branch_id):
        kinds.update(dict.fromkeys((entity.name, *entity.aliases), entity.type))
    return {name: kind for name, kind in kinds.items() if _is_name(name)}


def _is_name(name: str) -> bool:
    is_short = 2 <= len(name.strip()) <= _LONGEST
    return is_short and _PATTERN.isdisjoint(name) and is_entity_name(name)
