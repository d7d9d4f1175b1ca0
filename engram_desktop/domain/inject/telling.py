"""Which sentences a prompt holds already, so that none is put in twice; and cutting texts short."""

from __future__ import annotations

import re
from collections.abc import Iterable

_CLOSING = r"[”」』’）)\"]*\s*"
# A full stop inside a number or a name ends nothing.
SENTENCES = re.compile(
    rf"(?:[^。！？!?….\n]|\.(?=[^\s”」』\".]))+[。！？!?….]*{_CLOSING}|[。！？!?….]+{_CLOSING}|\n+"
)
_SILENT = re.compile(r"[\W_]+")
_SHORT = 6  # characters: shorter sentences (“Yes.”, 好。) are often said, and prove nothing
_CUT = "…"
_LEAD_IN = re.compile(r"^[^：:“「\"]{1,40}[：:]\s*[“「\"]")  # 他说：“
_QUOTES = (("“", "”"), ("「", "」"), ("『", "』"), ("（", "）"))


def sentences(text: str) -> list[str]:
    """Cut a text into sentences, closing quotes included; joined they are the text."""
    parts = SENTENCES.findall(text)
    return parts if "".join(parts) == text else [text]


def cut_short(text: str, limit: int) -> str:
    """Return whole sentences of about ``limit`` characters at most, and mark a cut with “…”."""
    if len(text) <= limit:
        return text
    beginning = ""
    for sentence in sentences(text):
        if len(beginning) + len(sentence) > limit:
            break
        beginning += sentence
    return f"{beginning.rstrip() or text[:limit].rstrip()}{_CUT}"


class PromptSentences:
    """The sentences a prompt tells already, compared without case, punctuation and quotation marks.

    “Told” is what the prompt holds; it says nothing of what a character said.
    """

    def __init__(self, texts: Iterable[str] = ()) -> None:
        self._bare_text = ""
        for text in texts:
            self.add(text)

    def add(self, text: str) -> None:
        self._bare_text += "\n" + bare(text)

    def holds(self, sentence: str) -> bool:
        """Whether a sentence was told; what is too short to tell by is never known."""
        letters = bare(_LEAD_IN.sub("", sentence))
        return len(letters) >= _SHORT and letters in self._bare_text

    def new_of(self, text: str) -> str:
        """Return the sentences of ``text`` that were not told, or nothing if only scraps are left.

        A speaker before a colon is not part of what was said.
        """
        speaker, colon, speech = text.partition(": ")
        if not colon or len(speaker) > 40:
            speaker, colon, speech = "", "", text
        parts = sentences(speech)
        fresh = [part for part in parts if not self.holds(part)]
        if len(fresh) == len(parts):
            return text if bare(speech) else ""
        if sum(len(bare(part)) for part in fresh) < _SHORT:
            return ""
        return speaker + colon + _without_halves("".join(fresh).strip())


def _without_halves(text: str) -> str:
    """Leave out quotation marks whose other half was in a sentence that is gone."""
    characters = list(text)
    for opening, closing in _QUOTES:
        open_at: list[int] = []
        for n, character in enumerate(text):
            if character == opening:
                open_at.append(n)
            elif character == closing and open_at:
                open_at.pop()
            elif character == closing:
                characters[n] = ""
        characters = ["" if n in open_at else character for n, character in enumerate(characters)]
    return "".join(characters)


def bare(text: str) -> str:
    """Return the letters and digits of a text, folded: what two spellings of it share."""
    return _SILENT.sub("", text).casefold()
