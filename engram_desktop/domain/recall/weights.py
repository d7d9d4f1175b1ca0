"""What each evidence of recall is worth, in the units of `ranking`, but without its numpy.

`Weights` are set by hand. A linear model adds what was learned from questions with known evidence:
tests/bench/train_fusion.py writes the weights of its features, ADR 48 says how they were judged.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

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
    learned: float = 1.0  # the learned corrections, times this (see FEATURES)
    graph: float = 0.8  # linked to the entities the question names
    hop: float = 2.0  # the same, where the question means somebody by a relation it names
    context: float = 0.6  # what the conversation around the question says, against the question
    rerank: float = 3.0  # a standard deviation of a reranker's score, where one is asked
    freshness: float = 0.0  # of the score, more for the newest and less for the oldest


DEFAULT = Weights()
# Factors on legs when a prompt is filled (`RecallQuery.is_deep`); a list of ten uses 1 (ADR 49).
# A prompt has room for weaker word matches, and quotes a question together with its answer.
DEEP = {"lexical": 1.3, "moment": 0.5, "asking": 0.5}


# Learned features of messages, each with the leg its share is told as, so that `why` adds up to the
# score. `conversation` and `notes` are from 0 to 1: services/recall/legs/habits.py. "Deep": only
# where a prompt is filled. Those bring together what belongs together: among ten hits fewer then
# find anything (ZH-4O .897 and .862 with `around`, LoCoMo .836 and .825 with `second`), among the
# messages that fill 1,000 tokens more do.
FEATURES: Mapping[str, str] = {
    "around": "",  # deep: conversation x score of the best message within 4, told as its legs
    "second": "lexical",  # deep: conversation x words of the first hits, 1 for all of them
    "number": "moment",  # 1 where a number is asked for and the message holds one
    "notes_words": "lexical",  # notes x idf of the question's words in it, by length as in BM25
    "notes_share": "lexical",  # notes x share of the question's idf that it holds
    "notes_second": "lexical",  # deep: notes x words of the first hits
}


def read_corrections(text: str) -> dict[str, float]:
    """Return each feature's weight from the JSON that training wrote. Raises KeyError."""
    features = json.loads(text)["features"]
    return {name: float(features[name]["weight"]) for name in FEATURES}
