"""Hold world books against a chat: what would fire at a floor, and why. Reads only.

What stays or rests is what the front end says of the newest message in its file; elsewhere, and
where it says nothing, it is worked out by going through the replies before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field, replace

from engram_desktop.domain.cards.character import Character
from engram_desktop.domain.errors import ScriptFailed, ScriptStopped
from engram_desktop.domain.memory.ids import MAIN_BRANCH
from engram_desktop.domain.memory.message import Message
from engram_desktop.domain.settings.settings import Settings
from engram_desktop.domain.values import dataclass
from engram_desktop.domain.worldbooks.activation import Activation, Options, Scene, activate
from engram_desktop.domain.worldbooks.filter import Speaker
from engram_desktop.domain.worldbooks.index import KeyIndex, Rules
from engram_desktop.domain.worldbooks.scan import NoPattern, PatternTest, ScanText
from engram_desktop.domain.worldbooks.timing import Effect, Key, Timers
from engram_desktop.domain.worldbooks.worldbook import Book, CardField, Entry, Trigger
from engram_desktop.formats.javascript.engine import JavaScript
from engram_desktop.jobs.context import JobContext
from engram_desktop.llm.embedding.embedder import Embedder, Vectors
from engram_desktop.services.characters.cast import read_cast
from engram_desktop.services.prompts.chat_variables import json_object
from engram_desktop.storage.chat.chat_store import ChatStore

LONG = 50_000  # characters, from which on a text is sent once for all patterns
REPLAYED = 40  # replies gone through for what stays or rests
# Characters read for it at most. Where all of a long chat is scanned, what stays is found anyway.
REPLAYED_CHARS = 10_000_000
MEANING_MESSAGES = 3
MEANING_ENTRIES = 5
MEANING_LEAST = 0.3
Meaning = Callable[[Sequence[tuple[Key, Entry]], str], Mapping[Key, float]]


@dataclass(frozen=True, slots=True)
class Stage:
    """Where a scan takes place: a floor of a line, who speaks there, and the means to look."""

    store: ChatStore
    branch_id: str = MAIN_BRANCH
    at: int | None = None
    character: Character | None = None
    speaker: Speaker = field(default_factory=Speaker)
    is_in: PatternTest | None = None
    meaning: Meaning | None = None
    persona: str = ""
    fill: Callable[[str], str] | None = None  # puts values for macros; None knows names only
    pending: str = ""  # what is about to be sent
    trigger: Trigger = "normal"
    with_names: bool = True


def options_of(
    settings: Settings,
    ranks: Mapping[str, int] | None = None,
    places: Mapping[str, int] | None = None,
) -> Options:
    """Read the options of a scan. ``ranks`` and ``places`` say which books go first."""
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
    ctx: JobContext, stage: Stage, books: Sequence[Book], options: Options, seed: int
) -> Activation:
    """Say what would fire for the reply after the stage's floor."""
    fill = stage.fill or read_cast(stage.store).filled
    entries = [((book.name, e.uid), _filled(e, fill)) for book in books for e in book.entries]
    count = stage.store.messages.count(stage.branch_id)
    floors = count if stage.at is None else max(0, min(count, stage.at + 1))
    lasting = max((e.sticky + e.cooldown for _key, e in entries), default=0)
    deepest = max([options.rules.depth, *(e.scan_depth or 0 for _key, e in entries)])
    is_all = options.min_activations > 0
    back = min(lasting, 2 * REPLAYED)
    first = 0 if is_all else max(0, floors - deepest - MEANING_MESSAGES - back)
    messages = stage.store.messages.slice(stage.branch_id, first, floors - 1) if floors else []
    ctx.check()
    lines = _lines(messages, with_names=stage.with_names)
    index = KeyIndex((entry for _key, entry in entries), options.rules, ctx.check)
    noted_timers = _kept(stage) if floors == count else None
    if noted_timers is not None:
        return activate(
            entries,
            _scene(stage, lines, first, entries, noted_timers, stage.pending),
            options,
            seed + floors,
            index,
        )
    timers = Timers()
    size = sum(len(line) for line in lines[-deepest:] if line) or 1
    replies = _replies(messages, back)
    most = min(len(replies), REPLAYED_CHARS // size)
    for end in replies[len(replies) - most :]:
        scene = _scene(stage, lines[:end], first, entries, timers)
        timers = activate(entries, scene, options, seed + first + end, index).timers
    scene = _scene(stage, lines, first, entries, timers, stage.pending)
    return activate(entries, scene, options, seed + floors, index)


def _kept(stage: Stage) -> Timers | None:
    """What SillyTavern itself says stays and rests, in the header of the file; None without it."""
    metadata = json_object(stage.store.branches.header(stage.branch_id)).get("chat_metadata")
    timed = metadata.get("timedWorldInfo") if isinstance(metadata, dict) else None
    if not isinstance(timed, dict):
        return None
    effects_by_kind: dict[str, dict[Key, Effect]] = {"sticky": {}, "cooldown": {}}
    for kind, effects in effects_by_kind.items():
        noted = timed.get(kind)
        for name, value in noted.items() if isinstance(noted, dict) else ():
            book, _dot, uid = str(name).rpartition(".")
            match value:
                case {"start": int(start), "end": int(end)}:
                    key = (book, int(uid) if uid.isdecimal() else uid)
                    effects[key] = Effect(start, end, value.get("protected") is True)
    return Timers(effects_by_kind["sticky"], effects_by_kind["cooldown"])


def _lines(messages: Sequence[Message], *, with_names: bool) -> list[str | None]:
    """Return what is scanned of each message; None of one that is hidden."""
    return [
        None if m.is_hidden else f"{m.name}: {m.text}" if with_names else m.text for m in messages
    ]


def _replies(messages: Sequence[Message], back: int) -> list[int]:
    """Where replies were asked for among the last ``back`` messages, but for the newest place."""
    start = len(messages) - back
    return [
        n
        for n in range(max(1, start), len(messages))
        if messages[n - 1].role == "user" and messages[n].role != "user"
    ]


def _scene(
    stage: Stage,
    lines: Sequence[str | None],
    first: int,
    entries: Sequence[tuple[Key, Entry]],
    timers: Timers,
    pending: str = "",
) -> Scene:
    texts = [line for line in reversed(lines) if line is not None]
    texts = [pending, *texts] if pending else texts
    vectorized = [pair for pair in entries if pair[1].is_vectorized and not pair[1].is_disabled]
    likeness: Mapping[Key, float] = {}
    if stage.meaning is not None and vectorized and texts:
        likeness = stage.meaning(vectorized, "\n".join(reversed(texts[:MEANING_MESSAGES])))
    return Scene(
        ScanText(texts, _fields(stage.character, stage.persona)),
        speaker=stage.speaker,
        trigger=stage.trigger,
        timers=timers,
        meaning=likeness,
        is_in=stage.is_in,
        before=first,
    )


def _fields(character: Character | None, persona: str) -> dict[CardField, str]:
    mine: dict[CardField, str] = {"persona_description": persona} if persona else {}
    if character is None:
        return mine
    return mine | {
        "character_description": character.description,
        "character_personality": character.personality,
        "character_depth_prompt": character.depth_prompt,
        "scenario": character.scenario,
        "creator_notes": character.creator_notes,
    }


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
    ctx: JobContext, embedder: Embedder, vectors: dict[tuple[str, str], Vectors]
) -> Meaning:
    """Compare what entries mean with what is being said; ``vectors`` keeps vectors of contents."""

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
        best = sorted(scores, key=lambda key: -scores[key])[:MEANING_ENTRIES]
        return {key: scores[key] for key in best if scores[key] >= MEANING_LEAST}

    return near
