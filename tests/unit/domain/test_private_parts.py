"""What of a message not everybody perceives: thoughts and whispers, and not stage directions."""

from __future__ import annotations

from itertools import pairwise

import pytest

from engram_desktop.domain.knowledge.knowing import PrivatePart, heard_text
from engram_desktop.domain.knowledge.parts import private_parts
from engram_desktop.domain.knowledge.thoughts import Cast, Member, names_of

NAMES = names_of(
    Cast(
        (
            Member("爱丽丝", ("小爱",)),
            Member("凯尔"),
            Member("莉莉丝"),
            Member("Mira", ("Captain Mira",)),
            Member("Bob"),
            Member("Alice"),
        ),
        "旅人",
        is_group=True,
    )
)


def private(text, speaker):
    """What of a text is private, with its audience."""
    return [
        (text[part.start : part.end], {some.name for some in part.audience})
        for part in private_parts(text, speaker, NAMES)
    ]


def heard(text, speaker):
    return heard_text(text, private_parts(text, speaker, NAMES))


THOUGHTS = [
    ("（他不会知道的。）“晚上好。”", "爱丽丝", "“晚上好。”"),
    ("“晚上好。”（糟了，钥匙还在口袋里）", "爱丽丝", "“晚上好。”"),
    ('(why is he smiling like that?) "Good evening."', "Mira", '"Good evening."'),
    ("(I must not tell him about the ledger.) She bows.", "Mira", "She bows."),
    ("她点点头，心想：这家伙绝对在说谎。\n“好啊。”", "爱丽丝", "“好啊。”"),
    ("“好啊。”她心里暗想，铜钥匙绝不能给他。", "爱丽丝", ""),
    ("「心想：他又忘了」“走吧。”", "爱丽丝", "“走吧。”"),
    ("<thought>钥匙在井里</thought>“你好。”", "爱丽丝", "“你好。”"),
    ("<think>He lies.</think>\nHello there.", "Mira", "Hello there."),
    ("<thinking>open for ever", "Mira", ""),
    ('*He must never know that I love him,* she thought. "Fine."', "Mira", '"Fine."'),
    ('She smiles. She thinks he is a thief. "Sit down."', "Mira", 'She smiles. "Sit down."'),
    ("在心里默默骂了一句混蛋。“您请。”", "凯尔", "“您请。”"),
    ("（钥匙藏在他左手边的花盆底下）“您坐。”", "凯尔", "“您坐。”"),
    ("（他是议会的人）“您坐。”", "凯尔", "“您坐。”"),
    ('(the key lies under his left hand) "Sit."', "Mira", '"Sit."'),
    ("（内心：完蛋，被发现了）（推门进来）“早。”", "凯尔", "（推门进来）“早。”"),
]


@pytest.mark.parametrize(("text", "speaker", "rest"), THOUGHTS)
def test_a_thought_is_left_out_and_the_thinkers_own(text, speaker, rest):
    assert heard(text, speaker) == rest
    assert all(audience == {speaker} for _, audience in private(text, speaker))


OPEN = [
    "（推门进来）“大家好。”",
    "(waves and sits down) Hello.",
    "*她推开门，走了进来。*“我回来了。”",
    "*waves* Hi Bob!",
    "（笑）",
    "Recently, I've been thinking about changing jobs.",
    "Remember to find joy in the little things.",
    "我也可以试试瑜伽，感受内心的平静。",
    "有什么事随时给我发消息。",
    "（温柔）早。",
    "（认真地）我去",
    "(nervously) Hello",
    "(俏皮地眨眨眼睛)",
    "（点点头）好的",
    "((ooc: 我觉得这段可以快进))",
    "（（ooc 明天继续））",
    "“我心里想的是你。”她说。",
    "(OOC: should we stop here?) Hello",
    "(^_^) 早上好",
    "（3）（2024）",
    "她想了想，说：“也行。”",
    "“低声点，”他说。",
    "",
    "普通的一句话，没有任何括号。",
]


@pytest.mark.parametrize("text", OPEN)
def test_gestures_asides_and_speech_are_open(text):
    assert private(text, "爱丽丝") == []
    assert heard(text, "爱丽丝") == text


THINKERS = [
    ("（爱丽丝心想：他真笨）", "旅人", "爱丽丝"),
    ("我看着爱丽丝，心想她今天真好看。", "旅人", "旅人"),
    ("（不能让爱丽丝知道这件事）", "凯尔", "凯尔"),
    ("听完爱丽丝的话，凯尔心想，她在骗人。", "", "凯尔"),
    ("爱丽丝走后，他心想，她一定知道了。", "凯尔", "凯尔"),
    ("Bob thinks that Alice has the ring.", "Mira", "Bob"),
    ("As Alice leaves, Bob wonders who sent her.", "", "Bob"),
    ("小爱心里想着那封信。", "", "爱丽丝"),
]


@pytest.mark.parametrize(("text", "speaker", "thinker"), THINKERS)
def test_who_thinks_is_who_is_named_right_before_else_who_speaks(text, speaker, thinker):
    assert private(text, speaker) == [(text, {thinker})]


def test_what_a_narrator_tells_of_a_thought_without_a_name_is_nobodys():
    assert private("（绝不能说出去）", "") == [("（绝不能说出去）", set())]


WHISPERS = [
    ("她低声对凯尔说：“钥匙在井里。”", "爱丽丝", {"爱丽丝", "凯尔"}, ""),
    ("“大家好。”\n*悄悄告诉莉莉丝* “钥匙在井里。”", "爱丽丝", {"爱丽丝", "莉莉丝"}, "“大家好。”"),
    ("她附在凯尔耳边，“钥匙在井里。”", "爱丽丝", {"爱丽丝", "凯尔"}, ""),
    ("“钥匙在井里。”她凑到凯尔耳边说。", "爱丽丝", {"爱丽丝", "凯尔"}, ""),
    ("用只有凯尔听得见的声音说：“钥匙在井里。”", "爱丽丝", {"爱丽丝", "凯尔"}, ""),
    ("她瞒着爱丽丝，低声对凯尔说：“钥匙在井里。”", "莉莉丝", {"莉莉丝", "凯尔"}, ""),
    ("低声对凯尔说起爱丽丝的秘密：“她把钥匙丢进井里。”", "莉莉丝", {"莉莉丝", "凯尔"}, ""),
    ("悄悄对凯尔和莉莉丝说：“钥匙在井里。”", "爱丽丝", {"爱丽丝", "凯尔", "莉莉丝"}, ""),
    ("*她凑到你耳边，*“钥匙在井里。”", "爱丽丝", {"爱丽丝", "旅人"}, ""),
    ("莉莉丝附在我耳边说：“钥匙在井里。”", "旅人", {"莉莉丝", "旅人"}, ""),
    ("给凯尔发了条短信：钥匙在井里。", "爱丽丝", {"爱丽丝", "凯尔"}, ""),
    ("我走到院子里，给莉莉丝打电话：“钥匙在井里。”", "旅人", {"旅人", "莉莉丝"}, None),
    ("*拆开信，信上写着：*“钥匙在井里。”", "爱丽丝", {"爱丽丝"}, ""),
    ('She whispers to Bob: "The key is in the well."', "Mira", {"Mira", "Bob"}, ""),
    ('"The key," she whispers to Bob, "is in the well."', "Mira", {"Mira", "Bob"}, ""),
    (
        'She leans in and murmurs in Bob\'s ear, "The key is in the well."',
        "Mira",
        {"Mira", "Bob"},
        "",
    ),
    ('Under her breath to Bob: "The key is in the well."', "Mira", {"Mira", "Bob"}, ""),
    ('She texts Bob: "The key is in the well."', "Mira", {"Mira", "Bob"}, ""),
    ('She whispers to Bob about Alice: "Her key is in the well."', "Mira", {"Mira", "Bob"}, ""),
    ('Bob whispers to Alice: "The key is in the well."', "", {"Alice", "Bob"}, ""),
]


@pytest.mark.parametrize(("text", "speaker", "audience", "rest"), WHISPERS)
def test_a_whisper_is_for_those_it_names(text, speaker, audience, rest):
    parts = private(text, speaker)
    assert parts
    assert all(names == audience for _, names in parts)
    left = heard(text, speaker)
    assert "井里" not in left
    assert "well" not in left
    if rest is not None:
        assert left == rest


def test_after_a_whisper_a_raised_voice_is_open_again():
    text = "她附在凯尔耳边：“钥匙在井里。”然后直起身，大声说：“开饭了！”"
    assert heard(text, "爱丽丝") == "然后直起身，大声说：“开饭了！”"


def test_a_whisper_goes_on_in_the_speeches_of_the_next_lines():
    text = "*她压低声音，凑近凯尔。*\n\n“钥匙在井里。”\n\n“别告诉任何人。”\n\n*她站起来，走了。*"
    assert heard(text, "爱丽丝") == "*她站起来，走了。*"


def test_a_letter_that_is_read_aloud_is_open():
    assert private("他展开信，大声念道：“钥匙在井里。”", "凯尔") == []


def test_a_thought_inside_a_whisper_stays_the_thinkers():
    text = "她附在凯尔耳边：“别怕。”（其实我也怕得要命）“我在。”"
    parts = private(text, "爱丽丝")
    assert ("（其实我也怕得要命）", {"爱丽丝"}) in parts
    assert {frozenset(names) for _, names in parts} == {
        frozenset({"爱丽丝"}),
        frozenset({"爱丽丝", "凯尔"}),
    }


HOSTILE = [
    "（" * 300_000,
    "*" * 1_000_000,
    "“" * 400_000,
    "心想" * 300_000,
    "低声对" * 250_000,
    "给爱丽丝" * 200_000,
    "<thought>" * 100_000,
    "<thought " * 100_000,
    " " * 1_000_000,
    "（我觉得" * 150_000 + "）" * 150_000,
    "Alice whispers to " * 50_000,
    "a." * 400_000,
    "\n\t \n" * 200_000,
    "\ud83d（想\udc00）" * 50_000,
    "爱丽丝、" * 200_000 + "耳语",
    "把" * 500_000,
    "reads " * 150_000,
]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_a_hostile_megabyte_is_read(text):
    parts = private_parts(text, "爱丽丝", NAMES)
    heard_text(text, parts)
    assert all(one.end <= other.start for one, other in pairwise(parts))
    assert all(0 <= part.start < part.end <= len(text) for part in parts)


def cut(text, *pieces):
    return heard_text(
        text,
        [PrivatePart("thought", text.index(some), text.index(some) + len(some)) for some in pieces],
    )


def test_what_is_left_is_closed_up_and_words_stay_apart():
    assert cut("I walk in *he hates me* and sit", "*he hates me*") == "I walk in and sit"
    assert cut("Hi(thought)there", "(thought)") == "Hi there"
    assert cut("Hello (thought).", "(thought)") == "Hello."
    assert cut("你好（想）世界", "（想）") == "你好世界"
    assert cut("A\n\n（想）\n\nB", "（想）") == "A\n\nB"
    assert cut("one (a) (b) two", "(a)", "(b)") == "one two"
    assert cut("*（想）*", "（想）") == ""
    assert heard_text("  untouched  ", ()) == "  untouched  "


def test_who_hears_a_part_gets_it():
    parts = [PrivatePart("thought", 0, 3), PrivatePart("whisper", 3, 6)]
    assert heard_text("（想）“话”。", parts, heard=(0,)) == "（想）。"
