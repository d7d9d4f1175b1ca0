"""Who perceives each message of a chat, judged by rules alone.

It goes from message to message and keeps who is in the scene: those who speak, come in or are
spoken to, until they go, the scene changes, or nothing has been heard of them for long. Where it
cannot tell, only who speaks is there: never everybody.

What one message says of who is in the scene of a group: it comes to a scene and leaves one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

from engram_desktop.domain.knowledge import scene_marks as marks
from engram_desktop.domain.knowledge.layout import Piece, pieces_of
from engram_desktop.domain.knowledge.names import Cast, Mention, Names, names_of
from engram_desktop.domain.knowledge.parts import private_parts
from engram_desktop.domain.knowledge.perception import Perceiver, Perception, PrivatePart
from engram_desktop.domain.knowledge.scene import Scene, Standing
from engram_desktop.domain.text.phrases import Phrases

_ENTERED = 0.85  # told to have come in or to do something there; how sure, of 1: a choice
_ADDRESSED = 0.7  # called by name: seldom one who is not there, but it happens; a choice
_MEANT = 0.8  # the player, called “you” outside of speech; a choice
_BETWEEN = 14  # characters between a name and the word that tells of its coming; the usual clause
_FEW = 8  # names of a narrator’s message that are looked at: a scene holds no more
_AFTER = 16  # characters after an English word of leaving: “the door behind Bert”
_CLAUSE = re.compile("[，,;；]")
_TITLE = r"^(?:先生|小姐|大人|姐|哥|爷爷|奶奶|叔叔|阿姨|殿下|队长|老师|同学|酱|君|桑)?"
_CALLED_BEFORE = re.compile(r"[“\"「『，,、！!。.…—\s]\s*$|^$")
_CALLED_AFTER = re.compile(_TITLE + r"(?:[，,！!]|…|——|~)")
_CALLED_LAST = re.compile(_TITLE + r"[。.！!”\"」』…]")


class SceneReading:
    """Reads a message of ``speaker``, "" for a narrator. ``gone`` go at the end of it."""

    def __init__(self, text: str, pieces: Sequence[Piece], speaker: str, names: Names) -> None:
        self._text = text
        self._pieces = pieces
        self._speaker = speaker
        self._names = names
        self._mentions = list(names.find(text))
        self._at = 0
        self._last_speech = -1
        for number, piece in enumerate(pieces):
            if piece.kind == "speech":
                self._last_speech = number
        self.gone: set[str] = set()

    def judged(self, scene: Scene) -> Scene:
        """Return the scene in which the message is perceived."""
        text = self._text
        if self._begins_elsewhere() or self._is_about_others(scene):
            scene = Scene()
        moves = any(
            mark.search(text)
            for mark in (marks.CHANGES, marks.ALONE, marks.LEAVES, marks.OVERHEARS)
        )
        has_you = bool(self._names.player) and marks.YOU.search(text) is not None
        says_going = bool(self._speaker) and marks.SAYS_GOING.search(text) is not None
        if has_you and self._speaker != self._names.player and marks.AWAY.search(text):
            self.gone.add(self._names.player)
            scene = scene.without(self._names.player)
        if moves or has_you or says_going or self._mentions:
            for number, piece in enumerate(self._pieces):
                mentions = self._mentions_in(piece)
                if self._is_said(piece):
                    scene = self._heard(scene, piece, mentions, says_going=says_going)
                if piece.kind in {"told", "bracket"} and not self._is_outside(piece):
                    if moves:
                        scene = self._moved(scene, piece, mentions, number)
                    scene = self._told(scene, piece, mentions, has_you=has_you)
        return scene.with_(self._speaker, 1.0) if self._speaker else scene

    def _begins_elsewhere(self) -> bool:
        """Whether the message begins a scene: with a time of day, a rule, or a place."""
        text = self._text
        if marks.OPENS.match(text) or marks.RULES.search(text):
            return True
        place = marks.KNOWN_PLACE if self._speaker else marks.PLACE
        return place.match(text) is not None

    def _is_about_others(self, scene: Scene) -> bool:
        """Whether a narrator tells only of people who were not there, and do not come in."""
        if self._speaker or not self._mentions or marks.OVERHEARS.search(self._text):
            return False
        if {mention.name for mention in self._mentions} & set(scene.names):
            return False
        whole = Piece("told", 0, len(self._text), 0)
        return not any(self._acts(whole, mention) for mention in self._mentions[:_FEW])

    def _is_said(self, piece: Piece) -> bool:
        """Whether it is spoken; where nothing is in quotes, all that is set off in no way is."""
        if piece.kind != "told":
            return piece.kind == "speech"
        return self._last_speech < 0 and not piece.is_starred and bool(self._speaker)

    def _is_outside(self, piece: Piece) -> bool:
        """Whether it is a player's remark about the game: ((…))."""
        return self._text[piece.start : piece.start + 2] in _OUTSIDE

    def _mentions_in(self, piece: Piece) -> list[Mention]:
        mentions = self._mentions
        while self._at < len(mentions) and mentions[self._at].start < piece.start:
            self._at += 1
        first = self._at
        while self._at < len(mentions) and mentions[self._at].end <= piece.end:
            self._at += 1
        return mentions[first : self._at]

    def _moved(self, scene: Scene, piece: Piece, mentions: Sequence[Mention], number: int) -> Scene:
        text, start, end = self._text, piece.start, piece.end
        if marks.CHANGES.search(text, start, end):
            scene = Scene(tuple(self._companions(piece, mentions)))
        if marks.ALONE.search(text, start, end):
            names = dict.fromkeys(mention.name for mention in mentions)
            people = tuple(Standing(name, _ENTERED) for name in names)
            scene = Scene(people, is_alone=True)
        left = marks.LEAVES.search(text, start, end)
        if left is not None:
            before = text[max(start, left.start() - 8) : left.start()]
            if not marks.NOT_YET.search(before):
                scene = self._left(scene, piece, left, number)
        overhears = marks.OVERHEARS.search(text, start, end)
        if overhears is not None:
            for mention in mentions:
                if mention.start < overhears.start():
                    scene = scene.overheard_by(mention.name, _MEANT)
        return scene

    def _told(
        self, scene: Scene, piece: Piece, mentions: Sequence[Mention], *, has_you: bool
    ) -> Scene:
        text = self._text
        if mentions and not marks.AFAR.search(text, piece.start, piece.end):
            for mention in mentions:
                if mention.name not in self.gone and self._acts(piece, mention):
                    scene = scene.with_(mention.name, _ENTERED)
        player = self._names.player
        is_meant = has_you and self._speaker != player and player not in self.gone
        is_meant = is_meant and not self._is_said(piece)
        if is_meant and marks.YOU.search(text, piece.start, piece.end):
            scene = scene.with_(player, _MEANT)
        return scene

    def _acts(self, piece: Piece, mention: Mention) -> bool:
        """Whether somebody who is named comes in, does something there or is turned to."""
        after = self._text[mention.end : min(piece.end, mention.end + _BETWEEN + 6)]
        if marks.SPEAKS.match(self._text, mention.end, piece.end):
            return True
        after = _CLAUSE.split(after, maxsplit=1)[0]
        enters = marks.ENTERS.search(after)
        if enters is not None and enters.start() <= _BETWEEN:
            before = after[: enters.start()]
            return not marks.NOT_YET.search(before) and not marks.LONG_AGO.search(before)
        before = self._text[max(piece.start, mention.start - 10) : mention.start]
        if marks.SAYS.search(before) and mention.end >= piece.end - 1:
            return True
        return not after.startswith(("的", "'s", "’s")) and bool(marks.TOWARDS.search(before))

    def _companions(self, piece: Piece, mentions: Sequence[Mention]) -> Iterator[Standing]:
        """Yield those who come along to another scene."""
        for mention in mentions:
            before = self._text[max(piece.start, mention.start - 8) : mention.start]
            if marks.WITH.search(before):
                yield Standing(mention.name, _ENTERED)

    def _left(self, scene: Scene, piece: Piece, left: re.Match[str], number: int) -> Scene:
        """Let somebody go: another at once, who speaks at the end of the message.

        What somebody says who has gone already is heard by nobody else.
        """
        text, player = self._text, self._names.player
        near = max(piece.start, left.start() - 24)
        far = min(piece.end, left.end() + _AFTER) if left[0].isascii() else left.start()
        subjects = {mention.name for mention in self._names.find(text, near, far)}
        you = marks.YOU.search(text, near, left.start())
        if you is not None and self._speaker != player and not subjects:
            subjects.add(player)
        if subjects - {self._speaker}:
            for name in subjects - {self._speaker}:  # whoever of them it is, safety first
                self.gone.add(name)
                scene = scene.without(name)
            if self._speaker and marks.TOGETHER.search(text, near, left.start()):
                self.gone.add(self._speaker)
            return scene
        is_nobody = not subjects and not marks.HE.search(text, near, left.start())
        if is_nobody and left[0].casefold() in marks.GOES_FAR:
            return scene
        if not self._speaker:
            heard = [some for some in scene.people if some.how == "overheard"]
            return scene.without(heard[-1].name) if heard else Scene()
        self.gone.add(self._speaker)
        if number < self._last_speech:
            return Scene()
        return scene

    def _heard(
        self, scene: Scene, piece: Piece, mentions: Sequence[Mention], *, says_going: bool
    ) -> Scene:
        text = self._text
        if says_going and marks.SAYS_GOING.search(text, piece.start, piece.end):
            self.gone.add(self._speaker)
        if scene.is_alone:
            return scene
        for mention in mentions:
            before = text[max(piece.start, mention.start - 3) : mention.start]
            after = text[mention.end : min(piece.end, mention.end + 6)]
            is_last = before.rstrip()[-1:] in {"，", ","} and _CALLED_LAST.match(after)
            is_called = is_last or (_CALLED_BEFORE.search(before) and _CALLED_AFTER.match(after))
            if is_called and mention.name != self._speaker:
                scene = scene.with_(mention.name, _ADDRESSED)
        return scene


_OUTSIDE = frozenset(("((", "（（"))


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
