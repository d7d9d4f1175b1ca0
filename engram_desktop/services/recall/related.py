"""Gather what says whether a chat has anything to do with a question. See `domain.relevance`."""

from __future__ import annotations

from collections.abc import Sequence

from engram_desktop.domain import relevance
from engram_desktop.domain.lexemes import known_tokens, query_tokens
from engram_desktop.domain.ranking import Scores
from engram_desktop.domain.recall import Candidate
from engram_desktop.domain.weights import Weights
from engram_desktop.services.recall.index import ItemIndex


def relevance_of(
    question: str,
    index: ItemIndex,
    items: int,
    candidates: Sequence[Candidate],
    likeness: dict[int, float],
    weights: Weights,
) -> float:
    """Return the log-odds that something of the chat answers ``question``.

    ``candidates`` come best first; ``likeness`` gives standard scores of similarity by item id.
    """
    if not candidates:
        return -float("inf")
    import rjieba  # noqa: PLC0415  # a word list of 5 MB that a list of chats does not need

    tokens = query_tokens(question)
    names = relevance.names_of(question, rjieba.tag(question))
    asked = dict.fromkeys([*tokens, *(t for name in names for t in query_tokens(name))])
    frequency = index.document_frequency(list(asked))
    rarity = relevance.rarities(tokens, frequency, items)
    said = sum(rarity.values())
    unsaid = sum(weight for token, weight in rarity.items() if not frequency.get(token))
    read = candidates[: relevance.READ]
    own = [relevance.own_rarity(rarity, set(known_tokens(c.item.content))) for c in read]
    known = [relevance.is_known(name, frequency) for name in names]
    most = max(own, default=0.0)
    nearby = max(c.why.get("lexical", 0.0) for c in read)
    return relevance.relevance(
        relevance.Evidence(
            top=candidates[0].score,
            own=most,
            near=nearby / weights.lexical if weights.lexical else most,
            share=most / said if said else 0.0,
            unknown=unsaid / said if said else 1.0,
            joint=relevance.joint_evidence(own, [likeness.get(c.item.id, 0.0) for c in read]),
            words=len(tokens),
            names_known=any(known),
            names_unknown=not all(known),
            is_phatic=relevance.is_phatic(question),
            # without vectors words alone are judged, as in a chat of a few messages
            items=items if any(likeness.values()) else 0,
        )
    )


def likeness_by_item(ids: Sequence[int], standard: Scores | None) -> dict[int, float]:
    """Pair item ids with their standard scores of similarity, if there are any."""
    if standard is None:
        return {}
    return dict(zip(ids, standard.tolist(), strict=True))
