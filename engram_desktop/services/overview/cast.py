"""Who plays in a story: the people its memory tells of, and who speaks in it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from engram_desktop.domain.errors import InputError
from engram_desktop.domain.graph.entity import EntityNode, norm_name
from engram_desktop.domain.overview.overview import CastMember
from engram_desktop.services.characters import speaking

if TYPE_CHECKING:
    from engram_desktop.domain.memory.scope import Actor
    from engram_desktop.services.library.session import Session
    from engram_desktop.storage.chat.chat_store import ChatStore

LOOKED_AT = 60  # entities, the best known first: places and things are among them
MOST = 12  # people: more than a glance takes in
MOST_FACTS = 3  # of a profile, in one line
MOST_ABOUT = 160  # characters of a card, in one line
MOST_TIES = 2  # relations in one line
_PLAIN = str | int | float


def cast_of(
    session: Session, store: ChatStore, branch_id: str, actors: Sequence[Actor]
) -> tuple[CastMember, ...]:
    """Return the cast of a line, as all ``actors`` know it, who appears most first."""
    people = _people(store, branch_id, actors)
    cards = _cards(session, store)
    # somebody of the story knows what it heard of others, not how much they say
    counts = [] if actors else store.messages.message_counts()
    about = {} if actors else _told_by_cards(session, cards)
    spoken = {norm_name(name): count for name, _role, count in counts}
    users = {norm_name(name) for name, role, _count in counts if role == "user"}
    ties = _ties(store, branch_id, people, actors)
    members, named = [], set[str]()
    for entity in people:
        norms = {norm_name(name) for name in (entity.name, *entity.aliases)}
        named |= norms
        card = next((cards[norm] for norm in norms if norm in cards), "")
        members.append(
            CastMember(
                entity.name,
                entity.id,
                _facts(entity.profile) or about.get(card, "") or ties.get(entity.id, ""),
                entity.event_count,
                sum(spoken.get(norm, 0) for norm in norms),
                card,
                bool(norms & users),
            )
        )
    for name, role, count in counts:
        norm = norm_name(name)
        if norm not in named:
            named.add(norm)
            card = cards.get(norm, "")
            members.append(
                CastMember(
                    name,
                    about=about.get(card, ""),
                    messages=count,
                    card_id=card,
                    is_user=role == "user",
                )
            )
    return tuple(sorted(members, key=lambda m: (-m.events, -m.messages))[:MOST])


def _people(store: ChatStore, branch_id: str, actors: Sequence[Actor]) -> list[EntityNode]:
    entities = store.entities.find("", LOOKED_AT, branch_id)
    known = store.known_graph(branch_id, actors).known(entities) if actors else entities
    return [entity for entity in known if entity.type == "char"]


def _cards(session: Session, store: ChatStore) -> dict[str, str]:
    """Return the ids of the cards that speak in a chat, by what the characters are called."""
    cards: dict[str, str] = {}
    for row in speaking.characters_of_chat(session.library, store):
        for name in (row.name, row.nickname):
            if name:
                cards.setdefault(norm_name(name), row.id)
        for name, avatar in store.messages.characters():
            if avatar and avatar == row.avatar:
                cards.setdefault(norm_name(name), row.id)
    return cards


def _told_by_cards(session: Session, cards: Mapping[str, str]) -> dict[str, str]:
    """Return the first words of each card's description, by its id."""
    told = {}
    for card_id in set(cards.values()):
        row = session.library.characters.find(card_id)
        try:
            character = speaking.character_of(session.library, row)
        except InputError:
            continue  # a card that cannot be read has a face all the same
        text = character.description.replace("{{char}}", character.called)
        lines = (" ".join(line.split()) for line in text.splitlines())
        told[card_id] = next((line for line in lines if line), "")[:MOST_ABOUT]
    return told


def _ties(
    store: ChatStore, branch_id: str, people: Sequence[EntityNode], actors: Sequence[Actor]
) -> dict[str, str]:
    """Say of each what binds it to others, the best witnessed first."""
    names = {entity.id: entity.name for entity in people}
    relations = store.known_graph(branch_id, actors).relations(list(names), among=True)
    current = sorted((r for r in relations if r.is_current), key=lambda r: -len(r.event_ids))
    lines: dict[str, list[str]] = {}
    for relation in current:
        told = lines.setdefault(relation.src, [])
        if len(told) < MOST_TIES:
            told.append(f"{relation.predicate} {names.get(relation.dst, '')}".strip())
    return {entity_id: " · ".join(told) for entity_id, told in lines.items()}


def _facts(profile: Mapping[str, Any]) -> str:
    """Return the first facts of a profile in one line."""
    facts = (str(value).strip() for value in _leaves(profile.values()))
    first = [" ".join(fact.split()) for fact in facts if fact][:MOST_FACTS]
    return " · ".join(first)


def _leaves(values: Iterable[object]) -> Iterable[_PLAIN]:
    for value in values:
        match value:
            case bool() | None:
                continue
            case dict():
                yield from _leaves(value.values())
            case list() | tuple():
                yield from _leaves(value)
            case str() | int() | float():
                yield value
