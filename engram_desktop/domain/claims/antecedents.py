"""Finds the person meant by a pronoun, a role such as "the captain", or an unnamed speaker."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Sequence
from functools import cached_property

from engram_desktop.domain.claims.people import DOES_ZH, HEAD_ZH
from engram_desktop.domain.claims.speech import (
    BY_ROLE,
    FIRST_SAYS,
    HEADED,
    INVERTED,
    MEN,
    NEW_WITHIN,
    ONLY_TAG,
    SAYS_EN,
    SOMEBODY_NEW,
    TAG_EN,
    THE_ROLE,
    WOMEN,
    YOU_TOLD,
    Context,
    MessageSender,
    tells_of_somebody,
)
from engram_desktop.domain.claims.strangers import Strangers, is_unknown
from engram_desktop.domain.claims.subjects import (
    ACTS_NOW,
    FIRST,
    OBJECT,
    SIGN,
    Mentioned,
    is_owner,
    subject_of,
)
from engram_desktop.domain.knowledge.parts import TextPart
from engram_desktop.domain.knowledge.thoughts import Mention
from engram_desktop.domain.text.chinese_names import is_name_shaped

_PART_ZH = 2  # characters of a given name, or of a title
# A name or a relative, and a verb of speech: Petrov says, your aunt adds
_STRANGER = (
    r"(?!(?:He|She|It|They|We|You|I|This|That|There|Then|And|But|So|Nobody|Everybody|Everyone|What)\b)"
    r"(?:[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)?|(?:[Yy]our|[Mm]y|[Hh]is|[Hh]er|[Tt]heir) (?:\w+ )?\w+"
    r"|[Tt]he (?!(?:\w+ )?(?:man|woman|girl|boy|lady|lass|lad|fellow|one|other)\b)(?:\w+ )?\w+)"
)
_STRANGER_LEADS = re.compile(rf"[\s*]*{_STRANGER} (?:\w+ly )?{SAYS_EN}\b[^.!?]*[,:]\s*\*?\s*$")
# Two words of a name, and an action: Coach Tanner stops Owen in the hall.
_WHOLE_ACTS = re.compile(
    r"[\s*]*(?:[A-ZÀ-ÖØ-Þ][a-zß-öø-ɏ]+\.? ){2}(?:\w+ly )?[a-z]+(?:s|ed|n['’]t)\b"
)
_SAYS_STRANGER = re.compile(rf"[\s,*]*(?:\w+ly )?{SAYS_EN} {_STRANGER}")
_STRANGER_SAYS = re.compile(rf"[\s,*]*{_STRANGER} (?:\w+ly )?{SAYS_EN}\b")
# An unspecified person who speaks: 有人喊道, someone laughed.
_ANYONE_ZH = "(?:(?<![所没只还])有(?:个)?人|不知(?:道)?(?:是)?谁|谁也?不知|众人|人群|旁人|全[班场])"
_ANYBODY = re.compile(
    rf"[\s*]*(?:[^，。！？：我他她你]{{0,8}}{_ANYONE_ZH}"
    r"|[^，。！？：我他她你]{0,8}(?:的声音|的嗓[音子门]|那[头边端]|[听话]筒|广播|喇叭|对讲机|收音机|电视)[^，。我他她你]*[：:]$"
    r"|(?:Some(?:one|body)|Several|Voices|A (?:\w+ )?voice)\b)"
)
_ANYBODY_SAYS = re.compile(
    rf"[\s，,*]*(?:[^，。我他她你]{{0,10}}的声音|{_ANYONE_ZH}[^，。]{{0,8}}?[说道问喊叫嚷骂笑吼喝应答念议嘀]"
    rf"|(?:{SAYS_EN} )?(?:some(?:one|body)|several|(?:a|another) (?:\w+ )?voice)\b)"
)
# A subject, a verb and the rest: 小石头背着书包, 酒肉佛收了笑.
_GOES_ON_ZH = re.compile(
    f"(?:^|[，；])(?P<name>[\u4e00-\u9fff]{{2,4}}?)(?:[\u4e00-\u9fff][着了]|{DOES_ZH})"
)
# No subject begins so, or it is a part of the body or a manner.
_NOBODY_ZH = re.compile(
    f"^{DOES_ZH}".replace("?P<does>", "?:")
    + "|[我你他她它这那其此每各就才又再也还都已很太最更被把让给对向从在到过为与和跟同而且但却"
    "却并或若如虽因所以不没有是会能可要想地得]|^[声语目眼神嘴唇脸眉头手指肩嗓音]|^.[声语目眼神嘴唇脸眉头手指肩嗓音色情气息泪汗心]$|^[起回侧俯仰垂扭歪挺甩掀用]"
)
_THIRD = frozenset(("he", "his", "him", "他", "she", "her", "她"))


def means_player(text: str, names: Mentioned, own: str, pronoun: str, at: int) -> bool:
    """Return whether a pronoun at a position of a message of ``own`` means the player.

    It does if the message mentions no other person before to whom it could refer.
    """
    player = names.player
    gender = "f" if pronoun in ("she", "her", "她") else "m"
    if pronoun not in _THIRD or own == player or names.gender(player) != gender:
        return False
    told = {own, *names.named_before(at)} - {player}
    if any(names.gender(name) in (gender, "") for name in told):
        return False
    return not tells_of_somebody(text, at, gender)


def stranger_leads(words: str, own: str) -> bool:
    """Return whether a sentence before a speech says that an unknown person speaks.

    A person called by a part of the name of ``own`` is not unknown.
    """
    if _ANYBODY.match(words) is not None:
        return True
    found = _STRANGER_LEADS.match(words) or _WHOLE_ACTS.match(words)
    return _is_stranger(found, own) or _acts(words, own)


def whole_stranger(words: str, own: str) -> str:
    """Return the start of a sentence if it is an unknown whole name with an action, else ""."""
    match = _WHOLE_ACTS.match(words)
    return match[0] if match is not None and _is_stranger(match, own) else ""


def speaker_behind(words: str, own: str, ended: str) -> str:
    """Return the speaker by words behind a speech: ``own``, `SIGN` for a stranger, or "".

    The speech ``ended`` on a character: after a full stop an English sentence begins, “Free.”
    People laughed. A part of a Chinese name means its person: 莫雷说, in a message of 舰长莫雷.
    """
    parts = (own[:_PART_ZH], own[-_PART_ZH:]) if len(own) > _PART_ZH and not own.isascii() else ()
    if words.strip(" *").startswith(parts):
        return own
    first = re.split(r"(?<=[，,])", words, maxsplit=1)[0]
    tag = _SAYS_STRANGER.match(words) or (_STRANGER_SAYS.match(words) if ended != "." else None)
    is_tag = _ANYBODY_SAYS.match(words) is not None or _is_stranger(tag, own) or _acts(first, own)
    return SIGN if is_tag else ""


def _is_stranger(match: re.Match[str] | None, own: str) -> bool:
    return match is not None and set(re.findall(r"[A-Z]\w+", match[0])).isdisjoint(own.split())


def _acts(words: str, own: str) -> bool:
    """Return whether a Chinese clause begins with an apparent whole name and an action."""
    words = words.strip(" *（(")
    heads = HEAD_ZH.finditer(words)
    if any(is_name_shaped(m["name"]) and m["name"] not in own for m in heads):
        return True
    if words[-1:] not in "：，":
        return False
    return any(_is_somebody(m["name"], own) for m in _GOES_ON_ZH.finditer(words))


def _is_somebody(name: str, own: str) -> bool:
    """Return whether a Chinese clause begins with a person: 小石头背着, not 慢慢, 目光 or 转身."""
    is_word = len(set(name)) == 1 or _NOBODY_ZH.search(name) is not None
    return not is_word and name not in own


# Somebody comes in, and speaks next.
COMES_IN = re.compile(
    r"\b(?:(?:put|poke[sd]?|stuck|sticks?) (?:his|her|their) head (?:in|round|around|through)"
    r"|(?:comes?|came|walks?|walked|steps?|stepped|bursts?|strides?|strode|stamps?|stamped) in"
    r"|enters?|entered|appear(?:s|ed) in the door(?:way)?|(?:stands?|stood) in the doorway)\b"
)
_TAG_HEAD = re.compile(r"(?<![A-Za-z])(?:he|she)(?![A-Za-z])|[他她](?!们)")
UNKNOWN = SIGN  # an unnamed person
SHE = frozenset(("she", "her", "她"))
_TOLD_NEAR = 100  # last mentions on a line that a pronoun may refer to
_TURNS = 50  # last turns whose speakers may answer
_TALK = 4  # last turns that show who talks with each other
_DEED = re.compile(r"\*[^*\n]*\*")
_ANSWER = 6  # pieces behind a speech in which the line that answers it begins


class Antecedents:
    """Persons mentioned and speakers before a position of a message, to whom words may refer."""

    def __init__(
        self,
        shown: str,
        pieces: Sequence[TextPart],
        sender: MessageSender,
        names: Mentioned,
        before: Context,
    ) -> None:
        self.shown = shown
        self.pieces = pieces
        self.sender = sender
        own = "" if sender.is_narrator else names.who(sender.name)
        # “The old man” is the sender of the message, unless the message calls them by name.
        calls_own = any(mention.name == own for mention in names.find(shown))
        found = Strangers(shown, pieces, names, sender, before, calls_own=calls_own)
        strangers = found.mentions()
        self.strangers = {m.name for m in strangers if is_unknown(m.name)}
        self.are_strangers_there = any(not found.is_said(m.end) for m in strangers)
        told = (*before.turns, *before.recent, before.other, before.called)
        self.unnamed = frozenset((UNKNOWN, *self.strangers, *filter(is_unknown, told)))
        names = names.with_more(strangers) if strangers else names
        self.names = names
        self.own = own
        self.turns = list(before.turns)
        self.recent = [name for name in before.recent if name != self.own]
        self.subject = self.own
        self.spoken: dict[str, None] = {}  # speakers of this message so far, in order
        self.called_last = ""  # the name called last
        is_answer = self.own != names.player or not self.own
        silent = ("", self.own, *sender.beside)
        self.called = before.called if is_answer and before.called not in silent else ""
        calls_another = before.called and before.called != self.called
        is_other = is_answer and not calls_another and before.other not in silent
        self.other = before.other if is_other else ""
        self.before = before
        self.tells_of_others = not self.own or calls_own
        self.somebody_new = BY_ROLE if self.tells_of_others else SOMEBODY_NEW
        self.tells_of_self = False
        self.answers = ("", -1)  # the person last spoken to by name alone, and the piece of it

    def _begins_unnamed(self, at: int) -> bool:
        """Return whether an unnamed person is mentioned from a position on: The shepherd nods."""
        told = self.names.find(self.shown, at, at + _TOLD_NEAR)[:1]
        return any(m.start == at and is_unknown(m.name) for m in told)

    def subject_in(self, start: int, end: int) -> str:
        """Return the person who is the subject of the last clause that has one."""
        return subject_of(self.shown, start, end, self.names, self._meant_at)

    def _meant_at(self, pronoun: str, at: int) -> str:
        """Return the person a pronoun at a position means."""
        if pronoun in FIRST or pronoun in ("你", "您", "you"):
            return self._meant_by(pronoun)
        gender = "f" if pronoun in ("she", "her", "她") else "m"
        called, by = self.answers
        is_answer = called and (self._opens_answer(by, at) or self._was_asked(by, at))
        if is_answer and self._fits(called, gender):
            return called
        if who := UNKNOWN if self._new_on_line(at) else self._answers(gender, at):
            return who
        return self._told_near(pronoun, gender, at)

    def _told_near(self, pronoun: str, gender: str, at: int) -> str:
        """Return the person a pronoun refers to, mentioned before it on its line or earlier."""
        if self._goes_on(gender, at):
            return self.subject
        near = [n for n in self._told_on_line(at) if self._fits(n, gender)]
        sure = [name for name in near if self.names.gender(name) == gender]
        is_told_last = near[:1] == [self.subject] and not is_unknown(self.subject)
        if self.tells_of_self:
            near = [name for name in near if name != self.own]
        elif is_told_last and not self.names.gender(self.subject):
            return self.subject
        elif near and not sure and near[0] != self.subject and self._is_own_gender(gender):
            return self.own
        if not near and self._is_player(pronoun, at):
            return self.names.player
        return (sure or near or [self._meant_by(pronoun)])[0]

    def _goes_on(self, gender: str, at: int) -> bool:
        """Return whether the sentence before began with the same pronoun: She waits. Then she."""
        number = bisect_left(self._starts, at + 1) - 1
        before = self.pieces[number - 1] if number > 0 else None
        if before is None or before.kind != "told" or before.line != self.pieces[number].line:
            return False
        begins = len(self.shown[self.pieces[number].start : at].split()) <= 1  # Then she …
        words = self.shown[before.start : before.end]
        is_known = self.names.gender(self.subject) == gender
        return begins and is_known and _gender_of_head(words) == gender

    def _came_in(self, number: int) -> str:
        """Return who is said to come in right above a speech, as the last thing before it."""
        before = self.pieces[number - 1] if number else None
        if before is None or before.kind != "told" or before.line == self.pieces[number].line:
            return ""
        comes = COMES_IN.search(self.shown, before.start, before.end)
        if comes is None:
            return ""
        who = self.names.last(self.shown, before.start, comes.start())
        is_none = who is None or is_unknown(who.name) or who.name == self.names.player
        return "" if is_none or who is None else who.name

    def _fits(self, name: str, gender: str) -> bool:
        return not gender or self.names.gender(name) in (gender, "")

    def _answers(self, gender: str, at: int, *, opens: bool = False) -> str:
        """Return the person who answers the previous message and fits ``gender`` ("": any).

        It requires that no name and no speech precede ``at``; ``opens``: the message begins with a
        speech, which continues the previous conversation.
        """
        if self.spoken or self.names.last(self.shown, 0, at) is not None:
            return ""
        if self.called and self._fits(self.called, gender):
            return self.called
        if not opens and (self._fits(self.own, gender) if self.own else not is_unknown(self.other)):
            return ""
        is_other = self.other == UNKNOWN or self._fits(self.other, gender)
        return self.other if is_other else ""

    def _opener(self, start: int, behind: str, called: Collection[str]) -> str:
        """Return the speaker at the very beginning of a person's message; never ``called``.

        ``behind`` are the words after the speech.
        """
        gender = _gender_of_head(behind)
        who = self._answers(gender, start, opens=True)
        if who and who not in called:
            return who
        if self._fits(self.own, gender):
            return self.own
        is_of_player = self.names.gender(self.names.player) == gender
        # the player's action may be told behind it
        return self.own if is_of_player and not self._writes_to_player else UNKNOWN

    @cached_property
    def _writes_to_player(self) -> bool:
        """Return whether the narration of the message addresses the player as “you”."""
        told = [p for p in self.pieces if p.kind in ("told", "bracket")]
        return any(YOU_TOLD.search(self.shown, p.start, p.end) for p in told)

    def _speaks_next(self) -> tuple[str, str]:
        """Return whom a player's message calls, and the last other speaker, as in `Context`."""
        if self.own and self.own == self.names.player:
            told = [p for p in self.pieces if p.kind != "speech"]
            named = {m.name for p in told for m in self.names.find(self.shown, p.start, p.end)}
            turns_away = named - {self.own, self.before.other}
            return self.called_last, "" if turns_away else self.before.other
        last = next(reversed(self.spoken), "")
        is_own = self.own and (self.own in self.spoken or self._told_last == self.own)
        return "", "" if is_own else last

    @property
    def _told_last(self) -> str:
        """Return the person mentioned last after all speeches."""
        spoke = [piece.end for piece in self.pieces if piece.kind == "speech"][-1:]
        told = self.names.last(self.shown, spoke[0], len(self.shown)) if spoke else None
        return told.name if told is not None else ""

    @cached_property
    def _newcomers(self) -> list[int]:
        """Return the unnamed persons that the text mentions, in order."""
        return [match.end() for match in NEW_WITHIN.finditer(self.shown)]

    @cached_property
    def _starts(self) -> list[int]:
        return [piece.start for piece in self.pieces]

    def _new_on_line(self, at: int) -> bool:
        """Return whether the last person mentioned on the line before ``at`` has no name."""
        first = self.shown.rfind("\n", 0, at) + 1
        before = bisect_left(self._newcomers, at + 1)
        new = self._newcomers[before - 1] if before else 0
        head = self.somebody_new.match(self.shown, first, at)
        new = max(new, head.end() if head is not None else 0)
        if new <= first:
            return False
        told = self.names.last(self.shown, first, at)
        if told is None:
            return True
        return told.end <= new and INVERTED.search(self.shown, first, told.start) is None

    def _was_asked(self, by: int, at: int) -> bool:
        """Return whether the last speech before a position is of “I”: “Whitby?” I asked."""
        behind = bisect_left(self._starts, at) - by - 1
        if behind > _ANSWER or any(
            p.kind == "speech" for p in self.pieces[by + 1 : by + 1 + behind]
        ):
            return False
        return FIRST_SAYS.search(self.shown, self.pieces[by].end, at) is not None

    def _opens_answer(self, by: int, at: int) -> bool:
        """Return whether a line after that of the speech ``by`` begins ``at``, and has a speech."""
        behind = [
            p for p in self.pieces[by + 1 : by + 1 + _ANSWER] if p.line > self.pieces[by].line
        ]
        if not behind or behind[0].kind != "told":
            return False
        first = behind[0]
        begins = not any(char.isalnum() for char in self.shown[first.start : at])
        speaks = any(p.kind == "speech" and p.line == first.line for p in behind)
        return first.start <= at and begins and speaks

    def _is_player(self, pronoun: str, at: int) -> bool:
        """Return whether a third-person pronoun of a character's message means the player."""
        if self.tells_of_self or not self.own:
            return False
        return means_player(self.shown, self.names, self.own, pronoun, at)

    def _is_own_gender(self, gender: str) -> bool:
        return bool(self.own) and self.names.gender(self.own) == gender

    @cached_property
    def _told_outside(self) -> list[Mention]:
        """Return the persons mentioned outside of quotes, in order, except objects of a verb."""
        text, spoken = self.shown, [p for p in self.pieces if p.kind == "speech"]
        starts = [piece.start for piece in spoken]
        told = []
        for mention in self.names.find(text):
            before = bisect_right(starts, mention.start) - 1
            is_said = before >= 0 and mention.start < spoken[before].end
            near = text[max(0, mention.start - 14) : mention.start].rpartition("\n")[2]
            acts = near.endswith(" and ") and ACTS_NOW.match(text, mention.end) is not None
            if not is_said and (acts or not OBJECT.search(near)):
                told.append(mention)
        return told

    @cached_property
    def _told_ends(self) -> list[int]:
        return [mention.end for mention in self._told_outside]

    def _told_on_line(self, at: int) -> list[str]:
        """Return the persons mentioned on the line before ``at``, unquoted, the last first."""
        first = self.shown.rfind("\n", 0, at) + 1
        last = bisect_right(self._told_ends, at)
        near = self._told_outside[max(0, last - _TOLD_NEAR) : last]
        told = [mention for mention in reversed(near) if mention.start >= first]
        told.sort(key=lambda mention: mention.end in self._owners)  # in Sefa's apron she comes out
        return list(dict.fromkeys(mention.name for mention in told))

    @cached_property
    def _owners(self) -> set[int]:
        """Return the ends of names that only name an owner."""
        return {m.end for m in self._told_outside if is_owner(self.shown, m.end)}

    def _meant_by(self, pronoun: str, but: str = "") -> str:
        """Return the person a pronoun of the narration means."""
        if pronoun in FIRST:
            return self.own
        recent = [n for n in (self.subject, *reversed(self.recent)) if n and n != but]
        if self._is_own_gender("f" if pronoun in SHE else "m"):  # preferred to an unnamed person
            recent = [n for n in recent if not is_unknown(n)]
        if self.tells_of_self:
            recent = [name for name in recent if name != self.own]
        if self.sender.is_narrator and self.subject != self.names.player:
            recent = [name for name in recent if name != self.names.player]
        if pronoun in ("你", "您", "you"):
            return self.names.player if self.own != self.names.player else ""
        found = self.names.meant_by(pronoun, recent, self.subject)
        gender = "f" if pronoun in SHE else "m"
        if (
            found
            and self.names.gender(found) != gender
            and any(self.names.gender(name) == gender for name in self.strangers)
        ):
            return UNKNOWN
        if found and self.names.gender(found) != gender and self._is_own_gender(gender):
            told = (*self.spoken, *(mention.name for mention in self._told_outside))
            found = found if found in told or self.tells_of_self else self.own
        return found or ("" if self.sender.quotes else self.own)

    def _not_player(self, called: Collection[str]) -> str:
        """Return who speaks where it would be the player's turn, whom the message does not play.

        The only other person of the conversation goes on, else the sender of the message speaks.
        """
        last, player = self.turns[-1], self.names.player
        goes_on = {*self.turns[-_TALK:]} <= {last, player} and last in self.spoken
        is_own_there = any(mention.name == self.own for mention in self._told_outside)
        if goes_on and not is_own_there and last not in (player, *called):
            return last
        return player if self.own in called else self.own

    def _is_last_line(self, number: int) -> bool:
        """Return whether a speech alone ends the message, below one on a line that tells, too."""
        line = self.pieces[number].line
        above = [p for p in self.pieces[:number] if p.line < line]
        is_alone = all(p.line < line or p is self.pieces[number] for p in self.pieces)
        is_told = any(p.kind == "told" and p.line == above[-1].line for p in above)
        return is_alone and is_told

    def _take_turn(self, name: str) -> None:
        if self.turns[-1:] != [name]:
            self.turns = [*self.turns[-_TURNS:], name]

    def _told_of(self, name: str) -> None:
        if name == UNKNOWN:
            self.subject = ""
            return
        self.subject = name
        if self.recent[-1:] != [name]:
            self.recent = [*(other for other in self.recent if other != name), name]

    def _told_before(self, tag: TextPart) -> list[TextPart]:
        """Return the person mentioned right before the speech that a tag follows."""
        end = bisect_left(self._starts, tag.start) - 1
        last = next((n for n in range(end, 0, -1) if self.pieces[n - 1].kind != "told"), 0)
        return list(self.pieces[last:end])

    def _speeches_before(self, tag: TextPart) -> tuple[int, int]:
        """Return the indices of the speech before a tag and of the one before that; -1 if none."""
        end = bisect_left(self._starts, tag.start)
        spoke = (n for n in range(end - 1, -1, -1) if self.pieces[n].kind == "speech")
        return next(spoke, -1), next(spoke, -1)

    def _tells_of_somebody_new(self, told: Sequence[TextPart]) -> bool:
        """Return whether the last of these narrated sentences introduces an unnamed person."""
        for piece in reversed(told):
            if piece.kind != "told":
                continue
            new = NEW_WITHIN.search(self.shown, piece.start, piece.end)
            named = self.names.last(self.shown, piece.start, piece.end)
            if self._ends_on_a_role(piece):
                return True
            if named is not None and (new is None or named.start < new.start()):
                return False
            if named is not None and INVERTED.search(self.shown, piece.start, named.start):
                return False  # a boy slept under the table, and in the middle stood Hobb
            if new is not None:
                return True
        return False

    def _ends_on_a_role(self, piece: TextPart) -> bool:
        """Return whether the last subject is a role that no known name contains."""
        if not self.tells_of_others:
            return False
        roles = list(THE_ROLE.finditer(self.shown[piece.start : piece.end]))
        role = roles[-1] if roles else None
        if role is None or any(role[1] in name.casefold().split() for name in self.names.all):
            return False
        return not self.subject_in(piece.start + role.end(), piece.end)

    def _described(self, word: str, at: int) -> str:
        """Return the person whose name contains a word like captain, or whom “the girl” means."""
        told = self._told_on_line(at)
        if of_role := [n for n in self.names.all if word.casefold() in n.casefold().split()]:
            near = [*told, *reversed(self.turns), *reversed(self.recent)]
            return next((name for name in near if name in of_role), min(of_role))
        if f"{SIGN}{word.casefold()}" in self.strangers:
            return f"{SIGN}{word.casefold()}"
        gender = "f" if word in WOMEN else "m" if word in MEN else ""
        if not gender:
            return UNKNOWN
        others = {self.own, self.names.player if self.sender.is_narrator else ""}
        near = [n for n in (*told, *reversed(self.recent)) if n not in others]
        return next((n for n in near if self.names.gender(n) == gender), UNKNOWN)

    def _only_tags(self, start: int, end: int, speaker: str) -> bool:
        """Return whether words between two speeches are only a tag: “Broken,” says Hattie."""
        named = [*self.names.find(self.shown, start, end)]
        if not named:  # “Morning,” he says. “You found a key.”
            words = _TAG_HEAD.sub("\0", self.shown[start:end], count=1)
            return ONLY_TAG.fullmatch(words) is not None
        if len(named) != 1 or named[0].name != speaker:
            return False
        before, behind = self.shown[start : named[0].start], self.shown[named[0].end : end]
        return ONLY_TAG.fullmatch(f"{before}\0{behind}") is not None

    def _is_in_sentence(self, start: int, end: int, speaker: str) -> bool:
        """Return whether this speech continues the previous sentence: “If,” he says, “we go.”."""
        words = self.shown[start:end].rstrip(" *")
        if not words.endswith((",", "，")) or FIRST_SAYS.search(words):
            return False
        tag = TAG_EN.match(words)  # she breathes, so low that Jun can't hear,
        named = {mention.name for mention in self.names.find(self.shown, start, end)}
        return named <= {speaker} or (tag is not None and tag["pronoun"] is not None)

    def _is_of_deed(self, piece: TextPart) -> bool:
        """Return whether a speech is within asterisks, where the sender's own words are not.

        *The clerk leans out: “No running!”* “Did you hear that?”
        """
        deed = self._deed_around(piece) if self.own and self._speaks_outside_deeds else None
        if deed is None or FIRST_SAYS.search(self.shown, *deed):
            return False
        return all(m.name != self.own for m in self.names.find(self.shown, *deed))

    @cached_property
    def _speaks_outside_deeds(self) -> bool:
        spoken = (piece for piece in self.pieces if piece.kind == "speech")
        return any(self._deed_around(piece) is None for piece in spoken)

    @cached_property
    def _deeds(self) -> list[tuple[int, int]]:
        """Return the ranges of words between asterisks on one line, in order."""
        return [match.span() for match in _DEED.finditer(self.shown)]

    def _deed_around(self, piece: TextPart) -> tuple[int, int] | None:
        """Return the range between asterisks that contains a piece, or None."""
        before = bisect_left(self._deeds, (piece.start,)) - 1
        if before < 0 or self._deeds[before][1] < piece.end:
            return None
        return self._deeds[before]

    def _may_be_tagged(self, name: str, behind: TextPart | None) -> bool:
        """Return whether a pronoun that begins the words ``behind`` a speech may mean a person."""
        words = "" if behind is None else self.shown[behind.start : behind.end]
        return self._fits(name, _gender_of_head(words))

    def _answers_at_once(self, number: int) -> bool:
        """Return whether a speech follows another at once: “Joan!” “Get in the queue,” she says."""
        before = self.pieces[number - 1] if number else None
        if before is None or before.kind != "speech":
            return False
        return not self.shown[before.end : self.pieces[number].start].strip(" *")

    def _takes_turn(self, tag: TextPart, pronoun: str) -> str:
        """Return whom a pronoun means if one speech follows another: not the previous speaker.

        The person called by name there answers, else the last earlier speaker who fits.
        """
        own, before = self._speeches_before(tag)
        if before < 0 or not self.turns:
            return ""
        line = self.pieces[before].line
        between = self.pieces[before + 1 : own]
        goes_on = line == self.pieces[own].line and not self._answers_at_once(own)
        if goes_on or any(p.kind == "told" and p.line > line for p in between):
            return ""
        gender = "f" if pronoun in ("she", "her", "她") else "m"
        called, by = self.answers
        if called and by == before and self.names.gender(called) in (gender, ""):
            return called
        spoke = self.turns[-1]
        silent = {spoke, UNKNOWN, "" if self.names.player in self.spoken else self.names.player}
        others = [name for name in reversed(self.turns) if name not in silent]
        sure = [name for name in others if self.names.gender(name) == gender]
        if sure or self.names.gender(spoke) not in (gender, ""):
            return sure[0] if sure else ""
        return next((name for name in others[:1] if not self.names.gender(name)), "")

    def _told_before_start(self, tag: TextPart) -> int:
        """Return the start of the speech that a tag follows."""
        own, _before = self._speeches_before(tag)
        return self.pieces[own].start if own >= 0 else tag.start

    def _tagged(self, tag: TextPart, word: str) -> str:
        """Return the person whom a tag names by he, she or a noun such as the captain."""
        if " " in word:
            is_new = word.startswith(("a ", "an "))
            role = word.rsplit(maxsplit=1)[-1]
            return UNKNOWN if is_new else self._described(role, tag.start)
        if word == "they" or self._tells_of_somebody_new(self._told_before(tag)):
            return UNKNOWN
        if goes_on := self._takes_turn(tag, word):
            return goes_on
        gender = "f" if word in SHE else "m"
        opens = self.pieces[0].kind == "speech"
        if self._told_on_line(tag.start):
            return self._meant_at(word, tag.start)
        who = self._answers(gender, self.pieces[0].start if opens else tag.start, opens=opens)
        who = who or (self.names.player if self._is_player(word, tag.start) else "")
        last = self.names.last(self.shown, 0, self._told_before_start(tag))
        is_own = last is not None and last.name == self.own and self._is_own_gender(gender)
        who = who or (self.own if is_own else "")
        return who or self._meant_by(word)

    def _is_named(self, unnamed: str, name: str) -> None:
        """Register an unnamed person under the name that they give as theirs, from here on."""
        if unnamed in self.strangers and not is_unknown(name):
            self.names = self.names.renamed(unnamed, name)
            self.recent = [n for n in self.recent if n != unnamed]
            self.turns = [name if n == unnamed else n for n in self.turns]
            self.subject = name if self.subject == unnamed else self.subject
            self.strangers.discard(unnamed)

    def _narration_since(self, last: TextPart, number: int) -> bool:
        between = self.shown[last.end : self.pieces[number].start]
        return any(char.isalnum() for char in between)


def _gender_of_head(words: str) -> str:
    """Return ``m`` or ``f`` for a pronoun at the beginning of the words, "" without one."""
    pronoun = HEADED.match(words)
    word = "" if pronoun is None else pronoun[0].strip(" *（(\n").casefold()
    return ("f" if word in SHE else "m") if word else ""
