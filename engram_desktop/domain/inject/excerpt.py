"""The passages of a very long message that answer a question, gaps marked with “…”."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence, Set

from engram_desktop.domain.inject.telling import sentences
from engram_desktop.domain.text.tokens import token_weight

CUT = "…"
_FIXED = 8.0  # tokens added to a sentence's cost, so that the shortest is not simply the best


def excerpt(
    text: str, wanted: Set[str], tokens_of: Callable[[str], Iterable[str]], room: int
) -> str:
    """Return whole sentences of ``text`` in about ``room`` tokens, those that answer best.

    ``wanted`` are the tokens of the question; each counts once, in the sentence that says most of
    them for its length. ``tokens_of`` gives the tokens of a sentence. What room is left goes to the
    sentences beside a chosen one, so that a passage can be understood.
    """
    parts = [part for part in sentences(text) if part.strip()]
    costs = [token_weight(part) for part in parts]
    said = [wanted & set(tokens_of(part)) for part in parts]
    chosen, left = _answering(said, costs, wanted, float(room))
    _take_beside(chosen, costs, left)
    return _joined(parts, chosen) or f"{text[:room].rstrip()}{CUT}"


def _answering(
    said: Sequence[Set[str]], costs: Sequence[float], wanted: Set[str], room: float
) -> tuple[set[int], float]:
    """Choose the sentences whose tokens (``said``) are wanted; return them and the tokens left."""
    missing = set(wanted)
    chosen: set[int] = set()
    while missing:
        worth = {
            n: len(words & missing) / (_FIXED + costs[n])
            for n, words in enumerate(said)
            if n not in chosen and costs[n] <= room and words & missing
        }
        if not worth:
            break
        best = max(worth, key=lambda n: (worth[n], -n))
        chosen.add(best)
        missing -= said[best]
        room -= costs[best]
    return chosen, room


def _take_beside(chosen: set[int], costs: Sequence[float], room: float) -> None:
    """Add the sentence after a chosen one, else the one before, while there is room."""
    if not chosen:
        chosen.add(-1)  # nothing answers: the message is told from its beginning
    while True:
        after = [n + 1 for n in sorted(chosen) if n + 1 < len(costs)]
        before = [n - 1 for n in sorted(chosen) if n > 0]
        beside = [n for n in (*after, *before) if n not in chosen and costs[n] <= room]
        if not beside:
            break
        chosen.add(beside[0])
        room -= costs[beside[0]]
    chosen.discard(-1)


def _joined(parts: Sequence[str], chosen: Set[int]) -> str:
    text, before = "", -1
    for n in sorted(chosen):
        if n != before + 1:
            text = f"{text.rstrip()} {CUT} ".lstrip()
        text += parts[n]
        before = n
    if text and before < len(parts) - 1:
        text = f"{text.rstrip()} {CUT}"
    return text.strip()
