"""What ours says of a case, in the words of the real one's answer."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from itertools import cycle
from random import Random
from typing import Any

from typing_extensions import override

from engram_desktop.domain.macros.fill import fill
from engram_desktop.domain.macros.scope import MacroScope
from engram_desktop.domain.worldbooks.activation import Activation, Options, ScanTexts, activate
from engram_desktop.domain.worldbooks.scan import (
    Effect,
    Key,
    PatternTest,
    ScanRules,
    ScanText,
    Speaker,
    Timers,
)
from engram_desktop.domain.worldbooks.worldbook import CardField, Entry, Position
from engram_desktop.formats.world_info import parse_worldbook
from engram_desktop.services.worldbooks.scan import filled_entries
from engram_desktop.services.worldbooks.stored import Bindings, ranked

Case = dict[str, Any]
AVATAR = "default_Seraphina"
Answer = dict[str, Any]
REPEATED = 600  # times, where only how often something comes counts
BYTES_PER_TOKEN = 3.35  # how SillyTavern guesses tokens without a tokenizer
_FIELDS: dict[str, CardField] = {
    "personaDescription": "persona_description",
    "characterDescription": "character_description",
    "characterPersonality": "character_personality",
    "characterDepthPrompt": "character_depth_prompt",
    "scenario": "scenario",
    "creatorNotes": "creator_notes",
}
_STRATEGIES = ("evenly", "character", "global")
NAMES = MacroScope({"char": "Seraphina", "user": "Anna"})


class Rolls(Random):
    """Gives the rolls of a case, again and again."""

    def __init__(self, rolls: Iterable[float]) -> None:
        super().__init__()
        self._rolls = cycle(rolls)

    @override
    def random(self) -> float:
        return next(self._rolls)


def answer(case: Case, is_in: PatternTest) -> list[Answer]:
    """Answer each step of a case; for one that is repeated, how often each outcome came."""
    run = _Run(case, is_in)
    if "repeat" in case:
        counts: Counter[str] = Counter()
        for seed in range(REPEATED):
            done = run.activation(case["steps"][0], Timers(), Random(seed))
            uids = sorted((o.key[1] for o in done.fired), key=str)
            counts[json.dumps(uids, separators=(",", ":"))] += 1
        return [{"counts": dict(counts)}]
    answers, timers = [], Timers()
    for step in case["steps"]:
        done = run.activation(step, timers, Rolls(case["rolls"]))
        timers = done.timers
        answers.append(_told(done))
    return answers


class _Run:
    """A case made ready: its entries as the program reads them."""

    def __init__(self, case: Case, is_in: PatternTest) -> None:
        self._case, self._is_in = case, is_in
        bound = Bindings(
            everywhere=tuple(case["global"]),
            chat=(case.get("chat", ""),),
            persona=(case.get("persona", ""),),
            character=(case.get("character", ""), *case.get("extra", ())),
        )
        strategy = _STRATEGIES[case["settings"]["world_info_character_strategy"]]
        self._ranks, self._places = ranked(bound, strategy)
        pairs: list[tuple[Key, Entry]] = []
        for name in self._places:
            if name in case["books"]:
                data = json.dumps({"entries": case["books"][name]}).encode()
                entries = parse_worldbook(data, name).worldbook.entries
                pairs += [((name, entry.uid), entry) for entry in entries]
        self._pairs, self._unfilled = filled_entries(pairs, filled)

    def activation(self, step: dict[str, Any], timers: Timers, chance: Random) -> Activation:
        fields = {_FIELDS[name]: text for name, text in step.get("fields", {}).items()}
        scene = ScanTexts(
            ScanText(step["messages"], fields, step.get("injected", ())),
            Speaker(AVATAR, tuple(self._case.get("tags", ()))),
            step.get("trigger", "normal"),
            timers,
            dict.fromkeys(map(tuple, step.get("meant", ())), 1.0) or None,
            self._unfilled,
            self._is_in,
        )
        return activate(self._pairs, scene, self._options(), chance=chance)

    def _options(self) -> Options:
        said = self._case["settings"]
        budget = int(said["world_info_budget"] * self._case["context"] / 100 + 0.5) or 1
        cap = said["world_info_budget_cap"]
        return Options(
            ScanRules(
                said["world_info_depth"],
                said["world_info_case_sensitive"],
                said["world_info_match_whole_words"],
            ),
            said["world_info_recursive"],
            said["world_info_max_recursion_steps"],
            said["world_info_use_group_scoring"],
            min(budget, cap) if cap else budget,
            said["world_info_min_activations"],
            said["world_info_min_activations_depth_max"],
            self._ranks,
            self._places,
            lambda text: len(text.encode()) / BYTES_PER_TOKEN,
        )


def filled(text: str) -> str:
    return fill(text, NAMES).text


def _told(done: Activation) -> Answer:
    entries = [outcome.entry for outcome in done.fired if outcome.entry.content]

    def texts(position: Position) -> list[str]:
        return [entry.content for entry in entries if entry.position is position]

    depths: dict[tuple[int, int], list[str]] = {}
    for entry in reversed(entries):
        if entry.position is Position.AT_DEPTH:
            depths.setdefault((entry.depth, entry.role), []).insert(0, entry.content)
    outlets: dict[str, list[str]] = {}
    for entry in reversed(entries):
        if entry.position is Position.OUTLET and entry.outlet_name:
            outlets.setdefault(entry.outlet_name, []).append(entry.content)
    examples = (Position.EXAMPLES_TOP, Position.EXAMPLES_BOTTOM)
    return {
        "fired": [list(outcome.key) for outcome in done.fired],
        "before": "\n".join(texts(Position.BEFORE_CHARACTER)),
        "after": "\n".join(texts(Position.AFTER_CHARACTER)),
        "examples": [
            [examples.index(e.position), e.content] for e in entries if e.position in examples
        ],
        "depth": [[*place, told] for place, told in depths.items()],
        "note": [texts(Position.NOTE_TOP), texts(Position.NOTE_BOTTOM)],
        "outlets": outlets,
        "sticky": _effects(done.timers.sticky),
        "cooldown": _effects(done.timers.cooldown),
    }


def _effects(effects: Any) -> dict[str, list[Any]]:
    rows: dict[Key, Effect] = dict(effects)
    return {
        f"{worldbook}.{uid}": [e.start, e.end, e.is_firm] for (worldbook, uid), e in rows.items()
    }
