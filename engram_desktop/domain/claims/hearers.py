"""Finds the persons to whom a speech is said."""

from __future__ import annotations

import re
from functools import cached_property

from engram_desktop.domain.claims.antecedents import UNKNOWN, Antecedents
from engram_desktop.domain.claims.speech import LEAD, TAG, YOU_TOLD, calls_by_title, is_told
from engram_desktop.domain.claims.strangers import is_unknown
from engram_desktop.domain.knowledge.parts import TextPart

_NEAR_TURNS = 3  # speeches back in which the last one by another person may be answered
# Right before a name: somebody touches or holds them.
_TOUCHES = re.compile(
    r"(?:[抱搂拉拽握扶挽牵揽][住着起紧过]|([揉拍摸捏戳])了?\1|拍[着了]|摸[着了]|捏[着了])$"
)


class Hearers(Antecedents):
    """Tells the hearers of a speech by the words around it, and by whose turn it was."""

    def _hearers(
        self, start: int, end: int, speaker: str, behind: TextPart | None
    ) -> tuple[str, ...]:
        """Return the persons addressed by the words before a speech, else by those ``behind`` it.

        If neither names anybody: the last mentioned.
        """
        found = []
        for mention in self.names.find(self.shown, max(start, end - LEAD), end):
            lead = self.shown[max(start, mention.start - 8) : mention.start]
            if re.search(r"(?:[对向跟朝]着?|告诉|问|(?:to|at|tells?|told|asks?|asked) )$", lead):
                found.append(mention.name)
        found = found or [name for name in self._touched(start, end, behind) if name != speaker]
        if not found and behind is not None:
            found = [name for name in self._told_behind(behind) if name != speaker]
        near = start if self.own else max(start, end - LEAD)
        if not found and YOU_TOLD.search(self.shown, near, end):
            found = [name for name in (self.names.player,) if name not in (self.own, speaker, "")]
        if not found:  # among several, “Aunt” may be anybody
            others = {n for n in self.recent if n != speaker and not is_unknown(n)}
            is_anybody = len(others) > 1 and calls_by_title(self.shown, end)
            found = [] if is_anybody else self._likely_hearers(end, speaker)
        return tuple(dict.fromkeys(found))

    def _touched(self, start: int, end: int, behind: TextPart | None) -> list[str]:
        """Return the person whom the words around a speech to “you” hold or touch."""
        line_end = self.shown.find("\n", end)
        stop = behind.start if behind is not None else line_end if line_end > 0 else len(self.shown)
        if YOU_TOLD.search(self.shown, end, stop) is None:
            return []
        around = [(max(start, end - TAG), end)]
        around += [(behind.start, min(behind.end, behind.start + TAG))] if behind else []
        return [
            mention.name
            for first, last in around
            for mention in self.names.find(self.shown, first, last)
            if _TOUCHES.search(self.shown[first : mention.start])
        ][:1]

    def _told_behind(self, behind: TextPart) -> list[str]:
        """Return the persons that a tag behind a speech addresses: “…,” Tom said to Bess."""
        text, start = self.shown, behind.start
        near = self.names.find(text, start, min(behind.end, start + LEAD))
        return [m.name for m in near if is_told(text[start : m.start], text[m.end : behind.end])]

    def _likely_hearers(self, end: int, speaker: str) -> list[str]:
        """Return the persons spoken to if no words name them."""
        player = self.names.player
        if self.own == speaker != player and self._writes_to_player and player:
            return [player]
        recent = [n for n in self.recent if n != speaker and not is_unknown(n)]
        others = [n for n in recent if n != self.own]
        told_here = [n for n in others if self._first_told.get(n, end) < end][-1:]
        near = self.turns[-_NEAR_TURNS:]
        spoke = [name for name in near if name not in (speaker, UNKNOWN)][-1:]
        told = recent[-1:]
        is_of_player = told == [player] != [self.own]  # the player wrote the last message
        return told_here or (told if is_of_player else spoke) or told

    @cached_property
    def _first_told(self) -> dict[str, int]:
        """Return by name the start of the first piece that mentions it outside of quotes."""
        return {
            mention.name: piece.start
            for piece in reversed(self.pieces)
            if piece.kind != "speech"
            for mention in self.names.find(self.shown, piece.start, piece.end)
        }
