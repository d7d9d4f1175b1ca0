"""Who a name in an answer is: a known entity, one to be made, or nobody.

Aliases first, exactly; then the persona and the character; then what is certainly the same
spelling. Everything else is new: a name that only resembles another may be another person.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from engram_desktop.domain.graph.entity import EntityType, norm_name
from engram_desktop.domain.graph.naming import CHAR_ENTITY, is_entity_name
from engram_desktop.domain.memory.ids import new_id
from engram_desktop.services.characters.cast import Cast, read_cast
from engram_desktop.services.graph.folding import identity_key
from engram_desktop.storage.chat.chat_store import ChatStore


class Resolver:
    """Resolves the names of one batch of events after another. Writes nothing until `write`.

    Between two batches nobody else may change what entities are called.
    """

    def __init__(self, store: ChatStore) -> None:
        self._store = store
        self._aliases: dict[str, str] = {}
        self._keys: dict[str, set[str]] = defaultdict(set)
        self._cast: Cast = read_cast(store)
        self._know(store.entities.aliases())
        self._begin()

    def _begin(self) -> None:
        """Forget what the last batch made up: what became of it is known from the tables."""
        self._fixed = self._store.entities.stands_for(self._cast.members())
        self._ids: dict[str, str] = {}
        self._new: dict[str, tuple[str, EntityType]] = {}
        self._made_keys: list[tuple[str, str]] = []
        self._learnt: list[tuple[str, str]] = []
        self._types: dict[str, EntityType] = {}

    def _know(self, aliases: Mapping[str, str]) -> None:
        self._aliases.update(aliases)
        for alias, entity_id in aliases.items():
            self._keys[identity_key(alias)].add(entity_id)

    def resolve(self, name: str, kind: EntityType = "unknown") -> str | None:
        """Return the id of who is meant; None where the word names nobody."""
        text = self._cast.filled(name)
        norm = norm_name(text)
        if norm not in self._ids:
            entity_id = self._find(text, norm)
            if entity_id is None:
                return None
            self._ids[norm] = entity_id
        entity_id = self._ids[norm]
        if entity_id in self._fixed.values() or self._cast.speaks(text):
            self._types[entity_id] = "char"  # whatever the first answer took them for
        elif kind != "unknown":
            self._types.setdefault(entity_id, kind)
        return entity_id

    def is_new(self, entity_id: str) -> bool:
        return entity_id in self._new

    def write(self, used: set[str], now: int) -> None:
        """Make those new entities that are ``used``; let known ones learn names and types.

        This ends the batch: none of its entities is new any more.
        """
        writes = self._store.entity_writes
        new = [(i, *self._new[i]) for i in self._new if i in used]
        writes.add([(i, name, self._types.get(i, kind)) for i, name, kind in new], now)
        writes.learn([(i, name) for i, name in self._learnt if i in used])
        writes.learn_types([(i, k) for i, k in self._types.items() if i in used])
        writes.make_people(i for i in self._fixed.values() if i in used)
        for key, entity_id in self._made_keys:
            self._keys[key].discard(entity_id)
        aliases = self._store.entities.aliases(
            {*self._ids, *(norm_name(name) for _i, name, _kind in new)}
        )
        if any(i == CHAR_ENTITY and norm not in self._aliases for norm, i in aliases.items()):
            self._cast = read_cast(self._store)  # it goes by the character's names
        self._know(aliases)
        self._begin()

    def _find(self, text: str, norm: str) -> str | None:
        if norm in self._aliases:
            return self._aliases[norm]
        fixed = self._cast.named(text)
        if fixed is not None:
            return self._member(fixed, text, norm)
        if not is_entity_name(text):
            return None
        key = identity_key(text)
        same = self._keys[key] if key else set()
        if len(same) == 1:
            (entity_id,) = same
            self._learnt.append((entity_id, text))
            return entity_id
        return self._make(new_id(), text, "unknown", key)

    def _member(self, fixed: str, text: str, norm: str) -> str:
        """Return the entity of the persona or character, made or given one more name."""
        names = self._cast.members()[fixed]
        entity_id = self._fixed.get(fixed)
        if entity_id is None:
            entity_id = self._make(fixed, names[0], "char", identity_key(names[0]))
            self._fixed[fixed] = entity_id
        if norm in {norm_name(name) for name in names}:
            self._learnt.append((entity_id, text))
        return entity_id

    def _make(self, entity_id: str, name: str, kind: EntityType, key: str) -> str:
        self._new[entity_id] = (name, kind)
        self._keys[key].add(entity_id)
        self._made_keys.append((key, entity_id))
        return entity_id


def renumber_cast(store: ChatStore, now: int) -> None:
    """Give the persona and the character their fixed ids where they have others.

    That was so before ids were fixed: who is named like a speaker is that speaker.
    """
    entities = store.entities
    members = read_cast(store).members()
    fixed_ids = entities.stands_for(members)
    aliases = entities.aliases()
    for fixed, names in members.items():
        other = next((aliases[n] for n in map(norm_name, names) if n in aliases), None)
        if fixed not in fixed_ids and other is not None and other not in fixed_ids.values():
            store.entity_edits.renumber(other, fixed, now)
