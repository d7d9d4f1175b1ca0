"""Who perceives each message of a chat, judged by rules alone.

It goes from message to message and keeps who is in the scene: those who speak, come in or are
spoken to, until they go, the scene changes, or nothing has been heard of them for long. Where it
cannot tell, only who speaks is there: never everybody.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

from engram_desktop.domain.knowledge import scene_marks as marks
from engram_desktop.domain.knowledge.layout import Piece, pieces_of
from engram_desktop.domain.knowledge.names import Cast, Names, names_of
from engram_desktop.domain.knowledge.parts import private_parts
from engram_desktop.domain.knowledge.perception import Perceiver, Perception, PrivatePart
from engram_desktop.domain.knowledge.scene import Scene
from engram_desktop.domain.knowledge.scene_reading import SceneReading
from engram_desktop.domain.text.phrases import Phrases

# Messages before new ones from which their scene is judged: seven times the silence after which
# somebody is no longer taken to be there, so that nothing earlier has a say.
LOOKBACK = 60
_PAIR = 0.75  # the only other one there, of a whisper that does not say to whom


class Spoken(Protocol):
    """What a message must have."""

    @property
    def name(self) -> str: ...

    @property
    def text(self) -> str: ...

    @property
    def role(self) -> str: ...


def perceive(
    messages: Iterable[Spoken], cast: Cast, scene: Scene | None = None
) -> list[Perception]:
    """Judge consecutive messages, in their order; ``scene`` is how things stood before them."""
    return [perception for perception, _ in follow(messages, cast, scene)]


def follow(
    messages: Iterable[Spoken], cast: Cast, scene: Scene | None = None
) -> Iterator[tuple[Perception, Scene]]:
    """Yield what is perceived of each message, and the scene after it, to go on from."""
    names = names_of(cast)
    scene = scene or Scene()
    for message in messages:
        if cast.is_alone:
            perception, scene = _of_two(message, cast, names, scene)
        else:
            perception, scene = _of_group(message, cast, names, scene)
        yield perception, scene


def speaker_of(message: Spoken, cast: Cast, names: Names) -> str:
    """Return who speaks, "" for a narrator."""
    if message.role == "user":
        return cast.player or message.name
    name = names.who(message.name)
    if not name or message.role == "system":
        return name if names.is_known(name) else ""
    return "" if name.casefold() in marks.NARRATORS and name not in names.all else name


def _of_two(message: Spoken, cast: Cast, names: Names, scene: Scene) -> tuple[Perception, Scene]:
    """Character and player are there, unless a text clearly says that the player is not."""
    speaker = speaker_of(message, cast, names)
    if speaker == cast.player:
        scene = Scene()
    elif _is_elsewhere(message.text):
        scene = Scene(is_away=True)
    elif scene.is_away and _meets_you(message.text):
        scene = Scene()
    people = [member.name for member in cast.characters]
    if cast.player and not scene.is_away:
        people.append(cast.player)
    if speaker and speaker not in people:
        people.append(speaker)
    audience = tuple(Perceiver(name, "spoke" if name == speaker else "there") for name in people)
    parts = _settled(private_parts(message.text, speaker, names), people)
    return Perception(audience, parts), scene


def _is_elsewhere(text: str) -> bool:
    match = marks.AWAY.search(text) or _ELSEWHERE.search(text)
    return match is not None and not _meets_you(text[match.end() :])


_ELSEWHERE = Phrases(
    r"与此同时|另一边|另一处|独自一人|四下无人",
    r"meanwhile|elsewhere",
)


def _meets_you(text: str) -> bool:
    for piece in pieces_of(text):
        if piece.kind == "told" and marks.YOU.search(text, piece.start, piece.end):
            return True
    return False


def _of_group(message: Spoken, cast: Cast, names: Names, scene: Scene) -> tuple[Perception, Scene]:
    text, speaker = message.text, speaker_of(message, cast, names)
    pieces = pieces_of(text)
    parts = private_parts(text, speaker, names, pieces)
    reading = SceneReading(text, _without_thoughts(pieces, parts), speaker, names)
    scene = reading.judged(scene.older())
    parts = _settled(parts, [some.name for some in scene.people])
    audience = tuple(
        Perceiver(some.name, "spoke", 1.0)
        if some.name == speaker
        else Perceiver(some.name, some.how, some.sureness)
        for some in scene.people
    )
    is_known = len(audience) > 1 or scene.is_alone
    after = scene
    for name in reading.gone:
        after = after.without(name)
    return Perception(audience, parts, is_known), after


def _without_thoughts(pieces: Sequence[Piece], parts: Sequence[PrivatePart]) -> Sequence[Piece]:
    """Leave out what is only thought: it says nothing of who is there."""
    thoughts = [part for part in parts if part.kind == "thought"]
    if not thoughts:
        return pieces
    kept: list[Piece] = []
    number = 0
    for piece in pieces:
        while number < len(thoughts) and thoughts[number].end <= piece.start:
            number += 1
        if number == len(thoughts) or piece.end <= thoughts[number].start:
            kept.append(piece)
    return kept


def _settled(parts: tuple[PrivatePart, ...], people: Sequence[str]) -> tuple[PrivatePart, ...]:
    """Let a whisper that does not say to whom be heard by the only other one there."""
    if len(people) != 2 or not parts:
        return parts
    return tuple(_settled_part(part, people) for part in parts)


def _settled_part(part: PrivatePart, people: Sequence[str]) -> PrivatePart:
    first = part.audience[0] if len(part.audience) == 1 else None
    if part.kind != "whisper" or first is None or first.how != "spoke" or first.name not in people:
        return part
    others = [Perceiver(name, "addressed", _PAIR) for name in people if name != first.name]
    return PrivatePart(part.kind, part.start, part.end, (first, *others))
