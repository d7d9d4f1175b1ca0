"""A reply is read the same however it was cut, and whatever text stands in it is read back."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from engram_desktop.domain.play import ReplyPiece, TagParser, tags_of

_BITS = st.sampled_from(
    [
        "<thought>", "</thought>", "<think>", "</think>", "<reply>", "</reply>", "<content>",
        "<state_update>", "</state_update>", "<record_event>", "</record_event>", "<summary>",
        "</summary>", "<trigger_flag>", "</trigger_flag>", "<UpdateVariable>", "</UpdateVariable>",
        "<JSONPatch>", "</JSONPatch>", "<Analysis>", "<filament_output version='3.0'>", "<b>", "<",
        ">", "</", "/>", "\n", "  ", "嘿嘿", "hello", "<reply ", "<thought/>", "[]", "\ud83d\ude00",
    ]
)  # fmt: skip
_REPLIES = st.lists(st.one_of(_BITS, st.text(max_size=4)), max_size=24).map("".join)
_PLAIN = st.text(st.characters(exclude_categories=["Cs"]), max_size=80).filter(
    lambda text: "<" not in text
)


def _fed(parts: list[str]) -> tuple[TagParser, list[ReplyPiece]]:
    parser = TagParser()
    return parser, [piece for part in parts for piece in parser.feed(part)]


@given(_REPLIES, st.lists(st.integers(0, 200), max_size=12))
def test_a_cut_changes_nothing(text: str, cuts: list[int]) -> None:
    ends = sorted({min(cut, len(text)) for cut in cuts} | {len(text)})
    parts = [text[a:b] for a, b in zip([0, *ends], ends, strict=False)]
    parser, pieces = _fed(parts)
    letters, singles = _fed(list(text))
    assert parser.finish() == letters.finish() == tags_of(text)
    for kind in ("reply", "state", "event", "flag"):
        told = ["".join(p.text for p in some if p.kind == kind) for some in (pieces, singles)]
        assert told[0] == told[1]


@given(_PLAIN, _PLAIN, _PLAIN, st.lists(st.integers(-9, 9), max_size=3))
def test_what_a_valid_reply_says_is_read_back(
    thought: str, reply: str, summary: str, numbers: list[int]
) -> None:
    ops = json.dumps([{"op": "add", "path": "a.b", "value": n} for n in numbers])
    text = (
        f"<thought>{thought}</thought>\n<state_update>{ops}</state_update>\n"
        f"<record_event><summary>{summary}</summary></record_event>\n<reply>{reply}</reply>"
    )
    result = tags_of(text)
    assert result.reply == reply.strip(" \t\r\n")
    assert result.thought == thought.strip()
    assert result.updates == (f"<state_update>{ops}</state_update>",)
    assert result.is_whole


@given(_REPLIES)
def test_a_closed_thought_is_never_told(text: str) -> None:
    mark = "\N{LOCK}"
    result = tags_of(f"<thought>{text.replace('<', '(')}{mark}</thought>{text}")
    assert mark not in result.reply
