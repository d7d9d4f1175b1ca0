"""Who is present at each floor."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Protocol

from engram_desktop.domain.knowledge.knowing import (
    Break,
    FloorSigns,
    How,
    Perceiver,
    Perception,
    PrivatePart,
    with_those_between,
)
from engram_desktop.domain.knowledge.parts import APART_ZH, TextPart, pieces_of, private_parts
from engram_desktop.domain.knowledge.thoughts import Cast, Mention, NameFinder, names_of
from engram_desktop.domain.text.sentences import Phrases
from engram_desktop.domain.values import dataclass

# The persons in the scene from one message to the next: a value to continue from anywhere.


# Messages after which a person who neither speaks nor is addressed counts as absent: with the next
# larger values, the bundled story wrongly keeps persons who left without a word.
STALE = 8
FAREWELLS = 3  # messages in which those who stay may still address a person who left
UNSEEN = 4  # messages for which a hidden listener stays who is not said to leave; chosen by hand
_FADES = 0.04  # of confidence per message: a silent person is less certainly present


@dataclass(frozen=True, slots=True)
class Standing:
    """How certain a person's presence is, and since how many messages nothing confirms it."""

    name: str
    confidence: float = 1.0
    silent: int = 0
    how: How = "there"

    @property
    def sureness(self) -> float:
        if not self.silent:
            return self.confidence
        return round(max(0.0, self.confidence - _FADES * self.silent), 2)


@dataclass(frozen=True, slots=True)
class Scene:
    """The persons in a scene. ``is_alone``: a text said that there is nobody else.

    ``is_away``: the player is said to be absent. ``going`` are persons who said that they leave,
    with the number of messages since: a farewell by name does not bring them back.
    """

    people: tuple[Standing, ...] = ()
    is_alone: bool = False
    is_away: bool = False
    going: tuple[tuple[str, int], ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(standing.name for standing in self.people)

    def older(self) -> Scene:
        """Return the scene one message later, with less confidence in silent persons."""
        people = tuple(
            Standing(some.name, some.confidence, some.silent + 1, some.how)
            for some in self.people
            if some.silent < STALE
        )
        going = tuple((name, since + 1) for name, since in self.going if since < FAREWELLS)
        return Scene(people, self.is_alone and bool(people), self.is_away, going)

    def with_(self, name: str, confidence: float) -> Scene:
        """Return the scene with a person the text shows; a higher confidence is kept."""
        for at, some in enumerate(self.people):
            if some.name == name:
                standing = Standing(name, max(confidence, some.sureness), 0, "there")
                return self._of((*self.people[:at], standing, *self.people[at + 1 :]))
        return self._of((*self.people, Standing(name, confidence, 0, "there")))

    def overheard_by(self, name: str, confidence: float) -> Scene:
        """Return the scene with a hidden listener, who seldom stays long."""
        standing = Standing(name, confidence, STALE - UNSEEN, "overheard")
        others = self.without(name).people
        return self._of((*others, standing))

    def without(self, name: str) -> Scene:
        return self._of(tuple(some for some in self.people if some.name != name))

    def left_by(self, name: str) -> Scene:
        """Return the scene after a person said that they leave."""
        return replace(self.without(name), going=(*self.going, (name, 0)))

    def is_left_by(self, name: str) -> bool:
        return any(one == name for one, _since in self.going)

    def _of(self, people: tuple[Standing, ...]) -> Scene:
        names = {some.name for some in people}
        going = tuple(one for one in self.going if one[0] not in names)
        return Scene(people, self.is_alone, self.is_away, going)


# Who perceives each message of a chat, judged by rules alone. The rules go from message to message
# and track the persons in the scene: those who speak, come in or are addressed, until they leave,
# the scene changes, or they have been silent for long. If the rules cannot tell, only the speaker
# is present, never everybody.


_ENTERED = 0.85  # said to have come in or to act there; confidence of 1, chosen by hand
_ADDRESSED = 0.7  # called by name: seldom an absent person, but it happens; chosen by hand
_MEANT = 0.8  # the player, addressed as “you” outside of speech; chosen by hand
_BETWEEN = 14  # characters between a name and the word for its coming; the usual clause
_FEW = 8  # names of a narrator’s message that are checked: a scene has no more
_AFTER = 16  # characters after an English word of leaving: “the door behind Bert”
_CLAUSE = re.compile("[，,;；]")
_TITLE = r"^(?:先生|小姐|大人|姐|哥|爷爷|奶奶|叔叔|阿姨|殿下|队长|老师|同学|酱|君|桑)?"
_CALLED_BEFORE = re.compile(r"[“\"「『，,、！!。.…—\s]\s*$|^$")
_CALLED_AFTER = re.compile(_TITLE + r"(?:[，,！!]|…|——|~)")
_CALLED_LAST = re.compile(_TITLE + r"[。.！!”\"」』…]")


class SceneReading:
    """Reads a message of ``speaker``, "" for a narrator. ``gone`` leave at its end."""

    def __init__(
        self, text: str, pieces: Sequence[TextPart], speaker: str, names: NameFinder
    ) -> None:
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
        self.breaks: Break = ""

    def judged(self, scene: Scene) -> Scene:
        """Return the scene in which the message is perceived."""
        text = self._text
        if self._begins_elsewhere() or self._is_about_others(scene):
            scene, self.breaks = Scene(), "scene"
        moves = any(mark.search(text) for mark in (CHANGES, ALONE, LEAVES, OVERHEARS))
        has_you = bool(self._names.player) and YOU.search(text) is not None
        says_going = bool(self._speaker) and SAYS_GOING.search(text) is not None
        if has_you and self._speaker != self._names.player and AWAY.search(text):
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
        """Return whether the message begins a scene: with a time of day, a rule, or a place."""
        text = self._text
        if OPENS.match(text) or RULES.search(text):
            return True
        place = KNOWN_PLACE if self._speaker else PLACE
        return place.match(text) is not None

    def _is_about_others(self, scene: Scene) -> bool:
        """Return whether a narrator describes only persons who were absent and do not come in."""
        if self._speaker or not self._mentions or OVERHEARS.search(self._text):
            return False
        if {mention.name for mention in self._mentions} & set(scene.names):
            return False
        whole = TextPart("told", 0, len(self._text), 0)
        return not any(self._acts(whole, mention) for mention in self._mentions[:_FEW])

    def _is_said(self, piece: TextPart) -> bool:
        """Return whether a piece is spoken; without any quotes, everything unmarked is."""
        if piece.kind != "told":
            return piece.kind == "speech"
        return self._last_speech < 0 and not piece.is_starred and bool(self._speaker)

    def _is_outside(self, piece: TextPart) -> bool:
        """Return whether it is a player's remark about the game: ((…))."""
        return self._text[piece.start : piece.start + 2] in _OUTSIDE

    def _mentions_in(self, piece: TextPart) -> list[Mention]:
        mentions = self._mentions
        while self._at < len(mentions) and mentions[self._at].start < piece.start:
            self._at += 1
        first = self._at
        while self._at < len(mentions) and mentions[self._at].end <= piece.end:
            self._at += 1
        return mentions[first : self._at]

    def _moved(
        self, scene: Scene, piece: TextPart, mentions: Sequence[Mention], number: int
    ) -> Scene:
        text, start, end = self._text, piece.start, piece.end
        changes = CHANGES.search(text, start, end)
        if changes is not None:
            scene = Scene(tuple(self._companions(piece, mentions)))
            self._break("left" if SOMEBODY_LEFT.search(changes[0]) else "scene")
        if ALONE.search(text, start, end):
            self._break("scene")
            names = dict.fromkeys(mention.name for mention in mentions)
            people = tuple(Standing(name, _ENTERED) for name in names)
            scene = Scene(people, is_alone=True)
        left = LEAVES.search(text, start, end)
        if left is not None:
            before = text[max(start, left.start() - 8) : left.start()]
            if not NOT_YET.search(before):
                scene = self._left(scene, piece, left, number)
        overhears = OVERHEARS.search(text, start, end)
        if overhears is not None:
            for mention in mentions:
                if mention.start < overhears.start():
                    scene = scene.overheard_by(mention.name, _MEANT)
        return scene

    def comes(self) -> frozenset[str]:
        """Return who is said to come in: by name, or by themselves."""
        found = set()
        for piece in self._pieces:
            if piece.kind == "speech":
                continue
            for match in COMES.finditer(self._text, piece.start, piece.end):
                named = self._names.last(self._text, piece.start, match.start())
                found.add(named.name if named is not None else self._speaker)
        return frozenset(found)

    def _break(self, kind: Break) -> None:
        """Note the effect of the message on the scene; a new scene has precedence."""
        if self.breaks != "scene":
            self.breaks = kind

    def _told(
        self, scene: Scene, piece: TextPart, mentions: Sequence[Mention], *, has_you: bool
    ) -> Scene:
        text = self._text
        if mentions and not AFAR.search(text, piece.start, piece.end):
            for mention in mentions:
                if mention.name not in self.gone and self._acts(piece, mention):
                    scene = scene.with_(mention.name, _ENTERED)
        player = self._names.player
        is_meant = has_you and self._speaker != player and player not in self.gone
        is_meant = is_meant and not self._is_said(piece)
        if is_meant and YOU.search(text, piece.start, piece.end):
            scene = scene.with_(player, _MEANT)
        return scene

    def _acts(self, piece: TextPart, mention: Mention) -> bool:
        """Return whether a named person comes in, acts there or is addressed."""
        after = self._text[mention.end : min(piece.end, mention.end + _BETWEEN + 6)]
        if SPEAKS.match(self._text, mention.end, piece.end):
            return True
        after = _CLAUSE.split(after, maxsplit=1)[0]
        enters = ENTERS.search(after)
        if enters is not None and enters.start() <= _BETWEEN:
            before = after[: enters.start()]
            return not NOT_YET.search(before) and not LONG_AGO.search(before)
        before = self._text[max(piece.start, mention.start - 10) : mention.start]
        if SAYS.search(before) and mention.end >= piece.end - 1:
            return True
        return not after.startswith(("的", "'s", "’s")) and bool(TOWARDS.search(before))

    def _companions(self, piece: TextPart, mentions: Sequence[Mention]) -> Iterator[Standing]:
        """Yield the companions who come along to another scene."""
        for mention in mentions:
            before = self._text[max(piece.start, mention.start - 8) : mention.start]
            if WITH.search(before):
                yield Standing(mention.name, _ENTERED)

    def _left(self, scene: Scene, piece: TextPart, left: re.Match[str], number: int) -> Scene:
        """Let a person leave: others at once, the speaker at the end of the message.

        What a person says after leaving is heard by nobody else.
        """
        text, player = self._text, self._names.player
        near = max(piece.start, left.start() - 24)
        far = min(piece.end, left.end() + _AFTER) if left[0].isascii() else left.start()
        subjects = {mention.name for mention in self._names.find(text, near, far)}
        you = YOU.search(text, near, left.start())
        if you is not None and self._speaker != player and not subjects:
            subjects.add(player)
        if subjects - {self._speaker}:
            for name in subjects - {self._speaker}:  # any of them may be meant: the safe choice
                self.gone.add(name)
                scene = scene.without(name)
            if self._speaker and TOGETHER.search(text, near, left.start()):
                self.gone.add(self._speaker)
            return scene
        is_nobody = not subjects and not HE.search(text, near, left.start())
        if is_nobody and left[0].casefold() in GOES_FAR:
            return scene
        self._break("left")
        if not self._speaker:
            heard = [some for some in scene.people if some.how == "overheard"]
            return scene.without(heard[-1].name) if heard else Scene()
        self.gone.add(self._speaker)
        if number < self._last_speech:
            return Scene()
        return scene

    def _heard(
        self, scene: Scene, piece: TextPart, mentions: Sequence[Mention], *, says_going: bool
    ) -> Scene:
        text = self._text
        if says_going and SAYS_GOING.search(text, piece.start, piece.end):
            self.gone.add(self._speaker)
        if scene.is_alone:
            return scene
        for name in called(text, piece, mentions):
            if name != self._speaker and not scene.is_left_by(name):
                scene = scene.with_(name, _ADDRESSED)
        return scene


def called(text: str, piece: TextPart, mentions: Sequence[Mention]) -> Iterator[str]:
    """Yield those whom a speech addresses by name."""
    for mention in mentions:
        before = text[max(piece.start, mention.start - 3) : mention.start]
        after = text[mention.end : min(piece.end, mention.end + 6)]
        is_last = before.rstrip()[-1:] in {"，", ","} and _CALLED_LAST.match(after)
        if is_last or (_CALLED_BEFORE.search(before) and _CALLED_AFTER.match(after)):
            yield mention.name


_OUTSIDE = frozenset(("((", "（（"))


# Messages before new ones from which their scene is judged: seven times the silence after which a
# person counts as absent, so that earlier ones have no influence.
LOOKBACK = 60
_PAIR = 0.75  # the only other person present, for a whisper without a named hearer


class SpokenMessage(Protocol):
    """The attributes a message must have."""

    @property
    def name(self) -> str: ...

    @property
    def text(self) -> str: ...

    @property
    def role(self) -> str: ...


def perceive(
    messages: Iterable[SpokenMessage], cast: Cast, scene: Scene | None = None
) -> list[Perception]:
    """Judge consecutive messages in order; ``scene`` is the state before them."""
    rows = list(follow(messages, cast, scene))
    perceptions = [perception for perception, _scene, _signs in rows]
    signs = [row[2] for row in rows]
    if signs and not (scene and scene.people):
        signs[0] = replace(signs[0], breaks="scene")  # a story begins
    return with_those_between(perceptions, signs, cast.player)


def follow(
    messages: Iterable[SpokenMessage], cast: Cast, scene: Scene | None = None
) -> Iterator[tuple[Perception, Scene, FloorSigns]]:
    """Yield the perception of each message from the text so far, and the scene after it."""
    names = names_of(cast)
    scene = scene or Scene()
    for message in messages:
        signs = FloorSigns("", "scene")  # of two, both are present unless the text says otherwise
        if cast.is_alone:
            perception, scene = _of_two(message, cast, names, scene)
        else:
            perception, scene, signs = _of_group(message, cast, names, scene)
        yield perception, scene, signs


def speaker_of(message: SpokenMessage, cast: Cast, names: NameFinder) -> str:
    """Return the speaker, "" for a narrator."""
    if message.role == "user":
        return cast.player or message.name
    name = names.who(message.name)
    if not name or message.role == "system":
        return name if names.is_known(name) else ""
    return "" if name.casefold() in NARRATORS and name not in names.all else name


def _of_two(
    message: SpokenMessage, cast: Cast, names: NameFinder, scene: Scene
) -> tuple[Perception, Scene]:
    """Both character and player are present, unless a text clearly says that the player is not."""
    speaker = speaker_of(message, cast, names)
    if speaker == cast.player:
        scene = Scene()
    elif is_elsewhere(message.text):
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


def is_elsewhere(text: str) -> bool:
    """Return whether a text describes a place where the player is not."""
    match = AWAY.search(text) or _ELSEWHERE.search(text)
    return match is not None and not _meets_you(text[match.end() :])


_ELSEWHERE = Phrases(r"与此同时|另一边|另一处|独自一人|四下无人", r"meanwhile|elsewhere")


def _meets_you(text: str) -> bool:
    for piece in pieces_of(text):
        if piece.kind == "told" and YOU.search(text, piece.start, piece.end):
            return True
    return False


def _of_group(
    message: SpokenMessage, cast: Cast, names: NameFinder, scene: Scene
) -> tuple[Perception, Scene, FloorSigns]:
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
        after = after.left_by(name)
    elsewhere = scene.is_alone or (bool(text) and is_elsewhere(text))
    signs = FloorSigns(speaker, reading.breaks, frozenset(reading.gone), reading.comes(), elsewhere)
    return Perception(audience, parts, is_known), after, signs


def _without_thoughts(
    pieces: Sequence[TextPart], parts: Sequence[PrivatePart]
) -> Sequence[TextPart]:
    """Leave out thoughts, which say nothing about presence."""
    thoughts = [part for part in parts if part.kind == "thought"]
    if not thoughts:
        return pieces
    kept: list[TextPart] = []
    number = 0
    for piece in pieces:
        while number < len(thoughts) and thoughts[number].end <= piece.start:
            number += 1
        if number == len(thoughts) or piece.end <= thoughts[number].start:
            kept.append(piece)
    return kept


def _settled(parts: tuple[PrivatePart, ...], people: Sequence[str]) -> tuple[PrivatePart, ...]:
    """Give a whisper without a named hearer to the only other person present."""
    if len(people) != 2 or not parts:
        return parts
    return tuple(settled_part(part, people) for part in parts)


def settled_part(part: PrivatePart, people: Sequence[str]) -> PrivatePart:
    """Give a whisper of one of two ``people`` to the other if it has no other hearer."""
    first = part.audience[0] if len(part.audience) == 1 else None
    if part.kind != "whisper" or first is None or first.how != "spoke" or first.name not in people:
        return part
    others = [Perceiver(name, "addressed", _PAIR) for name in people if name != first.name]
    return PrivatePart(part.kind, part.start, part.end, (first, *others))


# Words by which a message says that somebody comes or goes, or that the scene changes.


_NEAR = (
    "身边|身旁|身后|身前|面前|跟前|桌|窗|床|门口|门边|门前|旁边|这里|这儿|这边|耳边|前面|后面|一旁"
    "|柜台|炉"
)
# A new scene: another place, time, or both.
CHANGES = Phrases(
    r"第[一二三四五六七八九十百\d]{1,4}(?:[幕章回]|[场节](?=[ ：:】，]))|画面[一转切]|与此同时"
    r"|同一时[间刻]"
    r"|另一[边处](?=[，,：:])|第[一二两三四五六七八九十百千\d]{1,6}天|次日"
    r"|翌日|隔天|当[晚夜天]"
    r"|(?:几|数|两|三|半|一|十|[\d]{1,3})个?(?:天|日|周|星期|月|年|小时|钟头|时辰|多月"
    r"|分钟)(?:之?后|过去)"
    r"|不久之?后|过了(?:几|好几)[天日周月年个]|场景[:：切转]|地点[:：]|时间[:：]|镜头[一切转]"
    r"|视角[:：切转]"
    rf"|(?:来|回|赶)到了?(?!{_NEAR})|到达|抵达|走[出进]了?(?!来)|离开[^，。]{{1,8}}(?:后|时|的时候)"
    r"|(?:大?门|房门)(?:合上|关上|带上)(?:之?后|的)|等[^，。]{1,8}(?:走远|离开|走后|出去|走了)"
    r"|[走离][开远去]?(?:之后|以后|后[，,])|脚步声(?:远去|消失|渐渐)|人都?走[了光]|散[了场会]"
    r"|挂[断了掉](?:了)?电话|电话挂|我们(?:走|离开|动身|出发|上路)|回程|路上"
    r"|翌朝|次の日|その[夜晩]|数[日週ヶか]月?間?後|帰り道|一方、?その頃|放課後になる|電話を切",
    r"(?:scene|act|chapter) (?:\d+|[ivx]+|one|two|three|four|five)|time ?skip|later(?=,)"
    r"|meanwhile|elsewhere|the next (?:day|morning|evening|night)|the following \w+"
    r"|(?:days|weeks|months|years) (?:pass(?:ed)?|go by|went by)"
    r"|later (?:that|the same) \w+|that (?:night|evening|afternoon)|\w+ (?:minutes?|hours?|days?"
    r"|weeks?|months?|years?) (?:later|after)|scene:|location:|at the same time|back (?:at|home)"
    r"|back in (?:the|her|his|their|my)"
    r"|arrives? at the|once (?:\w+ ){1,3}(?:leaves?|left|gone|is gone|has gone|are gone)"
    r"|after (?:\w+ ){1,3}(?:leaves?|left|gone)"
    r"|when (?:\w+ ){1,3}(?:has left|have left|is gone|are gone)"
    r"|the door (?:closes|shuts|clicks shut) behind|hangs? up",
)
# Of these, those by which somebody leaves while the place stays the same.
SOMEBODY_LEFT = Phrases(
    r"^(?:(?:大?门|房门)(?:合上|关上|带上)|等|[走离]|脚步声|人都?走)(?!到|进|出)",
    r"^(?:once|after|when|the door)",
)
# So does a line of dashes, or a line in brackets: a place.
RULES = re.compile(
    r"^[ \t]*(?:(?:[-*=~—_·.][ \t]*){3,}$|#{1,6}[ ]|【[^】\n]{1,40}】[ \t]*$"
    r"|\[[^\]\n]{1,60}\][ \t]*$)",
    re.MULTILINE,
)
# At the very start of a message a time of day begins a scene.
OPENS = re.compile(
    r"[\s*（(【\[]*(?:今天|昨天|这天|那天|第二天)?(?:清晨|早晨|早上|上午|中午|正午|午后|下午|傍晚"
    r"|黄昏|日落|入夜"
    r"|夜里|夜晚|深夜|半夜|午夜|晚上|凌晨|黎明|放学|下班|打烊|散会|周[一二三四五六日末]|星期"
    r"|[春夏秋冬][天日季]|放課後|昼休み|夕方|夕暮れ|翌[日朝]|帰り道|[一-十]{1,2}月[。、]|\S{1,4}当日[。、]"
    r"|(?:at|over|after|during|before) (?:lunch|dinner|breakfast|supper)\b|(?:[早午晚]饭|早餐"
    r"|午餐|晚餐)[时后前]"
    r"|(?:(?:at|around|about|near|towards?|by|before|after) )?(?:dawn|noon|midday|dusk|sunset"
    r"|sunrise|midnight|night(?:fall)?)\b|(?:early |late )?(?:in the )?"
    r"(?:morning|afternoon|evening)\b|(?:january|february|march|april|may|june|july|august"
    r"|september|october|november|december)(?: \d{1,2}(?:st|nd|rd|th)?)?(?=[.,:;*\n])"
    r"|(?:late |early )?(?:spring|summer|autumn|winter)(?=[.,:;*\n])"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day\b)",
    re.IGNORECASE,
)
# The player, addressed as “you”, is said to be absent.
AWAY = Phrases(
    r"你(?:走|离开|离去|出门|睡着|睡下|睡熟|入睡|昏迷|转身)(?:了|之|以)*后|等你(?:走|睡|离开|出门"
    r"|转身)|你不在(?:的时候|时|家|场)"
    r"|你(?:睡着|睡熟|昏迷|离开)(?:的时候|时)|目送你|趁你(?:睡|不|离|昏|没)|背着你|你听不[见到]"
    r"|你没听[见到]",
    r"after you(?:'ve| have)? (?:leave|left|go|gone|fall asleep)|while you(?:'re| are)? (?:sleep"
    r"|away|gone|asleep"
    r"|out|not looking)|once you(?:'re| are|'ve| have)? (?:gone|left|leave|asleep)|behind your back"
    r"|out of your (?:sight|hearing)|you (?:can't|cannot|don't) hear|without you",
)
# A narrator's message that begins with a place is another scene; this is a well-known form.
PLACE = re.compile(
    r"[\s*（(【\[]*[^，。“”：:\n]{1,14}(?:里|上|中|内|外|门口|旁|边|下|处|前|室|馆|店|房|台|楼|院"
    r"|园|街|路|厅|港|崖|窖)[，。]"
    r"|[\s*(\[]*(?:in|at|on|inside|outside|under|behind|near) (?:the|a|an|his|her"
    r"|their) [^.\n]{1,40}[,.]",
    re.IGNORECASE,
)
KNOWN_PLACE = re.compile(
    r"[\s*（(【\[]+[^，。“”：:\n]{0,8}(?:教室|办公室|天台|走廊|操场|厨房|房间|卧室|客厅|酒馆|医院"
    r"|图书馆|公园|学校|宿舍"
    r"|车站|咖啡馆|餐厅|院子|森林|城堡|王宫|小卖部|书房|地下室|海边|码头|渡口)(?:里|上|中|内|外"
    r"|门口)?[，。]"
)
# Only the persons named are there.
ALONE = Phrases(
    r"独自|独处|孤身|一个人(?:待|留|坐|站|走|在|靠|躺|守)|只剩[下了]?(?:[他她我你自]"
    r"|[^，。]{0,14}(?:一个?人|两个?人|二人|俩))|四下无人|空无一人"
    r"|没有(?:别人|旁人|其他人)|只有[我你他她]?们?(?:两个?人|俩|二人)|二人独处|单独(?:相处|在一起"
    r"|见面)|没人的"
    rf"|{APART_ZH}|(?:两人|二人|两个人)(?:来到|站在|走到|躲|独|坐在|进了)|无人的"
    r"|[把将拉拽带领][着住]?[^，。；“”]{1,8}(?:[拉拽叫带]到|走到|来到|去了?"
    r"|进)[^，。；“”]{0,6}"
    r"(?:一旁|一边|角落|旁边|屋檐下|走廊|门外|僻静|没人|阳台|屋外|外面|楼梯|无人|隔壁|里屋|暗处"
    r"|树下)"
    r"|你走后|你离开后|你不在|(?:一人|ひとり|二人|ふたり)きり|(?:他に|ほかに)?誰もいな",
    r"alone|by (?:him|her|my)self|just the two of|no one else|nobody else"
    r"|in private|(?:pull|take|draw|lead|follow|drag)s? [^.!?,;\"“”]{1,30}"
    r" (?:aside|into (?:a|the) corner|outside|upstairs|out (?:to|into|on))",
)
ENTERS = Phrases(
    r"推门|推开[^，。]{0,6}门|进来|进了|走进|走入|步入|踏进|闯进|冲进|冲上|跑进|溜进|回来|出现"
    r"|赶来|赶到|到来|到了"
    r"|走过来|跑过来|走上前|凑过来|凑上|探出|探进|加入|走来|跑来|过来|迎上来|带着|跟着|也在|在旁"
    r"|站在|坐在|靠在"
    r"|入ってき|やって[来き]|現れ|戻ってき|駆け込|待ってい|立ってい"
    r"|蹲在|躺在|守在|等在|插[嘴话]|(?:说|问|道|答|喊)(?=[：:，。])|接过|递给|端[来着上]",
    r"enters?|entered|arrives?|arrived|joins?|joined|walks? in|walked in|comes? (?:in|back)"
    r"|came (?:in|back)|steps? in(?:to)?|bursts? in|appears?|appeared|returns?|returned|shows? up"
    r"|showed up|is (?:here|there|sitting|standing|leaning|waiting)|sits|stands|follows|says|asks"
    r"|replies|answers",
)
COMES = Phrases(
    r"推门|推开[^，。]{0,6}门|进来|走进|走入|步入|踏进|闯进|冲进|跑进|溜进|回来|赶来|赶到|走来|跑来|走过来"
    r"|跑过来|出现在|迎上来|端着[^，。]{0,8}进|入ってき|やって[来き]|戻ってき|駆け込",
    r"enters?|entered|arriv\w+|joins?|joined|(?:walks?|walked|comes?|came|steps?|stepped|bursts?"
    r"|strides?|slips?|hurries) (?:back |up )?(?:in|into)|comes? back|came back|returns?|returned",
)
EMPTIES = (
    r"the (?:\w+ )?(?:room|hall|tavern|inn|bar|pub|office|house|deck|church|shop|café|cafe)"
    r" (?:empties|emptied|clears|cleared)(?! the)"
)
LEAVES = Phrases(
    r"[叫带抬接送赶支哄打发]走(?:了|[，。]|$)|支开|甩[开掉]|而去|下线|走[到向][^，。]{0,4}(?:门外"
    r"|屋外|外面)|听不[见到](?!的)|耳机|离开|离去|离席"
    r"|走了(?<![啄带拿抢偷夺取吃牵抱接叼卷吹运送搬吸撕飞溜]走了)(?=[，。！？…”*\s]"
    r"|$)|走出|走掉|出门|出去|跑出|冲出|退出|退下|告辞|告退|告别"
    r"|回(?:了|到)?(?:房|家|去|屋|宿舍|自己的?[房屋家住宿]|岗|衙|营|楼上|店里)|上楼|下楼|下山"
    r"|下台|溜[走下出了]|走开|退场|离场|散去|转身就走|扬长而去|夺门而|拂袖|消失在|走远|远去"
    r"|先走|睡了过去|睡着|睡熟|昏[了迷]过?去?|昏倒|晕倒|去(?:睡|洗澡|值班|巡逻|上班|上课|买|取|拿"
    r"|厨房|后院|后厨)|出て(?:行|い)[っくき]|立ち去|踵を返|部屋を後に|席を外|駆け出し|走り去|眠りに落ち",
    r"(?:footsteps|steps) (?:fade|recede|die)|(?:drives?|drove|rides?|rode|runs?|ran) (?:off"
    r"|away)|(?:called|led|taken) away"
    r"|out of (?:the room|earshot|hearing)|(?:fallen|is|are|was) asleep|headphones|can't hear"
    r"|door behind|leaves?|left the|left for|walks? (?:out|off|away)|walked (?:out|off|away)"
    r"|heads? (?:home|out|upstairs|off|back|to bed)|headed (?:home|out|upstairs|off|back|to bed)"
    r"|exits?|storms? (?:out|off)|slips? (?:out|away)|goes? (?:home|upstairs|out|to bed)|went"
    r" (?:home|upstairs|out|to bed)|departs?|disappears?|excuses? (?:him|her|my|them)sel\w+"
    r"|steps? out"
    r"|steals? (?:away|off|out)|goes (?:below|inside|ashore|back)|climbs? down|retires?"
    r"|falls? asleep|fell asleep|passes out|(?:then|and) goes(?=\s*(?:[.;!*]|$))"
    rf"|{EMPTIES}|(?:has|have|had) gone (?:out|off|away|home|upstairs|downstairs"
    r"|to (?:fetch|get|find|bring))",
)
# In this form the speaker goes along: “she pulls Bert out of the room”.
TOGETHER = Phrases(
    "拉着|带着|牵着|拽着|拖着|扶着|抱着|陪着?|和|跟|与|同|领着",
    r"with|pulls|drags|takes|leads|and|follows",
)
# Before the word, this means that it did not happen.
NOT_YET = re.compile(
    r"(?:没有?|不|别|未|想要?|要|准备|打算|刚要|正要|正想|若|如果|等|敢|肯|愿意?|舍得|可以|能|会"
    r"|勿|何时|什么时候"
    r"|让|叫|请|(?<![a-z])(?:not|n't|to|will|would|could|can|never|if|about to|wants to|don't|let)"
    r")\s*(?:再|就|先|马上|就这么|这么)?\s*$",
    re.IGNORECASE,
)
# In this form it was another time.
LONG_AGO = re.compile(
    r"当年|以前|曾|从前|昨[天晚夜]|上次|总是|经常|往日|小时候|生前"
    r"|(?<![a-z])(?:once|used to|always|often|had|last)(?![a-z])",
    re.IGNORECASE,
)
SAYS_GOING = Phrases(
    r"我(?:就|得|要|该)?先?(?:走|回去|回家|回房|告辞|撤|失陪|出门|上楼|去睡|回店|回岗"
    r"|去忙)了?(?:[。，！~]|$|吧|先)"
    r"|先走[一了]步|我?先?(?:睡|休息|歇)了|晚安|失陪|告辞|我去去就|我(?:先|得|要|出)?去(?:一下"
    r"|一趟|个|接|打|拿|取|买|睡|洗"
    r"|上|找|看看|端|叫)|出去(?:一下|接|打)"
    r"|去趟(?:洗手间|厕所|茅房|卫生间)|(?:马上|很快|一会儿?)就?回来"
    r"|拜拜|再见|明天见|回头见|改天见",
    r"I(?:'m|'ll| am| have to| should| must| need to| had better)"
    r" (?:be |get )?(?:going|leav\w+|off|head\w*|go)|good ?night|see you|goodbye|bye|brb"
    r"|(?:be )?right back|back in a \w+|gotta go|be back (?:soon|later|shortly|in)"
    r"|excuse me (?:a|for a)|need a (?:minute|moment)|catch up with (?:you|everyone)"
    r"|(?:need|have|going|got|had|better|just|really|really need) to (?:step (?:out|away|outside)"
    r"|take (?:off|this|it)|use the (?:bathroom|restroom)|(?:run|go) to the (?:bathroom|restroom))"
    r"|(?:I'll|I will) step (?:out|away)|nature calls|bathroom break|keep (?:me|you) posted",
)
OVERHEARS = Phrases(
    r"偷听|躲在|藏在|贴在门|门外听|听[得见到]了?(?:一清二楚|清清楚楚|全部|每一个字)|无意中?听"
    r"|正好听|恰好听|隔着[门墙]",
    r"overhears?|overheard|eavesdrop\w*|listens? (?:at|behind|from)|hid(?:es|den|ing)? behind"
    r"|behind the (?:door|curtain)",
)
# Alone, such a word may mean anything, a sound or a ship: a person must be named with it.
GOES_FAR = frozenset(("走远", "远去", "消失在", "disappears", "disappear", "went out"))
HE = re.compile(r"我|他|她|(?<![A-Za-z])(?:I|he|she|they)(?![A-Za-z])", re.IGNORECASE)
# Before a name: somebody present is addressed or acted upon.
TOWARDS = re.compile(
    r"(?:对着?|向着?|朝着?|给|看着|望着|看向|望向|扫过|瞪着?|拍拍?|扶着?|扶住|抱住|抱着|拉着|拉住"
    r"|牵着|挽着|问|回答"
    r"|(?<![a-z])(?:to|at|beside|towards?|asks?|tells?|hugs?|nods? to))\s*(?:了|过|the )?$",
    re.IGNORECASE,
)
# “…” says Clara.
SAYS = re.compile(r"(?:^|\s)(?:says|asks|replies|answers|said|asked|replied)\s+$", re.IGNORECASE)
SPEAKS = re.compile("[^。！？“”:：]{0,20}(?:说|道|问|答|喊)[：:]")
AFAR = re.compile(
    r"电话|短信|微信|消息|写信|来信|照片|画像|墓|梦|想起|想到|写给|寄给|隔着|远处"
    r"|(?<![a-z])(?:phone|text|message|letter|photo|picture|grave|dream|remember|call)",
    re.IGNORECASE,
)
WITH = re.compile(
    r"(?:和|跟|同|与|带着|拉着|陪着?|牵着|扶着|with|and|、)\s*(?:the )?$", re.IGNORECASE
)
YOU = Phrases("你", r"you(?:r|rs|'re|'ll|'ve)?")
NARRATORS = frozenset(
    "旁白 叙述者 叙事者 说书人 系统 主持人 narrator system storyteller gm dm kp note".split()
)
