"""A turn of play: what it was taken for, what was recalled for whom, and what it left behind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import Literal

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.phrase import Phrase
from engram_desktop.domain.play.pieces import RecordedEvent
from engram_desktop.domain.recall.query import ItemKind
from engram_desktop.domain.recall.triage import Level
from engram_desktop.domain.state.tree import StateChange
from engram_desktop.domain.values import dataclass

# Who said what a turn is taken for: the player, a light model, rules, a scene written beforehand.
LevelBy = Literal["hand", "model", "rules", "scene"]
# done: the model ended; stopped: the player did; cut: the limit of tokens or a broken connection.
Ending = Literal["done", "stopped", "cut"]
ToolWay = Literal["tools", "tags"]


@dataclass(frozen=True, slots=True)
class Recalled:
    """One memory that the prompt of a turn was given, for ``TurnNote.speaker``.

    ``ref`` is the id of the message, event, entity or log.
    """

    kind: ItemKind
    ref: str
    text: str
    start_index: int
    end_index: int
    rank: int


@dataclass(frozen=True, slots=True)
class TurnNote:
    """What is kept of one turn, beside the message that it made.

    ``floor`` and ``message_id`` are the reply's; ``swipe`` counts from 0. ``level``: what the turn
    was taken for, ``level_by`` who said so and ``level_why`` why. ``recalled`` are memories given
    to the model as ``speaker`` may know them. ``state`` are changes in order; one whose ``fault``
    is set did nothing. ``notices`` say what could not be read or was held within bounds.
    ``event_pk`` is the key of the event in the library, None where none was recorded or it is gone.
    ``thought`` is what the model only thought; it is in no transcript and no later prompt.
    """

    floor: int
    message_id: str
    swipe: int = 0
    speaker: str = ""
    level: Level = "CHAT"
    level_by: LevelBy = "rules"
    level_why: str = ""
    intent: str = ""
    directives: dict[str, str] = field(default_factory=dict)
    recalled: tuple[Recalled, ...] = ()
    state: tuple[StateChange, ...] = ()
    notices: tuple[Phrase, ...] = ()
    event: RecordedEvent | None = None
    event_pk: int | None = None
    flags: tuple[str, ...] = ()
    expression: str = ""
    thought: str = ""
    ending: Ending = "done"
    tool_way: ToolWay = "tags"
    model: str = ""
    prompt_tokens: int = 0
    completion_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Turn:
    """What one action on a chat came to.

    ``reply`` is the whole text of the message at ``floor``; both are empty or None where a stopped
    reply had no text yet, so that nothing was kept. ``changes`` also tells of the player's message.
    """

    changes: Changes
    floor: int | None = None
    reply: str = ""
    note: TurnNote | None = None


@dataclass(frozen=True, slots=True)
class Member:
    """One who can speak in a scene. ``card_id`` is empty for a speaker without a card here."""

    name: str
    card_id: str = ""


@dataclass(frozen=True, slots=True)
class Scene:
    """Who plays in a chat: the player's name, those who reply, and whose turn comes next.

    ``script`` is the name of the written scene that is played without a model, empty for none;
    ``suggestion`` what the player says next in it, empty at its end.
    """

    player: str
    members: tuple[Member, ...] = ()
    next_speaker: str = ""
    script: str = ""
    suggestion: str = ""


@dataclass(frozen=True, slots=True)
class Started:
    """A chat that was begun: where it is, and what that changed."""

    line: Line
    changes: Changes


@dataclass(frozen=True, slots=True)
class Swipes:
    """The readings of one message; ``chosen`` counts from 0. A message always has one at least."""

    texts: Sequence[str]
    chosen: int = 0


@dataclass(frozen=True, slots=True)
class ScriptedScene:
    """A scene that plays without a model. ``title`` is in its own language."""

    name: str
    language: str
    title: str
