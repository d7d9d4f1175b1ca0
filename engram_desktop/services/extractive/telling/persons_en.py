"""Whose words they are: I, you and we of an English text become names, she, he or they.

The verb that follows agrees: "I love" is "she loves"; of whom nobody says she or he is they.
"""

from __future__ import annotations

import re

from engram_desktop.services.extractive.telling.reported import name_of
from engram_desktop.services.extractive.words.verbs_en import is_past, is_verb, third_person

_MODALS = frozenset(
    "can can't cannot could couldn't will won't would wouldn't should shouldn't must mustn't may"
    " might had hadn't did didn't ought used".split()
)
_TURNS = {"am": "is", "are": "is", "were": "was", "have": "has", "do": "does"}
_TURNS |= {"don't": "doesn't", "haven't": "hasn't", "aren't": "isn't", "weren't": "wasn't"}
_ADVERBS = frozenset(
    "just also always never still really even already often usually only actually truly finally"
    " ever both all so almost probably definitely totally once recently sometimes kinda".split()
)
_BEFORE_OBJECT = frozenset(
    "to for with from at on of about by than like and thank love tell ask give show let help see"
    " hear know meet miss need want make bring send teach trust promise owe hate call told gave"
    " asked saw met made".split()
)
_TOKEN = re.compile(r"[A-Za-z][A-Za-z'’]*|[^A-Za-z]+")
_PRONOUNS = {
    "she": ("she", "her", "her", "hers", "herself"),
    "he": ("he", "him", "his", "his", "himself"),
    "they": ("they", "them", "their", "theirs", "themself"),
}


def narration(text: str, name: str, whom: str, gender: str) -> str:
    """Put names in the place of I and you in what ``name`` tells."""
    return Voice(gender or "they", name_of(whom, "you"), name).turned(text.replace("’", "'"))


class Voice:
    """Whose words they are, and to whom."""

    def __init__(self, gender: str, whom: str, first: str = "") -> None:
        """``first`` is the name that stands for the first I of all; then it is a pronoun."""
        self.gender = gender
        self.whom = whom
        self.first = first
        self._acted = False
        self.subject, *others = _PRONOUNS[gender]
        self._others = dict(zip(("me", "my", "mine", "myself"), others, strict=True))
        self._others |= {"our": "their", "ours": "theirs", "ourselves": "themselves"}
        self._others |= {"your": f"{whom}'s", "yours": f"{whom}'s", "yourself": "themself"}

    def turned(self, text: str) -> str:
        """Put the narrator's persons in the place of the speaker's."""
        tokens = _TOKEN.findall(text)
        parts: list[str] = []
        agrees = ""  # who the next verb belongs to
        before = ""
        for token in tokens:
            if not token[0].isalpha():
                parts.append(token)
                if any(mark in token for mark in ",.;:!?()—"):
                    agrees, before = "", ""
                continue
            low = token.lower()
            if agrees and (low in _ADVERBS or low.endswith("ly")):
                parts.append(token)
                continue
            if agrees:
                word, agrees = self._verb(token, low, agrees), ""
            else:
                word = token
            new, agrees = self._person(low, before, agrees)
            if self._acted and low in {"and", "then"}:
                agrees = "name"  # opens the bag and looks
            parts.append(new or word)
            before = low
        return "".join(parts)

    def _verb(self, token: str, low: str, agrees: str) -> str:
        if agrees == "they":
            return {"am": "are", "was": "were"}.get(low, token)
        if low in _TURNS:
            return _TURNS[low]
        if low in _MODALS or is_past(low) or (agrees != "deed" and not is_verb(low)):
            return token
        return third_person(token)

    def _person(self, low: str, before: str, agrees: str) -> tuple[str, str]:
        """Return what stands for a word, and whose verb follows."""
        base, _, short = low.partition("'")
        if base == "i":
            return self._i(short)
        if low.startswith("you") and self.whom == "you":
            return "", agrees
        if base == "you" and short:
            return self._with(self.whom, short, {"re": "is", "ve": "has"}), ""
        if base == "you":
            return self.whom, "" if before in _BEFORE_OBJECT else "name"
        if base in {"we", "us"}:
            us = "they" if base == "we" else "them"
            return self._with(us, short, {"re": "are", "ve": "have"}), ""
        return self._others.get(low, ""), agrees

    def _i(self, short: str) -> tuple[str, str]:
        if self.first:
            name, self.first, self._acted = self.first, "", True
            return self._with(name, short, {"m": "is", "ve": "has"}), "" if short else "deed"
        plural = self.gender == "they"
        follow = {"m": "are" if plural else "is", "ve": "have" if plural else "has"}
        return self._with(self.subject, short, follow), "" if short else self.gender

    @staticmethod
    def _with(subject: str, short: str, follow: dict[str, str]) -> str:
        if not short:
            return subject
        return f"{subject} {follow.get(short, {'ll': 'will', 'd': 'would'}.get(short, short))}"
