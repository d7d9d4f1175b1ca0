"""Resolve an actor of a chat, under all names it goes by."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field, replace

from engram_desktop.domain.claims.people import short_forms
from engram_desktop.domain.graph.entity import USER_ENTITY, norm_name
from engram_desktop.domain.knowledge.knowing import Perceiver
from engram_desktop.domain.knowledge.presence import NARRATORS, Scene
from engram_desktop.domain.knowledge.thoughts import Cast as PresentCast
from engram_desktop.domain.knowledge.thoughts import Member
from engram_desktop.domain.memory.line import MAIN_BRANCH
from engram_desktop.domain.values import dataclass
from engram_desktop.formats.json_values import table_of, texts_of
from engram_desktop.services.characters import ChatNames, read_cast
from engram_desktop.services.knowledge import claims
from engram_desktop.services.prompts.macro_scope import header_of
from engram_desktop.storage.chat.chat_store import ChatStore

_SURE = 0.95  # confidence that a character the chat was begun with is present; not measured
# Of `chat_metadata` in the header of a chat begun in this program: who was present at the start.
PLAY_HEADER = "engram_play"
MEMBERS = "members"


@dataclass(frozen=True, slots=True)
class People:
    """The names of a chat: its speakers, and the names of each entity."""

    cast: ChatNames
    aliases: dict[str, str]  # normalised name (`norm_name`) to entity id
    called: dict[str, frozenset[str]]  # entity id to normalised names
    _named: dict[str, str] = field(default_factory=dict)  # cache of `name_of`

    @classmethod
    def of(cls, store: ChatStore) -> People:
        aliases = store.entities.aliases()
        called: dict[str, set[str]] = {}
        for norm, entity_id in aliases.items():
            called.setdefault(entity_id, set()).add(norm)
        return cls(read_cast(store), aliases, {i: frozenset(n) for i, n in called.items()})

    def norms(self, name: str) -> frozenset[str]:
        """Return every name that ``name`` goes by, normalised by `norm_name`."""
        norm = norm_name(name)
        norms = {norm}
        for entity_id in (self.aliases.get(norm), self.cast.named(name)):
            if entity_id is not None:
                norms |= self.called.get(entity_id, frozenset())
                norms |= {norm_name(n) for n in self.cast.members().get(entity_id, ())}
        return frozenset(norms)

    def named(self, people: Iterable[Perceiver]) -> tuple[Perceiver, ...]:
        """Return the persons with role words (the player, {{char}}) replaced by names."""
        return tuple(
            person
            if (name := self.name_of(person.name)) == person.name
            else Perceiver(name, person.how, person.confidence)
            for person in people
        )

    def name_of(self, name: str) -> str:
        """Return the name that a role word stands for; any other name is returned as it is."""
        if name not in self._named:
            self._named[name] = self._name_of(name)
        return self._named[name]

    def _name_of(self, name: str) -> str:
        entity_id = self.cast.named(name)
        names = self.cast.members().get(entity_id, ()) if entity_id else ()
        return names[0] if names and norm_name(name) not in map(norm_name, names) else name


def present_cast(store: ChatStore) -> PresentCast:
    """Return who may be present in a chat, for the rules of presence; narrators are left out."""
    people = People.of(store)
    voices = [name for name, _speaker in store.messages.characters()]
    voices += [name for name in began_with(store) if name not in voices]
    players = people.cast.user
    player_norms = {norm_name(name) for name in players}
    by_id: dict[str, list[str]] = {}
    for name in voices:
        if norm_name(name) not in player_norms and norm_name(name) not in NARRATORS:
            by_id.setdefault(people.aliases.get(norm_name(name), name), []).append(name)
    named = {e.id: e for e in store.entities.fetch(sorted(by_id))}
    members = []
    for entity_id, names in by_id.items():
        entity = named.get(entity_id)
        others = [*names[1:], *((entity.name, *entity.aliases) if entity is not None else ())]
        members.append(Member(names[0], tuple(dict.fromkeys(n for n in others if n != names[0]))))
    persona = store.entities.fetch([USER_ENTITY])
    called = [*players, *(n for e in persona for n in (e.name, *e.aliases))]
    is_group = len(members) > 1
    cast = PresentCast(
        tuple(members), players[0] if players else "", is_group, tuple(dict.fromkeys(called[1:]))
    )
    return cast if is_group else _with_narrated(store, cast, people)


def _with_narrated(store: ChatStore, cast: PresentCast, people: People) -> PresentCast:
    """Return the cast of a chat with one card, with the persons that card speaks for."""
    told = claims.narrated(store)
    characters = tuple(_played(member, told.plays) for member in cast.characters)
    cast = replace(cast, characters=characters)
    own = {norm_name(name) for member in cast.characters for name in _all_names(member)}
    own |= {norm_name(name) for name in (cast.player, *cast.player_names)}
    own |= {norm for name in list(own) for norm in people.norms(name)}
    members = tuple(
        Member(name, short_forms(name)) for name in told.names if norm_name(name) not in own
    )
    if not members:
        return cast
    called = {member.name for member in cast.characters} & told.narrators
    return replace(cast, narrated=members, narrators=frozenset(called))


def _played(member: Member, plays: Mapping[str, str]) -> Member:
    """Return a character under the name of the person that its card plays."""
    own = plays.get(member.name)
    if own is None:
        return member
    others = dict.fromkeys((*_all_names(member), *short_forms(own)))
    return Member(own, tuple(name for name in others if name != own))


def _all_names(member: Member) -> tuple[str, ...]:
    return (member.name, *member.other_names)


def began_with(store: ChatStore) -> tuple[str, ...]:
    """Return the characters a chat was begun with in this program; none for imported chats."""
    header = header_of(store, MAIN_BRANCH)
    play = table_of(table_of(header.get("chat_metadata")).get(PLAY_HEADER))
    return texts_of(play.get(MEMBERS, []))


def beginning(store: ChatStore, cast: PresentCast) -> Scene:
    """Return the scene before the first message: the characters a chat was begun with."""
    there = began_with(store)
    scene = Scene()
    for name in (*there, *([cast.player] if there and cast.player else ())):
        scene = scene.with_(name, _SURE)
    return scene
