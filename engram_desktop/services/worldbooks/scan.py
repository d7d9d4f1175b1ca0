"""Hold worldbooks against a chat: what would fire at a floor, and why. Reads only.

Sticky and cooling entries are read from the header of the chat's file, for the newest message; at
other floors, and without such a header, they are worked out by replaying the replies before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from engram_desktop.domain.errors import ScriptFailed, ScriptStopped
from engram_desktop.domain.memory.message import Message
from engram_desktop.domain.settings.settings import Settings
from engram_desktop.domain.values import dataclass
from engram_desktop.domain.worldbooks.activation import Activation, Options, Scene, activate
from engram_desktop.domain.worldbooks.index import KeyIndex, Rules
from engram_desktop.domain.worldbooks.scan import NoPattern, PatternTest, ScanText
from engram_desktop.domain.worldbooks.timing import Effect, Key, Timers
from engram_desktop.domain.worldbooks.worldbook import Entry, Worldbook
from engram_desktop.formats.javascript.engine import JavaScript
from engram_desktop.formats.json_values import table_of
from engram_desktop.jobs.context import JobContext
from engram_desktop.llm.embedding.embedder import Embedder, Vectors
from engram_desktop.services.worldbooks.scanned import Place, Tail

LONG = 50_000  # characters, from which on a text is sent once for all patterns
REPLAYED = 40  # replies gone through for sticky and cooling entries: bounds the time of one scan
# Characters read for it at most. Where all of a long chat is scanned, what stays is found anyway.
REPLAYED_CHARS = 10_000_000
MEANING_LEAST = 0.3  # cosine, below which an entry is about something else; not measured
Meaning = Callable[[Sequence[tuple[Key, Entry]], str], Mapping[Key, float]]


@dataclass(frozen=True, slots=True)
class Stage:
    """Where a scan takes place, and the means to look; ``meaning`` None: it is not asked."""

    place: Place
    is_in: PatternTest | None = None
    meaning: Meaning | None = None


def options_of(
    settings: Settings,
    ranks: Mapping[str, int] | None = None,
    places: Mapping[str, int] | None = None,
) -> Options:
    """Read the options of a scan. ``ranks`` and ``places`` say which worldbooks go first."""
    budget = max(1, int(settings.lore_context * settings.lore_budget / 100 + 0.5))
    cap = settings.lore_cap
    return Options(
        rules=Rules(settings.lore_depth, settings.lore_case_sensitive, settings.lore_whole_words),
        is_recursive=settings.lore_recursive,
        max_steps=settings.lore_max_steps,
        use_group_scoring=settings.lore_group_scoring,
        budget=min(budget, cap) if cap else budget,
        # as in SillyTavern, either of the two: a limit of rounds, or a number that is wanted
        min_activations=0 if settings.lore_max_steps else settings.lore_min_activations,
        max_depth=settings.lore_max_depth,
        ranks=ranks or {},
        places=places or {},
    )


def simulate(
    ctx: JobContext, stage: Stage, worldbooks: Sequence[Worldbook], options: Options, seed: int
) -> Activation:
    """Say what would fire for the reply after the stage's floor."""
    run = _Simulation(ctx, stage, worldbooks, options, seed)
    return run.result()


class _Simulation:
    """The scan at one place, and those before it that it follows from."""

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
        # Counting a long chat takes time, and what lies between two floors is the same without.
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
        """Replay the replies before, for sticky and cooling entries."""
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
        """Scan once; ``end`` says how many of the messages read were there, None all."""
        place = self._stage.place
        scene = Scene(
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


def _kept(place: Place) -> Timers | None:
    """Sticky and cooling entries as the header of the chat's file says; None without it."""
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
    """Positions at which a reply began among the last ``back`` messages, but for the newest.

    What is hidden is not counted.
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
    """Put values in place of macros in keys and contents; return those too whose keys had some."""
    filled, unfilled = [], {}
    for key, entry in entries:
        if any("{{" in text for text in (*entry.keys, *entry.secondary_keys)):
            unfilled[key] = entry
        filled.append((key, _filled(entry, fill)))
    return filled, unfilled


def _filled(entry: Entry, fill: Callable[[str], str]) -> Entry:
    """Put names in place of ``{{user}}`` and ``{{char}}`` in keys and content."""
    texts = (*entry.keys, *entry.secondary_keys, entry.content)
    if not any("{{" in text for text in texts):
        return entry
    return replace(
        entry,
        keys=tuple(map(fill, entry.keys)),
        secondary_keys=tuple(map(fill, entry.secondary_keys)),
        content=fill(entry.content),
    )


def pattern_test(javascript: JavaScript) -> PatternTest:
    """Try patterns as JavaScript does; what cannot be tried is said."""

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
    """Compare what entries mean with what is being said; ``most`` of them may fire by it.

    ``vectors`` keeps vectors of contents.
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
