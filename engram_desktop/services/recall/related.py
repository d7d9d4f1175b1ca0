"""Gather the evidence of whether a chat answers a question. See `domain.recall.relevance`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engram_desktop.domain.recall import relevance
from engram_desktop.domain.recall.cues import asks_for_beginning, named_speakers
from engram_desktop.domain.recall.embedding import without_names
from engram_desktop.domain.recall.lexemes import known_tokens, query_tokens
from engram_desktop.domain.recall.query import Candidate
from engram_desktop.domain.recall.question_words import Word, question_words
from engram_desktop.domain.recall.ranking import Scores
from engram_desktop.domain.values import dataclass
from engram_desktop.services.recall.index import ReadIndex


@dataclass(frozen=True, slots=True)
class Cast:
    """Who speaks in a chat, and how else they are called: ``aliases`` as `ReadIndex` has them."""

    names: tuple[str, ...]
    aliases: Mapping[str, str]


def relevance_of(
    question: str,
    index: ReadIndex,
    items: int,
    cast: Cast,
    candidates: Sequence[Candidate],
    likeness: dict[int, float],
) -> float:
    """Return the log-odds that something of the chat answers ``question``.

    ``candidates`` come best first; ``likeness`` gives standard scores of similarity by item id.
    """
    if not candidates or relevance.is_phatic(question):
        return -float("inf")
    if asks_for_beginning(question):  # every chat has one
        return float("inf")
    import rjieba  # noqa: PLC0415  # a word list of 5 MB that a list of chats does not need

    bare = without_names(question, cast.names)
    words = question_words(bare, rjieba.cut, rjieba.suggest_freq)
    names = relevance.names_of(question, rjieba.tag(question), rjieba.has_word)
    speakers = named_speakers(question, cast.names, cast.aliases)
    known_words = _known(index, words, names)
    read = candidates[: relevance.READ]
    rarities = [relevance.said_rarity(words, set(known_tokens(c.item.content))) for c in read]
    rarity = sum(word.rarity for word in words)
    unknown = sum(w.rarity * (1 - w.said_in(known_words)) for w in words)
    return relevance.relevance(
        relevance.Evidence(
            joint=relevance.joint_evidence(rarities, [likeness.get(c.item.id, 0.0) for c in read]),
            share=max(rarities) / rarity if rarity else 0.0,
            unknown=unknown / rarity if rarity else 1.0,
            date=candidates[0].why.get("date", 0.0),
            names_speaker=bool(speakers),
            names_unknown=not all(relevance.is_known(name, known_words) for name in names),
            is_idle=relevance.wants_new(question) and not names and not speakers,
            # without vectors words alone are judged, as in a chat of a few messages
            items=items if any(likeness.values()) else 0,
        )
    )


def _known(index: ReadIndex, words: Sequence[Word], names: Sequence[str]) -> set[str]:
    """Return which tokens of the question the chat says anywhere."""
    tokens = dict.fromkeys(token for word in words for token in word.tokens | word.characters)
    tokens |= dict.fromkeys(token for name in names for token in query_tokens(name))
    return {token for token, count in index.document_frequency(list(tokens)).items() if count}


def likeness_by_item(ids: Sequence[int], standard: Scores | None) -> dict[int, float]:
    """Pair item ids with their standard scores of similarity, if there are any."""
    if standard is None:
        return {}
    return dict(zip(ids, standard.tolist(), strict=True))
