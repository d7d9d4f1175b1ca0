"""Scenes that play without a model: their replies stream as a model's would."""

from __future__ import annotations

import asyncio
import json
from functools import cache
from typing import Any

from engram_desktop.domain.cards.character import Character
from engram_desktop.domain.errors import NotFound
from engram_desktop.domain.play.turn import ScriptedScene
from engram_desktop.domain.recall.triage import Triage, parse_triage
from engram_desktop.domain.state.rules import StateRule, rule_of
from engram_desktop.domain.state.tree import split_path
from engram_desktop.domain.values import dataclass
from engram_desktop.llm.client.hearing import OnDelta
from engram_desktop.shipped import resource

MODEL = "scene"  # what a note names as the model of a reply that was written beforehand
_FILE = "story/scenes.json"
_AT_ONCE = 3  # characters of a piece, as a server sends them
_PACE_S = 0.02  # between two pieces where somebody watches: about as fast as one reads


@dataclass(frozen=True, slots=True)
class ScriptedTurn:
    """One turn: what the player says, what it is taken for, and readings of the reply."""

    say: str
    triage: Triage
    replies: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Script:
    """A whole scene. A ``loops`` scene begins again at its end."""

    scene: ScriptedScene
    player: str
    character: Character
    greeting: str
    rules: tuple[StateRule, ...]
    turns: tuple[ScriptedTurn, ...]
    loops: bool

    def turn(self, number: int) -> ScriptedTurn | None:
        """Return turn ``number``, from 0; None behind the end."""
        if self.loops:
            return self.turns[number % len(self.turns)]
        return self.turns[number] if number < len(self.turns) else None


@cache
def scripts() -> tuple[Script, ...]:
    """Read all scenes, in every language."""
    rows = json.loads(resource(_FILE).read_text("utf-8"))
    return tuple(_script(row) for row in rows["scenes"])


def script_named(name: str, language: str) -> Script:
    """Return a scene; in any language where it is not written in this one. Raises NotFound."""
    named = [script for script in scripts() if script.scene.name == name]
    if not named:
        raise NotFound("resource", name)
    return next((s for s in named if s.scene.language == language[:2]), named[0])


async def speak(text: str, on_delta: OnDelta, *, is_watched: bool) -> None:
    """Let a reply arrive in pieces, as fast as it can be read where somebody watches."""
    size = _AT_ONCE if is_watched else max(_AT_ONCE, len(text) // 4)
    for at in range(0, len(text), size):
        on_delta("text", text[at : at + size])
        await asyncio.sleep(_PACE_S if is_watched else 0)


def _script(row: dict[str, Any]) -> Script:
    card = row["card"]
    rules = [rule_of(split_path(path), value) for path, value in row.get("state", {}).items()]
    return Script(
        ScriptedScene(row["name"], row["language"], row["title"]),
        row["player"],
        Character(card["name"], description=card["description"]),
        row["greeting"],
        tuple(rule for rule in rules if rule is not None),
        tuple(
            ScriptedTurn(
                turn["say"],
                parse_triage(turn["triage"]) or Triage("CHAT"),
                tuple(turn["replies"]),
            )
            for turn in row["turns"]
        ),
        row.get("loops", False),
    )
