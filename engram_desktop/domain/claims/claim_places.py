"""Where a claim stands: its clause, and its place among the claims of a sentence."""

from __future__ import annotations

from dataclasses import replace

from engram_desktop.domain.claims.claim import Claim
from engram_desktop.domain.claims.fact_words import BY_WEIGHT, CLAUSE_ZH


def put_claim(found: list[Claim], claim: Claim) -> None:
    """Add a claim; of two about the same, what is over counts more than what is."""
    for number, other in enumerate(found):
        if (other.facet, other.about) == (claim.facet, claim.about):
            if claim.polarity == other.polarity:
                is_more = claim.facet == "work" and claim.value.endswith(other.value)
                if other.value and (is_more or claim.value == other.value):  # 见习法师, 法师
                    sign = max(claim.sign, other.sign, key=BY_WEIGHT.index)
                    found[number] = replace(claim, sign=sign)
                return
            over, now = (other, claim) if claim.polarity else (claim, other)
            if now.value and (now.value in over.value or not (over.value or now.sign == "changes")):
                found[number] = over
            else:  # she has given up the Anchor; she is a student now
                found[number : number + 1] = [over, now]
            return
    found.append(claim)


def clause_of(text: str, start: int, end: int, at: int) -> tuple[int, int]:
    """Return the first and the last character of the clause in which ``at`` stands."""
    first = max(text.rfind("，", start, at), text.rfind(",", start, at), text.rfind(";", start, at))
    ends = [place for c in "，,;；" if (place := text.find(c, at, end)) >= 0]
    return (first + 1 if first >= 0 else start), min(ends, default=end)


def before_zh(text: str, start: int, at: int) -> str:
    """Return what of its Chinese clause stands before ``at``."""
    return CLAUSE_ZH.split(text[start:at])[-1]
