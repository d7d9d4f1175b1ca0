"""Scan a chat with worldbooks: which entries would fire at a floor, and why. Only reads.

Texts are as SillyTavern has them when it scans: messages after the regex scripts for prompts, with
macros filled, and the notes inserted among them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from engram_desktop.domain.errors import ScriptFailed, ScriptStopped
from engram_desktop.domain.graph.entity import EntityType, is_entity_name
from engram_desktop.domain.memory.line import MAIN_BRANCH
from engram_desktop.domain.memory.message import Message
from engram_desktop.domain.settings import Settings
from engram_desktop.domain.tavern.folder import CharacterNote, TavernWorldbooks
from engram_desktop.domain.values import dataclass
from engram_desktop.domain.worldbooks.activation import Activation, Options, ScanTexts, activate
from engram_desktop.domain.worldbooks.scan import (
    Effect,
    Key,
    KeyIndex,
    NoPattern,
    PatternTest,
    ScanRules,
    ScanText,
    Speaker,
    Timers,
)
from engram_desktop.domain.worldbooks.worldbook import CardField, Entry, Trigger, Worldbook
from engram_desktop.formats.javascript.engine import JavaScript
from engram_desktop.formats.json_values import table_of, text_of
from engram_desktop.jobs.context import JobContext
from engram_desktop.llm.embedding.local_embedder import Embedder, Vectors
from engram_desktop.services.prompts.macro_scope import header_of, json_object
from engram_desktop.storage.chat.chat_store import ChatStore

if TYPE_CHECKING:
    from engram_desktop.domain.cards import Character
    from engram_desktop.services.prompts.native import Native


Fill = Callable[[str], str]  # fills macros with values
FEW = 20  # messages read first, backwards; each further read is twice as large
STEP = 200  # messages read at once for a summary
SUMMARY_BACK = 1_000  # messages searched backwards for the newest summary
NEAR = 100  # messages before a floor whose depth matters in a replay


@dataclass(frozen=True)
class ScanPlace:
    """A floor of a line, and who speaks there.

    ``native`` is what is done to messages before a prompt; None: nothing. ``pending`` is the text
    about to be sent.
    """

    store: ChatStore
    settings: Settings
    fill: Fill
    branch_id: str = MAIN_BRANCH
    at: int | None = None
    character: Character | None = None
    speaker: Speaker = field(default_factory=Speaker)
    lore: TavernWorldbooks = field(default_factory=TavernWorldbooks)
    native: Native | None = None
    pending: str = ""
    trigger: Trigger = "normal"

    @cached_property
    def floors(self) -> int:
        """Return how many floors there are up to the place."""
        count = self.store.messages.count(self.branch_id)
        return count if self.at is None else max(0, min(count, self.at + 1))

    @cached_property
    def metadata(self) -> Mapping[str, Any]:
        """Return the chat's metadata in the header of its file."""
        return table_of(header_of(self.store, self.branch_id).get("chat_metadata"))

    def fields(self) -> dict[CardField, str]:
        """Return the texts of card and persona that entries may scan."""
        texts: dict[CardField, str] = {"persona_description": self.settings.persona_text}
        if self.character is not None:
            texts |= {
                "character_description": self.character.description,
                "character_personality": self.character.personality,
                "character_depth_prompt": self.character.depth_prompt,
                "scenario": text_of(self.metadata.get("scenario")) or self.character.scenario,
                "creator_notes": self.character.creator_notes,
            }
        filled = {name: self.fill(text.strip()).replace("\r", "") for name, text in texts.items()}
        return {name: text for name, text in filled.items() if text}

    def notes(self) -> list[str]:
        """Return the notes inserted among the messages, which are scanned for every entry."""
        return [text for text in map(self.fill, self._notes()) if text]

    def _notes(self) -> Iterator[str]:
        settings = self.settings
        if settings.lore_scan_summary:
            yield self._summary()
        if settings.lore_scan_notes:
            yield self._note()
        for row in table_of(self.metadata.get("script_injects")).values():
            inject = table_of(row)
            # a program of SillyTavern decides whether a note with a filter counts
            if inject.get("scan") is True and not inject.get("filter"):
                yield text_of(inject.get("value"))
        if settings.lore_scan_notes and self.character is not None:
            yield self.character.depth_prompt.strip()
        if settings.persona_scanned:
            yield settings.persona_text

    def _note(self) -> str:
        """Return the author's note if it is due: every N messages of the player; else ""."""
        interval = self.metadata.get("note_interval", self.lore.interval)
        if not isinstance(interval, int) or (interval != 1 and not self._is_turn(interval)):
            return ""
        note = text_of(self.metadata.get("note_prompt", self.lore.note))
        match self.lore.notes.get(self.speaker.file):
            case CharacterNote(text, "before"):
                return f"{text}\n{note}"
            case CharacterNote(text, "after"):
                return f"{note}\n{text}"
            case CharacterNote(text, _instead):
                return text
        return note

    def _is_turn(self, interval: int) -> bool:
        said = self.store.messages.said_by_user(self.branch_id, self.floors - 1)
        said += bool(self.pending)
        return said > 0 and interval > 0 and said % interval == 0

    def _summary(self) -> str:
        """Return the newest summary, which is stored on a message before the last one."""
        is_last_left_out = self.trigger == "swipe" or bool(self.pending)
        end = self.floors - (1 if is_last_left_out else 2)
        for last in range(end, max(-1, end - SUMMARY_BACK), -STEP):
            rows = self.store.messages.raws(self.branch_id, max(0, last - STEP + 1), last)
            for _id, _hash, raw in reversed(rows):
                if '"memory"' in raw:
                    summary = text_of(table_of(json_object(raw).get("extra")).get("memory"))
                    if summary:
                        return self._put(summary.strip())
        return ""

    def _put(self, summary: str) -> str:
        template = self.lore.summary
        return template.replace("{{summary}}", summary) if template else f"Summary: {summary}"


class Tail:
    """The last messages up to a place, as many as needed; earlier ones are only counted."""

    def __init__(self, place: ScanPlace, needed: int | None) -> None:
        """Read the last ``needed`` visible messages; None: all."""
        self._place = place
        self.messages: list[Message] = []
        self.first = place.floors
        self.seen = 0  # visible messages read
        step = FEW
        while self.first > 0 and (needed is None or self.seen < needed):
            missing = self.first if needed is None else max(needed - self.seen, step)
            start, step = max(0, self.first - missing), 2 * step
            read = place.store.messages.slice(place.branch_id, start, self.first - 1)
            self.seen += sum(not message.is_hidden for message in read)
            self.messages[:0] = read
            self.first = start
        self._texts: list[str | None] = []

    def visible_before(self) -> int:
        """Return how many visible messages come before those that were read."""
        place = self._place
        return place.store.messages.visible(place.branch_id, 0, self.first - 1)

    def newest_first(self) -> list[str]:
        """Return the texts scanned at the place, newest first, with the text about to be sent."""
        messages = [*self.messages, *self._pending()]
        return _visible(self._lines(messages, messages))

    def newest_first_at(self, end: int) -> list[str]:
        """Return the texts scanned when only the first ``end`` of these messages existed."""
        if not self._texts:
            self._texts = self._lines(self.messages, self.messages)
        near = self.messages[max(0, end - NEAR) : end]
        if self._place.native is None or not self._place.native.has_depths:
            return _visible(self._texts[:end])
        old = self._texts[: end - len(near)]
        return _visible([*old, *self._lines(near, self.messages[:end])])

    def _pending(self) -> Iterator[Message]:
        place = self._place
        if place.pending:
            name = place.fill("{{user}}")
            yield Message(
                "", place.branch_id, place.floors, name, "user", place.pending, False, "", None
            )

    def _lines(self, some: Sequence[Message], until: Sequence[Message]) -> list[str | None]:
        """Return the scanned text of each message, None if hidden; ``until`` are all so far."""
        place = self._place
        shown = [m for m in some if not m.is_hidden]
        if shown and shown[0].seq == 0:
            shown[0] = replace(shown[0], text=place.fill(shown[0].text))
        if place.native is not None and shown:
            ahead = -1 if place.trigger == "continue" else 0
            native = replace(place.native, last_floor=until[-1].seq, ahead=ahead)
            shown = list(native.as_sent(shown))
        with_names = place.settings.lore_include_names
        texts = {m.seq: f"{m.name}: {m.text}" if with_names else m.text for m in shown}
        return [texts.get(message.seq) for message in some]


def _visible(lines: Sequence[str | None]) -> list[str]:
    return [line for line in reversed(lines) if line is not None]


LONG = 50_000  # characters from which a text is sent to JavaScript once for all patterns
REPLAYED = 40  # replies replayed for sticky and cooling entries: limits the time of a scan
# Characters read for the replay at most: where all of a long chat is scanned, it finds enough.
REPLAYED_CHARS = 10_000_000
MEANING_LEAST = 0.3  # cosine below which an entry is about something else; not measured
Meaning = Callable[[Sequence[tuple[Key, Entry]], str], Mapping[Key, float]]


@dataclass(frozen=True, slots=True)
class Stage:
    """The place of a scan, and its tests; ``meaning`` None: entries do not fire by meaning."""

    place: ScanPlace
    is_in: PatternTest | None = None
    meaning: Meaning | None = None


def options_of(
    settings: Settings,
    ranks: Mapping[str, int] | None = None,
    places: Mapping[str, int] | None = None,
) -> Options:
    """Return the options of a scan. ``ranks`` and ``places`` order the worldbooks."""
    budget = max(1, int(settings.lore_context * settings.lore_budget / 100 + 0.5))
    cap = settings.lore_cap
    return Options(
        rules=ScanRules(
            settings.lore_depth, settings.lore_case_sensitive, settings.lore_whole_words
        ),
        is_recursive=settings.lore_recursive,
        max_steps=settings.lore_max_steps,
        use_group_scoring=settings.lore_group_scoring,
        budget=min(budget, cap) if cap else budget,
        # as in SillyTavern, one or the other: a limit of rounds, or a wanted number of entries
        min_activations=0 if settings.lore_max_steps else settings.lore_min_activations,
        max_depth=settings.lore_max_depth,
        ranks=ranks or {},
        places=places or {},
    )


def simulate(
    ctx: JobContext, stage: Stage, worldbooks: Sequence[Worldbook], options: Options, seed: int
) -> Activation:
    """Return what would fire for the reply after the stage's floor."""
    run = _Simulation(ctx, stage, worldbooks, options, seed)
    return run.result()


class _Simulation:
    """The scan at one place, and the earlier scans it depends on.

    Sticky and cooling entries are read from the header of the chat's file for the newest message;
    for other floors, or without a header, earlier replies are replayed.
    """

    def __init__(
        self,
        ctx: JobContext,
        stage: Stage,
        worldbooks: Sequence[Worldbook],
        options: Options,
        seed: int,
    ) -> None:
        place = stage.place
        pairs = (
            ((worldbook.name, e.uid), e) for worldbook in worldbooks for e in worldbook.entries
        )
        self._entries, self._unfilled = filled_entries(pairs, place.fill)
        self._stage, self._options, self._seed = stage, options, seed
        entries = [entry for _key, entry in self._entries]
        lasting = max((e.sticky + e.cooldown for e in entries), default=0)
        self._deepest = max([options.rules.depth, *(e.scan_depth or 0 for e in entries)])
        self._back = min(lasting, 2 * REPLAYED)
        is_all = options.min_activations > 0
        meant = place.settings.lore_meaning_messages
        self._tail = Tail(place, None if is_all else self._deepest + meant + self._back)
        ctx.check()
        is_end = place.floors == place.store.messages.count(place.branch_id)
        self._noted = _kept(place) if is_end else None
        delay = max((e.delay for e in entries), default=0)
        # Counting a long chat takes time, and is not needed for a difference between two floors.
        is_noted = self._noted is not None and (self._noted.sticky or self._noted.cooldown)
        is_counted = is_noted or delay > self._tail.seen
        self._before = self._tail.visible_before() if is_counted else self._tail.first
        self._notes, self._fields = place.notes(), place.fields()
        self._index = KeyIndex(entries, options.rules, ctx.check)

    def result(self) -> Activation:
        texts = self._tail.newest_first()
        timers = self._noted if self._noted is not None else self._replayed(texts)
        return self._activated(texts, timers)

    def _replayed(self, texts: Sequence[str]) -> Timers:
        """Replay earlier replies to find sticky and cooling entries."""
        timers = Timers()
        size = sum(map(len, texts[: self._deepest])) or 1
        replies = _replies(self._tail.messages, self._back)
        most = min(len(replies), REPLAYED_CHARS // size)
        for end in replies[len(replies) - most :]:
            timers = self._activated(self._tail.newest_first_at(end), timers, end).timers
        return timers

    def _activated(
        self, texts: Sequence[str], timers: Timers, end: int | None = None
    ) -> Activation:
        """Scan once, as of the first ``end`` of the messages read; None: all of them."""
        place = self._stage.place
        scene = ScanTexts(
            ScanText(texts, self._fields, self._notes),
            speaker=place.speaker,
            trigger=place.trigger,
            timers=timers,
            meaning=self._meaning(texts),
            unfilled=self._unfilled,
            is_in=self._stage.is_in,
            before=self._before,
        )
        floors = place.floors if end is None else self._tail.first + end
        return activate(self._entries, scene, self._options, self._seed + floors, self._index)

    def _meaning(self, texts: Sequence[str]) -> Mapping[Key, float] | None:
        near, settings = self._stage.meaning, self._stage.place.settings
        if near is None:
            return None
        meant = [
            pair
            for pair in self._entries
            if (pair[1].is_vectorized or settings.lore_meaning_all)
            and pair[1].content
            and not pair[1].is_disabled
        ]
        recent = "\n".join(reversed(texts[: settings.lore_meaning_messages]))
        return near(meant, recent) if meant and recent else {}


def _kept(place: ScanPlace) -> Timers | None:
    """Return sticky and cooling entries from the header of the chat's file; None without them."""
    timed = place.metadata.get("timedWorldInfo")
    if not isinstance(timed, dict):
        return None
    effects_by_kind: dict[str, dict[Key, Effect]] = {"sticky": {}, "cooldown": {}}
    for kind, effects in effects_by_kind.items():
        for name, value in table_of(timed.get(kind)).items():
            worldbook, _dot, uid = str(name).rpartition(".")
            match value:
                case {"start": int(start), "end": int(end)}:
                    key = (worldbook, int(uid) if uid.isdecimal() else uid)
                    effects[key] = Effect(start, end, value.get("protected") is True)
    return Timers(effects_by_kind["sticky"], effects_by_kind["cooldown"])


def _replies(messages: Sequence[Message], back: int) -> list[int]:
    """Return the positions where a reply began in the last ``back`` messages, except the newest.

    Hidden messages are not counted.
    """
    start = len(messages)
    while start > 0 and back > 0:
        start -= 1
        back -= not messages[start].is_hidden
    return [
        n
        for n in range(max(1, start), len(messages))
        if messages[n - 1].role == "user" and messages[n].role != "user"
    ]


def filled_entries(
    entries: Iterable[tuple[Key, Entry]], fill: Callable[[str], str]
) -> tuple[list[tuple[Key, Entry]], dict[Key, Entry]]:
    """Fill the macros of keys and contents; returns also the entries whose keys had macros."""
    filled, unfilled = [], {}
    for key, entry in entries:
        keys = tuple(map(fill, entry.keys)), tuple(map(fill, entry.secondary_keys))
        content, done = fill(entry.content), entry
        if keys != (entry.keys, entry.secondary_keys):
            unfilled[key] = entry
        if key in unfilled or content != entry.content:
            done = replace(entry, keys=keys[0], secondary_keys=keys[1], content=content)
        filled.append((key, done))
    return filled, unfilled


def pattern_test(javascript: JavaScript) -> PatternTest:
    """Return a test of patterns by JavaScript; a pattern that fails is returned with its error."""

    def is_in(source: str, flags: str, text: str) -> bool | str | NoPattern:
        try:
            if len(text) > LONG:
                return javascript.test_held(source, flags, text)
            return javascript.test(source, flags, [text])[0]
        except ScriptStopped as e:
            return e.phrase
        except ScriptFailed as e:
            return NoPattern(e.phrase)

    return is_in


def meaning_of(
    ctx: JobContext, embedder: Embedder, vectors: dict[tuple[str, str], Vectors], most: int
) -> Meaning:
    """Return a function that compares entries with what is being said; ``most`` may fire by it.

    ``vectors`` caches the vectors of contents.
    """

    def near(entries: Sequence[tuple[Key, Entry]], recent: str) -> Mapping[Key, float]:
        model = embedder.model_id
        new = list({e.content for _key, e in entries if (model, e.content) not in vectors})
        if new:
            vectors.update(
                ((model, text), row)
                for text, row in zip(new, embedder.embed(new, ctx), strict=True)
            )
        question = embedder.embed([recent], ctx, query=True)[0]
        scores = {key: float(vectors[model, e.content] @ question) for key, e in entries}
        best = sorted(scores, key=lambda key: -scores[key])[:most]
        return {key: scores[key] for key in best if scores[key] >= MEANING_LEAST}

    return near


_MOST = 5_000  # entities, best connected first: limits the time of a summary; not measured
_LONGEST = 40  # characters; longer keys are sentences
_PATTERN = frozenset("/\\{}[]()|^$*+?<>")


def known_names(
    store: ChatStore, branch_id: str, cards: Iterable[str], worldbooks: Iterable[Worldbook]
) -> dict[str, EntityType]:
    """Return names with their types, "unknown" if not known; types in the graph take precedence.

    They come from cards, worldbooks and the graph. A tokenizer that knows them never splits one.
    """
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
