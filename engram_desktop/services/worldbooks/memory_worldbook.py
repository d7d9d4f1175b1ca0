"""A chat's memory as a worldbook of its own, `[Engram] {角色名}` (design note 002 §3).

For front ends that know nothing of Engram. It goes into a new file, never into a worldbook of the
user's. It holds only what everybody may know, since a worldbook cannot keep a secret. Nothing in it
can run as a macro or template, or end the block it stands in.

Keys are names and rare words. SillyTavern looks for keys in the newest messages, including the
names of their speakers; an entry keyed by a constant speaker, or by a word of every other message,
would be in every prompt.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from engram_desktop.domain.graph.entity import EntityNode, Relation, norm_name
from engram_desktop.domain.memory.event import (
    Confidence,
    EventNode,
    EventQuery,
    is_at_least,
    is_visible,
)
from engram_desktop.domain.memory.line import MAIN_BRANCH
from engram_desktop.domain.memory.scope import Actor, is_ordinary
from engram_desktop.domain.pipeline.prompt_template import CARDS, relabelled
from engram_desktop.domain.text.cleaning import clean
from engram_desktop.domain.values import dataclass
from engram_desktop.domain.worldbooks.activation import Activation
from engram_desktop.domain.worldbooks.merging import mark_of
from engram_desktop.domain.worldbooks.worldbook import Entry, Position, Worldbook
from engram_desktop.formats.world_info import entry_of, new_worldbook
from engram_desktop.jobs.context import JobContext, empty_in_portions
from engram_desktop.services.characters import read_cast
from engram_desktop.services.library.whole_file import write_new
from engram_desktop.services.prompts.prompts import Language, language_of
from engram_desktop.storage.chat.chat_store import ChatStore, KnownGraph

_LANGUAGE_SAMPLE = 40  # floors read, spread over the chat: 1 ms


def chat_language(store: ChatStore, branch_id: str = MAIN_BRANCH, text: str = "") -> Language:
    """Return the language of a chat's story; without messages, that of ``text``.

    A sample of cleaned messages decides, so that a greeting in another language or a status panel
    does not.
    """
    count = store.messages.count(branch_id)
    step = max(1, count // _LANGUAGE_SAMPLE)
    sample = store.messages.texts_at(branch_id, range(0, count, step))
    texts = [cleaned for sampled in sample if (cleaned := clean(sampled))]
    return language_of(texts or [text])


def card_of(event: EventNode, language: Language) -> str:
    """Return an event's card with labels in ``language``; cards of other templates unchanged.

    Cards made with a wrong language stay stored as they are until they are edited.
    """
    return relabelled(event.display_text, event.raw_data, CARDS[language]) or event.summary


_SAMPLE = 400  # messages read, spread over the chat: 20 ms, for shares known to 2 in 100
_ALWAYS = 0.25  # share of the messages from which somebody counts as always speaking
_FREQUENT = 0.1  # share of the messages from which a word is no key; two are scanned by default
_FEWEST = 4  # messages; with fewer, a word in three of twenty messages would count as frequent
_EVERYWHERE = 0.5  # share of the messages from which even a name is no key
_FALLBACK = 2  # keys of an entry without a rare one
_PATTERN = re.compile(r"^/(?=.*/[a-z]*$)", re.DOTALL)


class WorldbookKeys:
    """Chooses keys by who always speaks in a chat and how frequent words are."""

    def __init__(self, store: ChatStore, branch_id: str) -> None:
        count = store.messages.count(branch_id)
        step = max(1, count // _SAMPLE)
        sample = [
            message
            for floor in range(0, count, step)
            for message in store.messages.slice(branch_id, floor, floor)
        ]
        self._texts = [norm_name(f"{m.name}: {m.text}") for m in sample]
        spoken = Counter(norm_name(m.name) for m in sample if m.role != "system")
        cast = read_cast(store)
        always = {norm_name(name) for name in (*cast.user, *cast.char)}
        always |= {name for name, n in spoken.items() if n >= _ALWAYS * len(sample)}
        self._always = frozenset(always - {""})
        self._shares: dict[str, float] = {}

    def of_event(self, event: EventNode) -> list[str]:
        """Return the keys of an archived event: its rare keywords, else the names in it."""
        words = plain_keys(event.keywords)
        rare_keywords = [word for word in words if self._is_rare(word)]
        if rare_keywords:
            return rare_keywords
        words += plain_keys([*(e.name for e in event.raw_data.entities), *event.participants])
        candidates = [word for word in dict.fromkeys(words) if not self._is_of_the_cast(word)]
        rare = [word for word in candidates if self._is_rare(word)]
        by_share = sorted(candidates, key=lambda word: (self._share(word), candidates.index(word)))
        return rare or [word for word in by_share if self._share(word) < _EVERYWHERE][:_FALLBACK]

    def of_entity(self, entity: EntityNode) -> list[str]:
        """Return an entity's names as keys; none for somebody who always speaks."""
        names = plain_keys((entity.name, *entity.aliases))
        is_name = entity.type in {"char", "loc"}
        return [
            name
            for name in names
            if not self._is_of_the_cast(name)
            and (self._share(name) < _EVERYWHERE if is_name else self._is_rare(name))
        ]

    def _is_of_the_cast(self, word: str) -> bool:
        """Return whether ``word`` occurs in the name of somebody who always speaks."""
        norm = norm_name(word)
        return any(norm in name for name in self._always)

    def _is_rare(self, word: str) -> bool:
        if self._is_of_the_cast(word):
            return False
        share = self._share(word)
        return share < _FREQUENT or share * len(self._texts) < _FEWEST

    def _share(self, word: str) -> float:
        norm = norm_name(word)
        if norm not in self._shares:
            count = sum(norm in text for text in self._texts)
            self._shares[norm] = count / max(1, len(self._texts))
        return self._shares[norm]


def plain_keys(words: Iterable[str]) -> list[str]:
    """Return words as plain keys: without patterns, empty ones and duplicates."""
    cleaned: Sequence[str] = [
        _PATTERN.sub("", " ".join(word.replace(",", " ").split())) for word in words
    ]
    return list(dict.fromkeys(word for word in cleaned if word and "{{" not in word))


MARK = "[Engram] "  # prefix of the title of every worldbook made from a memory
MARKED = "engram"  # key of the marks in the extensions of a kept worldbook
SUMMARY_KEYS = ("engram总结", "剧情摘要")
STATE_KEY = "__ENGRAM_STATE__"
STATE_NAME = "Engram System State"
FIRST_ORDER = 9_000  # after the user's own entries, which have 100 unless they were moved
_ENTITY_ORDER = 8_000  # before the events, which are in story order
_EVERY = 1_000_000  # limit, higher than any chat has
_CHUNK = 2_000  # entries between two checks for a cancel
# An entry keeps its number between writings, since SillyTavern remembers effects by it.
_OPENING, _CLOSING, _STATE = range(3)  # from here on, odd numbers are events, even ones entities
_DELIMITER = re.compile(r"<(?=/?summary\b|%)", re.IGNORECASE)
_MACRO = re.compile(r"\{\{(?!(?:user|char)\}\})", re.IGNORECASE)
Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class MemoryWorldbook:
    """The worldbook of a memory: its entries in story order, and the event of each entry."""

    title: str
    rows: tuple[Row, ...]
    events: Mapping[int | str, int]  # number of an entry -> key of its event

    def content(self, ctx: JobContext) -> bytes:
        """Return the content of the file."""
        return new_worldbook(self.rows, self.title, ctx.check)

    def kept_content(self, ctx: JobContext) -> bytes:
        """Return the content of a kept file, which has a mark for each entry."""
        marks = {str(entry.uid): mark_of(entry) for entry in self.as_worldbook(ctx).entries}
        extensions = {MARKED: {"entries": marks}}
        return new_worldbook(self.rows, self.title, ctx.check, extensions)

    def as_worldbook(self, ctx: JobContext) -> Worldbook:
        """Return the entries as they would be parsed from the file."""
        entries: list[Entry] = []
        for number, row in enumerate(self.rows):
            if number % _CHUNK == 0:
                ctx.check()
            entries.append(entry_of(row))
        return Worldbook(self.title, tuple(entries))


def write_memory_worldbook(
    ctx: JobContext,
    store: ChatStore,
    name: str,
    target: Path,
    branch_id: str,
    actors: Sequence[Actor],
) -> int:
    """Write the memory of a branch to a new file; returns the number of entries.

    Raises InputError if the file exists.
    """
    worldbook = memory_worldbook(ctx, store, name, branch_id, actors=actors)
    write_new(target, worldbook.content(ctx))
    return len(worldbook.rows)


def worldbook_title(store: ChatStore, name: str) -> str:
    """Return the worldbook title of a chat: from its character, if one speaks, else its name."""
    return f"{MARK}{next(iter(read_cast(store).char), '') or name}"


def memory_worldbook(
    ctx: JobContext,
    store: ChatStore,
    name: str,
    branch_id: str = MAIN_BRANCH,
    least: Confidence = "imported",
    actors: Sequence[Actor] = (),
) -> MemoryWorldbook:
    """Return the worldbook of a memory: summaries in story order, entities, the state.

    With ``actors``, only what all of them know.
    """
    public = _public(ctx, store, branch_id, actors)
    events = [event for event in public if is_at_least(event.confidence, least)]
    # Parts of an outline are represented by it, and recalled by their own keywords.
    events.sort(key=lambda e: (e.source_range, -e.level, e.timestamp, e.id))
    keys, language = WorldbookKeys(store, branch_id), chat_language(store, branch_id)
    rows = [_separator("<summary>", _OPENING, FIRST_ORDER)]
    for n, event in enumerate(events, start=1):
        rows.append(_event(event, FIRST_ORDER + n, card_of(event, language), keys))
    rows.append(_separator("</summary>", _CLOSING, FIRST_ORDER + len(events) + 1))
    ctx.check()
    graph = store.known_graph(branch_id, actors)
    rows += _entities(store, graph, branch_id, {event.id for event in public}, keys)
    rows.append(_state(store, branch_id, events))
    for place, row in enumerate(rows):
        row["displayIndex"] = place
    numbers: dict[int | str, int] = {_event_number(event.pk): event.pk for event in events}
    events.clear()
    empty_in_portions(public)
    return MemoryWorldbook(worldbook_title(store, name), tuple(rows), numbers)


def _public(
    ctx: JobContext, store: ChatStore, branch_id: str, actors: Sequence[Actor]
) -> list[EventNode]:
    """Return the events that everybody may know, reading them in parts."""
    pks = store.events.find(EventQuery(branch_id=branch_id, actors=tuple(actors)))
    events: list[EventNode] = []
    for start in range(0, len(pks), _CHUNK):
        ctx.check()
        part = store.events.fetch(pks[start : start + _CHUNK])
        events += [event for event in part.values() if is_ordinary(event.scope, event.condition)]
    return events


def _event_number(pk: int) -> int:
    return 2 * pk + 1


def event_of(uid: int | str) -> int | None:
    """Return the key of the event behind an entry number; None for other entries."""
    is_event = isinstance(uid, int) and uid > _STATE and uid % 2 == 1
    return (int(uid) - 1) // 2 if is_event else None


def entity_row_of(uid: int | str) -> int | None:
    """Return the row number of the entity behind an entry number; None for other entries."""
    is_entity = isinstance(uid, int) and uid > _STATE and uid % 2 == 0
    return (int(uid) - 2) // 2 if is_entity else None


def is_frame(uid: int | str) -> bool:
    """Return whether an entry only frames the others: the tags around the story, the state."""
    return uid in (_OPENING, _CLOSING, _STATE)


def _event(event: EventNode, order: int, card: str, worldbook_keys: WorldbookKeys) -> Row:
    source = event.source_range
    is_constant = is_visible(event)
    keys = list(SUMMARY_KEYS)
    if not is_constant:
        keys += worldbook_keys.of_event(event)
    return {
        "uid": _event_number(event.pk),
        "key": keys,
        "comment": f"剧情摘要_{source.start_index}-{source.end_index}",
        "content": defused(card),
        "constant": is_constant,
        "order": order,
        **_FIXED,
    }


def _entities(
    store: ChatStore,
    graph: KnownGraph,
    branch_id: str,
    public: set[str],
    worldbook_keys: WorldbookKeys,
) -> list[Row]:
    entities = graph.known(store.entities.find("", _EVERY, branch_id))
    names = {entity.id: entity.name for entity in entities}
    numbers = store.entities.keys()
    relations: dict[str, list[Relation]] = {}
    for relation in graph.current(names):
        if relation.is_by_hand or not public.isdisjoint(relation.event_ids):
            relations.setdefault(relation.src, []).append(relation)
            if relation.dst != relation.src:
                relations.setdefault(relation.dst, []).append(relation)
    rows = []
    for entity in entities:
        content = _entity_text(entity, relations.get(entity.id, ()), names)
        keys = worldbook_keys.of_entity(entity)
        if content and keys:
            rows.append(
                {
                    "uid": 2 * numbers[entity.id] + 2,
                    "key": keys,
                    "comment": f"实体_{entity.name}",
                    "content": content,
                    "order": _ENTITY_ORDER,
                    **_FIXED,
                }
            )
    return rows


def _entity_text(entity: EntityNode, relations: Sequence[Relation], names: dict[str, str]) -> str:
    facts = [
        f"{names[r.src]} {r.predicate} {names[r.dst]}"
        for r in relations
        if r.src in names and r.dst in names
    ]
    parts = [entity.description.strip(), *dict.fromkeys(facts)]
    body = "\n".join(part for part in parts if part)
    others = [alias for alias in entity.aliases if alias != entity.name]
    head = f"{entity.name} ({', '.join(others)})" if others else entity.name
    return defused(f"{head}\n{body}") if body else ""


def _state(store: ChatStore, branch_id: str, events: Sequence[EventNode]) -> Row:
    state = store.accounted_state(branch_id)
    value = {
        "format": "engram",
        "version": 1,
        "chat_id": store.chat_id,
        "branch_id": branch_id,
        "events": len(events),
        "last_summarized_floor": state.last_summarized_floor,
        "last_extracted_floor": state.last_extracted_floor,
        "token_usage_accumulated": state.token_usage_accumulated,
        "last_compressed_at": state.last_compressed_at,
        "active_summary_order": state.active_summary_order,
    }
    return {
        "uid": _STATE,
        "key": [STATE_KEY],
        "comment": STATE_NAME,
        "content": json.dumps(value, ensure_ascii=False, indent=2),
        "disable": True,
        "order": _ENTITY_ORDER - 1,
        **_FIXED,
    }


def _separator(tag: str, uid: int, order: int) -> Row:
    return {"uid": uid, "comment": tag, "content": tag, "constant": True, "order": order, **_FIXED}


# Memories must not trigger each other or other entries, and no budget may cut a block.
_FIXED: Row = {
    "addMemo": True,
    "selective": False,
    "excludeRecursion": True,
    "preventRecursion": True,
}


def defused(text: str) -> str:
    """Remove from a text what a front end would run, or take for the end of the block."""
    plain = _MACRO.sub("{ {", _DELIMITER.sub("‹", text))
    return f" {plain}" if plain.startswith("@@") else plain


_PLACES = (
    Position.BEFORE_CHARACTER,
    Position.AFTER_CHARACTER,
    Position.EXAMPLES_TOP,
    Position.EXAMPLES_BOTTOM,
    Position.NOTE_TOP,
    Position.NOTE_BOTTOM,
    Position.AT_DEPTH,
)
# Returns what a model gets of an entry's text, given the depth it is inserted at (or None).
AsTold = Callable[[str, int | None], str]


def context(activation: Activation, as_told: AsTold) -> str:
    """Return the text of every entry that fired, in prompt order, without outlets."""
    entries = [o.entry for o in activation.fired if o.entry.position != Position.OUTLET]
    return "\n\n".join(text for _entry, text in _texts(sorted(entries, key=_place), as_told))


def outlets(activation: Activation, as_told: AsTold) -> dict[str, str]:
    """Return the text for each outlet by name, highest order first as in SillyTavern.

    Entries for an outlet are used where a prompt asks for it, and nowhere else.
    """
    entries = [o.entry for o in reversed(activation.fired) if o.entry.position == Position.OUTLET]
    outlets_by_name: dict[str, str] = {}
    for entry, text in _texts(entries, as_told):
        outlet = entry.outlet_name.strip()
        outlets_by_name[outlet] = (
            f"{outlets_by_name[outlet]}\n{text}" if outlet in outlets_by_name else text
        )
    return outlets_by_name


def _place(entry: Entry) -> tuple[int, int]:
    """Return the sort key of an entry's place: card, examples, note, then among the messages."""
    is_among = entry.position == Position.AT_DEPTH
    return _PLACES.index(entry.position), -entry.depth if is_among else 0


def _texts(entries: Iterable[Entry], as_told: AsTold) -> Iterator[tuple[Entry, str]]:
    for entry in entries:
        depth = entry.depth if entry.position == Position.AT_DEPTH else None
        text = as_told(entry.content, depth).strip() if entry.content.strip() else ""
        if text:
            yield entry, text
