"""What each evidence of recall is worth, in the units of `ranking`, but without its numpy."""

from __future__ import annotations

from engram_desktop.domain.values import dataclass


@dataclass(frozen=True, slots=True)
class Weights:
    """What one unit of each evidence is worth. One set for every chat and language.

    Rounded values of a fit over five sets of questions; `ranking` says how little they matter, and
    resources/docs/recall.md how to measure them again.
    """

    lexical: float = 0.37  # a unit of inverse document frequency
    vector: float = 1.0  # a standard deviation of similarity
    following: float = 0.36  # the same, of the turn that comes next (and quotes this one)
    speaker: float = 2.5  # spoken by the one the question names
    voice: float = 2.5  # spoken by "me" or "you" as the question says
    date: float = 5.0  # sent on the day the question names
    moment: float = 1.3  # names a time, where the question asks for one
    asking: float = -3.0  # is itself a question, through and through
    long: float = -1.5  # longer than 120 tokens, as a logarithm: a page holds many words by chance
    learned: float = 1.0  # the learned corrections, as they are (domain/recall/corrections.py)
    graph: float = 0.8  # linked to the entities the question names
    hop: float = 2.0  # the same, where the question means somebody by a relation it names
    context: float = 0.6  # what the conversation around the question says, against the question
    rerank: float = 3.0  # a standard deviation of a reranker's score, where one is asked
    freshness: float = 0.0  # of the score, more for the newest and less for the oldest


DEFAULT = Weights()
