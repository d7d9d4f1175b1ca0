"""In notes, what better hits say already counts less: a prompt has room for several answers.

Notes repeat themselves, and a question has parts: of “how many come to A? And when is B?” the first
thirty hits may all say the same of A. So a word of the question is worth less to a message for each
better one that holds it (covered aspects, as in xQuAD: Santos et al., WWW 2010; here an aspect is a
word). Of notes at 500 tokens .06 more of the evidence stands in a prompt, at 1,000 .02. In
conversations and among pages it is worth nothing (-.01 to .01).
"""

from __future__ import annotations

import numpy as np

from engram_desktop.domain.recall import ranking
from engram_desktop.domain.recall.ranking import Scores
from engram_desktop.services.recall.legs.fuse import Tally

# Of a word's worth, what is left by each better message that holds it. Between .8 and .97 the
# figures differ by a point or two.
KEPT = 0.9
_LEAST = 0.1  # of a positive score, what stays: what is said again is not for that reason weak


def repetition(tally: Tally, lexical: float) -> Scores:
    """Return what each row loses, if a unit of inverse document frequency is worth ``lexical``."""
    total = tally.total
    if not lexical or not tally.held or not total.size:
        return np.zeros(total.size)
    order = ranking.best(total, total.size)
    rows = tally.rows[order]
    seen = np.zeros(tally.held_of, np.bool_)
    lost = np.zeros(total.size)
    for weight, holders in tally.held:
        seen[holders] = True
        holds = seen[rows]
        seen[holders] = False
        before = np.cumsum(holds) - 1
        lost += weight * holds * (1.0 - KEPT ** np.maximum(before, 0))
    loss = np.zeros(total.size)
    loss[order] = lexical * lost
    return np.minimum(loss, (1 - _LEAST) * np.maximum(total, 0.0))
