"""What a model says of earlier words, and what of them it is told again."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engram_desktop.domain.claims.answer import BlockMessage, read_claims, standing
from engram_desktop.domain.claims.claim import Claim
from engram_desktop.domain.claims.findings import findings_of

TOLD = [
    ("贺驰", "我住这儿，练习室后头那个道具间。周六我一定回去。"),
    ("鲁可", "我爸妈就生了我一个。账号跟我没有关系。"),
    ("岑念", "出道日定在九月十二号。"),
    ("旁白", "他搬去青年路了。周六，他到底没回成。"),
    ("鲁可", "我哥昨天来了。好吧，账号是我的。出道改到十一月。"),
]
ROWS = {
    "room": (0, "贺驰", "home", "道具间", "我住这儿，练习室后头那个道具间", "", ""),
    "vow": (0, "贺驰", "will", "周六", "周六我一定回去", "vow", ""),
    "only": (1, "鲁可", "origin", "独生子", "我爸妈就生了我一个", "", ""),
    "denies": (1, "鲁可", "deed", "没有账号", "账号跟我没有关系", "", ""),
    "date": (2, "岑念", "date", "九月十二号", "出道日定在九月十二号", "", ""),
    "moves": (3, "", "place", "青年路", "他搬去青年路了", "ends", "练习室后头那个道具间"),
    "breaks": (3, "", "will", "没回去", "他到底没回成", "breaks", "周六我一定回去"),
    "brother": (4, "鲁可", "bond", "有哥哥", "我哥昨天来了", "clashes", "我爸妈就生了我一个"),
    "admits": (4, "鲁可", "deed", "账号是他的", "账号是我的", "admits", "账号跟我没有关系"),
    "doubts": (4, "贺驰", "deed", "有账号", "账号是我的", "untrue", "账号跟我没有关系"),
    "hopes": (4, "贺驰", "deed", "来过", "我哥昨天来了", "", "周六我一定回去"),
    "later": (4, "鲁可", "date", "十一月", "出道改到十一月", "", "出道日定在九月十二号。"),
}


class Lines:
    """Sentences of the floors, with who says each."""

    def __init__(self, *, has_lines=True):
        self.rows = TOLD if has_lines else []

    def at(self, floor):
        if not 0 <= floor < len(self.rows):
            return ()
        who, text = self.rows[floor]
        found, start = [], 0
        for sentence in text.split("。")[:-1]:
            found.append(
                Claim(floor, "said", who, who, "other", "", sentence, start, start + len(sentence))
            )
            start += len(sentence) + 1
        return found

    def with_words(self, first, last, words, least=1):
        texts = [text for _who, text in self.rows]
        return [
            n
            for n in range(max(0, first), min(last, len(texts) - 1) + 1)
            if sum(word in texts[n] for word in words) >= least
        ]


def claims(*names):
    rows = []
    for name in names or ROWS:
        floor, who, facet, value, quote, sign, of = ROWS[name]
        how = "said" if who else "narrated"
        rows.append(
            {
                "floor": floor, "speaker": who, "about": who or "贺驰", "facet": facet,
                "value": value, "quote": quote, "sign": sign, "of": of, "how": how,
            }
        )  # fmt: skip
    told = [BlockMessage(n, who, text) for n, (who, text) in enumerate(TOLD)]
    read = read_claims(rows, told)
    assert not read.dropped
    return list(read.claims)


def found(*names, has_lines=True):
    chosen = names or tuple(name for name in ROWS if name not in ("doubts", "hopes"))
    findings = findings_of(claims(*chosen), Lines(has_lines=has_lines), len(TOLD) - 1)
    return {(f.kind, f.status, f.floors) for f in findings}


@pytest.mark.parametrize(
    ("names", "finding"),
    [
        (("room", "moves"), ("superseded", "over", (0, 3))),
        (("vow", "breaks"), ("promise", "broken", (0, 3))),
        (("only", "brother"), ("contradiction", "open", (1, 4))),
        (("denies", "admits"), ("lie", "found_out", (1, 4))),
        (("date", "later"), ("superseded", "over", (2, 4))),
    ],
)
def test_what_a_model_says_of_earlier_words_is_a_finding_of_both(names, finding):
    assert finding in found(*names)
    if finding[0] != "promise":
        assert finding in found(names[1])  # the earlier words need not be a claim
        assert finding not in found(names[1], has_lines=False)  # but must have been said


def test_the_outcome_of_a_promise_is_no_promise():
    assert {f for f in found() if f[0] == "promise"} == {("promise", "broken", (0, 3))}


def test_words_that_stand_nowhere_before_say_nothing():
    (later,) = claims("later")
    assert not findings_of([later], Lines(has_lines=False), 4)
    (room,) = claims("room")
    assert not findings_of([room], Lines(), 4)


def test_a_claim_that_says_what_it_denies_or_ends_denies_and_ends_nothing_else():
    denies, admits = claims("denies", "admits")
    again = replace(denies, floor=2, quote="出道日定在九月十二号", start=0, end=10)
    findings = findings_of([denies, again, admits], Lines(), 4)
    assert [(f.kind, f.floors) for f in findings] == [("lie", (1, 4))]
    room, death = claims("room", "moves")
    death = replace(death, facet="alive", value="dead", sign="", of="")
    assert not findings_of([room, death], Lines(), 4)


def test_a_model_that_denies_two_statements_of_a_speech_in_two_places_finds_two_lies():
    one, other, admits, later = claims("only", "denies", "admits", "brother")
    admits, later = sorted((admits, later), key=lambda c: c.start)
    admits = replace(admits, sign="untrue", of=one.quote)
    elsewhere = replace(later, sign="untrue", of=other.quote)
    assert len(findings_of([one, other, admits, elsewhere], Lines(), 4)) == 2
    at_once = replace(admits, of=other.quote)
    assert len(findings_of([one, other, admits, at_once], Lines(), 4)) == 1


def test_what_still_stands_is_told_again_and_what_is_over_is_not():
    def left(*names, most=9):
        return [c.value or c.trigger for c in standing(claims(*names), most)]

    assert left("room", "vow", "only", "date") == ["道具间", "周六", "独生子", "九月十二号"]
    assert left("room", "vow", "only", "date", most=2) == ["周六", "九月十二号"]
    assert left("room", "moves") == ["青年路"]
    assert left("vow", "breaks") == []
    assert left("only", "brother") == ["独生子"]  # nobody knows which is so
    assert left("denies", "admits") == []
    assert left("denies", "doubts") == ["没有账号"]  # another may say so: it may still be a lie
    assert left("room", "vow", "hopes") == ["道具间", "周六", "来过"]  # no outcome
    assert left("date", "later") == ["十一月"]
    (silent,) = claims("vow")
    assert standing([replace(silent, how="thought")], 9)  # a silent vow is one


def test_a_model_is_told_of_what_stands_first_what_the_block_speaks_of():
    told = claims("room", "vow", "only", "date")

    def first(text, most=1):
        return [c.value or c.trigger for c in standing(told, most, text)]

    facts = [c for c in told if c.facet != "will"]
    assert [c.value for c in standing(facts, 1, "道具间空了。")] == ["道具间"]
    assert [c.value for c in standing(facts, 1, "我爸妈来了。")] == ["独生子"]
    assert [c.value for c in standing(facts, 1)] == ["九月十二号"]  # else the newest
    assert first("道具间空了。", most=2) == ["道具间", "周六"]  # promises are half


def test_a_silent_vow_that_a_model_reads_is_a_promise_known_to_its_giver():
    vow, breaks = claims("vow", "breaks")
    (promise,) = findings_of([replace(vow, how="thought"), breaks], Lines(), 4)
    assert (promise.kind, promise.status, promise.known_to) == ("promise", "broken", ("贺驰",))
    rule = replace(vow, how="thought", is_model=False, of=None)
    assert not [f for f in findings_of([rule], Lines(), 0) if f.kind == "promise"]
