"""Narration of a speaker as a narrator writes it: names in place of I and you."""

from __future__ import annotations

import re
from collections.abc import Callable

from engram_desktop.domain.graph.entity import PRONOUNS, norm_name
from engram_desktop.services.extractive.words import base_of, is_past, is_verb, third_person

_EMOJI = re.compile("[\U0001f000-\U0001faff\u2600-\u27bf\ufe0f\u200d\u2b50\u2764]+")
_BRACKETED = re.compile(r"[\[［【][^\[\]［］【】]{1,8}[\]］】]")  # stickers such as [OK]
_CJK_BLANK = re.compile("(?<=[\u4e00-\u9fff])[ \u3000]+(?=[\u4e00-\u9fff])")  # used for a comma
_QUOTES = re.compile('[“”「」『』"]')
_APOSTROPHE = re.compile(r"(?<=\w)’(?=\w)")
# The title of a work: its words are not changed.
_NAMED = re.compile("(《[^《》\n]*》|‘[^‘’。！？!?；;\n]{1,40}’)")


def plain(text: str) -> str:
    """Return ``text`` without pictures, stickers and double quotation marks."""
    return _CJK_BLANK.sub("，", _QUOTES.sub("", _BRACKETED.sub("", _EMOJI.sub("", text))).strip())


def beside_names(text: str, turn: Callable[[str], str]) -> str:
    """Apply ``turn`` to ``text`` except to the titles of works: 《我的世界》."""
    parts = _NAMED.split(text)
    return "".join(turn(part) if n % 2 == 0 else part for n, part in enumerate(parts))


def name_of(person: str, other: str) -> str:
    """Return the name of a person in a sentence; ``other`` if the name is a pronoun or empty."""
    return person if person.strip() and norm_name(person) not in PRONOUNS else other


# I, you and we of an English text become names, she, he or they. The verb that follows agrees: "I
# love" becomes "she loves"; a speaker of unknown gender is they.


_MODALS = frozenset(
    "can can't cannot could couldn't shall shan't better"
    " will won't would wouldn't should shouldn't must mustn't may"
    " might had hadn't did didn't ought used".split()
)
_TURNS = {"am": "is", "are": "is", "were": "was", "have": "has", "do": "does"}
_TURNS |= {"don't": "doesn't", "haven't": "hasn't", "aren't": "isn't", "weren't": "wasn't"}
_ADVERBS = frozenset(
    "just also always never still really even already often usually only actually truly finally"
    " ever hereby thus now then here soon again rather quite twice half both all"
    " so almost probably definitely totally once recently sometimes kinda".split()
)
_SEEN_DOING = frozenset("watch see hear make let help hug kiss follow hold".split())  # watches you
_BEFORE_OBJECT = frozenset(
    "to for with from at on of about by than like and thank love tell ask give show let help see"
    " hear know meet miss need want make bring send teach trust promise owe hate call told gave"
    " asked saw met made".split()
)
# No verbs behind an I that acts: I with the lead, I at the oars.
_NO_VERBS = frozenset(
    "with at in on of to from by for as and or but nor than alone too myself the a an my if".split()
)
# Verbs whose past is like their present: after another verb in the present they are that, too.
_SAME_PAST = frozenset("put set let cut hit shut hurt read spread burst cast split quit".split())
_BETWEEN_TWO = re.compile(r"\b(between) you\b(?! and\b)", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.!?…]['’]?\s")
_ALL_OF = frozenset("both all each either neither none one two three four most some".split())
_TOKEN = re.compile(rf"{_NAMED.pattern}|[A-Za-z][A-Za-z'’]*|[^A-Za-z‘]+|‘")
_PRONOUNS = {
    "she": ("she", "her", "her", "hers", "herself"),
    "he": ("he", "him", "his", "his", "himself"),
    "they": ("they", "them", "their", "theirs", "themself"),
}


def narration(text: str, name: str, whom: str, gender: str) -> str:
    """Replace I and you in the narration of ``name`` by names."""
    voice = _Voice(name, gender or "they", name_of(whom, "you"))
    return voice.turned(_APOSTROPHE.sub("'", _BETWEEN_TWO.sub(r"\1 them", text)))


class _Voice:
    """Replaces the speaker's persons by a narrator's."""

    def __init__(self, name: str, gender: str, whom: str) -> None:
        """Set who narrates, of ``gender`` she, he or they, and ``whom`` they call “you”.

        The first I becomes ``name``, later ones pronouns.
        """
        self.gender = gender
        self.whom = whom
        self.first = name
        self._acted = False
        self._you_act = False  # “you” is the subject in this sentence
        self._going_on = "name"  # the person of a verb behind “and”
        self._is_present = False  # a verb of this sentence is in the present
        self.subject, *others = _PRONOUNS[gender]
        self._others = dict(zip(("me", "my", "mine", "myself"), others, strict=True))
        self._others |= {"our": "their", "ours": "theirs", "ourselves": "themselves"}
        self._others |= {"your": f"{whom}'s", "yours": f"{whom}'s", "yourself": "themself"}

    def turned(self, text: str) -> str:
        """Return a text with a narrator's persons in place of the speaker's."""
        parts: list[str] = []
        agrees = ""  # the person of the next verb
        before = further = ""
        begins = False  # a further sentence
        for match in _TOKEN.finditer(text):
            token = match[0]
            if token[0] in "‘《":
                parts.append(token)
                continue
            if not token[0].isalpha():
                parts.append(token)
                begins = _SENTENCE_END.search(token) is not None
                self._you_act = self._you_act and not begins
                self._is_present = self._is_present and not begins
                if any(mark in token for mark in ",.;:!?()—"):
                    agrees = before = further = ""
                continue
            low = token.lower()
            if agrees and (low in _ADVERBS or low.endswith("ly")):
                parts.append(token)
                continue
            if agrees:
                word, agrees = self._verb(token, low, agrees), ""
            else:
                word = token
            if low == "you" and before == "of" and further in _ALL_OF:
                parts.append("them")  # speaker and listener
                continue
            new, agrees = self._person(low, before, agrees)
            if self._acted and low in {"and", "then"}:
                agrees = self._going_on  # opens the bag and looks
            parts.append(new[:1].upper() + new[1:] if new and begins else new or word)
            before, further, begins = low, before, False
        return "".join(parts)

    def _verb(self, token: str, low: str, agrees: str) -> str:
        if agrees == "they":
            return {"am": "are", "was": "were"}.get(low, token)
        if low in _TURNS:
            return _TURNS[low]
        is_again = self._is_present and low in _SAME_PAST
        if low in _MODALS or low in _NO_VERBS or (is_past(low) and not is_again) or "'" in low:
            return token
        if agrees not in {"deed", "he", "she"} and not is_verb(low):
            return token
        self._is_present = True
        return third_person(token)

    def _person(self, low: str, before: str, agrees: str) -> tuple[str, str]:
        """Return the replacement of a word, and the person of the verb that follows."""
        base, _, short = low.partition("'")
        if base == "i":
            return self._i(short)
        if low.startswith("you") and self.whom == "you":
            return "", agrees
        if base == "you" and short:
            return self._with(self.whom, short, {"re": "is", "ve": "has"}), ""
        if base == "you":
            is_subject = before not in _BEFORE_OBJECT and base_of(before) not in _SEEN_DOING
            self._acted = self._acted or is_subject
            self._you_act = self._you_act or is_subject
            self._going_on = "name" if is_subject else self._going_on
            return self.whom, "name" if is_subject else ""
        if base in {"we", "us"}:
            us = "they" if base == "we" else "them"
            self._going_on = "they" if base == "we" else self._going_on
            return self._with(us, short, {"re": "are", "ve": "have"}), ""
        is_theirs = low == "your" and self._you_act  # Wren opens their bag
        return self._others.get("our" if is_theirs else low, ""), agrees

    def _i(self, short: str) -> tuple[str, str]:
        if self.first:
            name, self.first, self._acted, self._going_on = self.first, "", True, "name"
            return self._with(name, short, {"m": "is", "ve": "has"}), "" if short else "deed"
        plural = self.gender == "they"
        self._going_on = "they" if plural else "name"
        follow = {"m": "are" if plural else "is", "ve": "have" if plural else "has"}
        return self._with(self.subject, short, follow), "" if short else self.gender

    @staticmethod
    def _with(subject: str, short: str, follow: dict[str, str]) -> str:
        if not short:
            return subject
        return f"{subject} {follow.get(short, {'ll': 'will', 'd': 'would'}.get(short, short))}"
