"""Claims of one message: whose each part is, and what its sentences assert."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram_desktop.domain.claims.addresses import ClaimsOfAddress
from engram_desktop.domain.claims.answer import (
    BlockMessage,
    read_claims,
    with_answers,
)
from engram_desktop.domain.claims.claim import Claim, ClaimList
from engram_desktop.domain.claims.parts import read_parts
from engram_desktop.domain.claims.people import (
    FoundPeople,
    candidates,
    short_forms,
    speaks_for_itself,
    story_names,
    story_people,
)
from engram_desktop.domain.claims.reading import MAX_CLAIMS, read_message
from engram_desktop.domain.claims.referents import genders
from engram_desktop.domain.claims.speech import Context, MessageSender
from engram_desktop.domain.claims.subjects import Mentioned
from engram_desktop.domain.claims.wording import number_in, same_value

ZH = ["沈砚", "柳七娘", "顾长风", "白鹭", "陆掌柜"]
EN = ["Wren", "Captain Hale", "Odette", "Pip", "Lady Greyfriars", "Dr. Pell"]
NARRATOR = MessageSender("旁白", is_narrator=True)


def test_a_list_of_claims_holds_what_was_added_to_it():
    told = [
        Claim(
            n // 3,
            "said",
            "沈砚",
            "剑",
            "owner",
            f"{n}",
            f"剑归{n}。",
            n,
            n + 4,
            n % 2 == 0,
            ("柳",),
        )
        for n in range(500)
    ]
    whole, lists = ClaimList(), []
    for first in range(0, 500, 7):
        whole = whole.with_more(told[first : first + 7])
        lists.append(whole)
    for number, part in enumerate(lists, 1):
        assert list(part) == told[: 7 * number]
        assert list(reversed(part)) == told[: 7 * number][::-1]
    for floor in range(-1, 169):
        assert whole.on(floor) == [claim for claim in told if claim.floor == floor]


def test_each_statement_is_laid_beside_the_first_earlier_one_that_it_contradicts():
    values = ("北境", "北境", "南港", "南港", "北境", "西原")
    told = [
        Claim(n, "said", "沈砚", "沈砚", "origin", value, f"我是{value}人。", 0, 6)
        for n, value in enumerate(values)
    ]
    found = ClaimsOfAddress(told, {(1, 0)}).findings("origin")
    assert [f.floors for f in found] == [(0, 2), (0, 3), (2, 4), (0, 5)]
    without_first = ClaimsOfAddress(told, {(0, 0)}).findings("origin")
    assert [f.floors for f in without_first] == [(1, 2), (1, 3), (2, 4), (1, 5)]


def parts(text, people, sender=NARRATOR, turns=()):
    names = Mentioned(story_names(people, people[0]), text)
    found, _context = read_parts(text, sender, names, Context(tuple(turns), tuple(turns)))
    return [(p.kind, p.speaker, text[p.start : p.end]) for p in found]


def said(text, people, sender=NARRATOR, turns=()):
    return [
        (speaker, words)
        for kind, speaker, words in parts(text, people, sender, turns)
        if kind == "said"
    ]


def facts(text, people, sender=NARRATOR, turns=()):
    names = story_names(people, people[0])
    got, _context = read_message(3, text, sender, names, Context(tuple(turns), tuple(turns)))
    return [
        (c.how, c.speaker, c.about, c.facet, c.value, c.polarity)
        for c in got.facts
        if c.facet != "other"
    ]


def test_a_senders_own_name_is_believed_and_another_is_not():
    sender = MessageSender("沈砚")
    told = ("said", "沈砚", "沈砚", "name", "沈砚", True)
    assert facts("“我的名字是沈砚。”", ZH, sender) == [told]
    assert facts('"My name is Odette."', EN, MessageSender("Wren")) == []


@pytest.mark.parametrize("text", ["“是我的老师。”", "“是你的老师。”"])
def test_whose_teacher_somebody_is_says_nothing_of_the_speaker(text):
    assert facts(text, ZH, MessageSender("沈砚")) == []


@pytest.mark.parametrize(
    ("text", "speakers"),
    [
        ("“客官打尖还是住店？”陆掌柜把抹布往肩上一搭。", ["陆掌柜"]),
        ("陆掌柜笑得很和气：“没听过。”", ["陆掌柜"]),
        ("柳七娘捧着酒杯。“多谢。”", ["柳七娘"]),
        ("「站住！」他冲沈砚喊，「把剑放下！」", ["顾长风", "顾长风"]),
        ("顾长风说：“白鹭亲口对我说：‘人是我毒死的。’”", ["顾长风", "白鹭"]),
        ("“走吧。”\n\n“去哪里？”柳七娘问。", ["", "柳七娘"]),
    ],
)
def test_who_speaks_each_line_of_a_narrator(text, speakers):
    turns = () if speakers[0] == "" else ("顾长风",)
    assert [speaker for speaker, _words in said(text, ZH, turns=turns)] == speakers


@pytest.mark.parametrize(
    ("text", "speakers"),
    [
        ('"Late," says Hale. "Sit."', ["Captain Hale", "Captain Hale"]),
        ("Hale's hand closes over the ring. \"It was my wife's,\" he says.", ["Captain Hale"]),
        ('Odette puts the ladle down. "I know," she says.', ["Odette"]),
        ('A stranger in the door coughs. "Evening."', [""]),
    ],
)
def test_who_speaks_each_line_in_english(text, speakers):
    assert [speaker for speaker, _words in said(text, EN)] == speakers


def test_a_detective_does_not_confess_what_he_quotes():
    text = (
        '"She is my patient," said Dr. Pell. "Only last month Lady Greyfriars told me, '
        "'I put the arsenic back.' I oughtn't to say.\""
    )
    marsh = MessageSender("Inspector Marsh", is_narrator=False)
    by_words = {words.strip(): who for who, words in said(text, [*EN, "Inspector Marsh"], marsh)}
    assert by_words["I put the arsenic back."] == "Lady Greyfriars"
    assert by_words["She is my patient,"] == "Dr. Pell"


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("*她点点头* 我住校。（好丢脸，不想让他知道。）", ["narrated", "said", "thought"]),
        ("*手机震了一下，屏幕上是班主任发来的：“快来。”*", ["narrated", "written"]),
        ("她走了。（OOC：我先去吃饭）", ["narrated", "ooc"]),
        ("她走了。 // 先去吃饭", ["narrated", "ooc"]),
        ("((ooc: 哇))\n她走了。", ["ooc", "narrated"]),
        ("[OOC] brb\n她走了。", ["ooc", "narrated"]),
        ("((ooc: brb\n她走了。", ["ooc", "narrated"]),
        ("她走了。\n（我先ooc一下：明天要加班）", ["narrated", "ooc"]),
        ("她走了。\n对了gm，我想换个房间", ["narrated", "ooc"]),
        ("(Out of character: brb)\n她走了。", ["ooc", "narrated"]),
        ("GM掷出骰子。", ["narrated"]),
        ("她走了。{ooc} brb {/ooc}", ["narrated", "ooc"]),
    ],
)
def test_parts_of_a_message(text, kinds):
    sender = MessageSender("柳七娘", quotes="“" not in text)
    assert [kind for kind, _speaker, _words in parts(text, ZH, sender)] == kinds


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("柳七娘如今住在天字三号房。", ("柳七娘", "home", "天字三号房", True)),
        ("柳七娘退了房，搬去了后山的药庐。", ("柳七娘", "home", "后山的药庐", True)),
        ("白鹭是镇抚司的百户，穿飞鱼服。", ("白鹭", "work", "百户", True)),
        ("陆掌柜倒在柜台后面，已经没有气了。", ("陆掌柜", "alive", "dead", True)),
        ("从这天起，寒鸦归了柳七娘。", ("寒鸦", "owner", "柳七娘", True)),
        ("沈砚把图藏在了米缸底下。", ("图", "place", "米缸底下", True)),
    ],
)
def test_facts_that_are_told_in_chinese(text, fact):
    assert ("narrated", "", *fact) in facts(text, ZH)


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("Odette lives above the shop.", ("Odette", "home", "above the shop", True)),
        (
            "Odette moves into the customs house.",
            ("Odette", "home", "into the customs house", True),
        ),
        ("Pip hides the key under the stone.", ("key", "place", "under the stone", True)),
        ("Captain Hale died in the night.", ("Captain Hale", "alive", "dead", True)),
        ("Odette is a nurse.", ("Odette", "work", "nurse", True)),
    ],
)
def test_facts_that_are_told_in_english(text, fact):
    assert ("narrated", "", *fact) in facts(text, EN)


@pytest.mark.parametrize(
    "text",
    [
        "柳七娘住在哪里？",
        "如果柳七娘住在山上，就好了。",
        "柳七娘做了一个梦，梦里她住在金陵。",
        "柳七娘也许住在金陵。",
        "柳七娘打算搬去金陵。",
        "Does Odette live above the shop?",
        "If Odette lived above the shop, she would know.",
        "In the dream Odette lives above the shop.",
        "Odette might be a nurse.",
    ],
)
def test_questions_dreams_and_suppositions_assert_nothing(text):
    assert facts(text, ZH if text[0] > "z" else EN) == []


def test_of_speech_the_speaker_and_the_hearer_are_meant():
    text = "陆掌柜压低声音：“我住在后院，你住在前院。”"
    got = facts(text, ZH, turns=("沈砚",))
    assert ("said", "陆掌柜", "陆掌柜", "home", "后院", True) in got


def test_a_promise_is_one_claim_with_what_it_waits_for():
    names = story_names(EN, "Wren")
    text = '"I\'ll teach you to read a chart before the winter is out. My word on it," says Wren.'
    got, _context = read_message(0, text, MessageSender("Wren"), names)
    [promise] = [c for c in got.facts if c.facet == "will"]
    assert promise.speaker == "Wren"
    assert promise.trigger.startswith("before the winter")


@pytest.mark.parametrize(
    ("text", "speaker"),
    [
        ("花子は窓の外を見て言った。「明日、東京へ行くわ」", "花子"),
        ("「本当に？」と太郎が聞いた。", "太郎"),
        ("太郎は笑った。「大阪に住んでいる」花子は頷いた。", "太郎"),
    ],
)
def test_who_speaks_in_japanese_and_no_fact_is_read(text, speaker):
    people = ["花子", "太郎"]
    assert [who for who, _words in said(text, people)] == [speaker]
    assert facts(text, people) == []


def test_people_are_found_by_what_they_do():
    texts = [
        "白鹭笑了笑。“是吗？”",
        "白鹭倚着门，没有说话。沈砚转过身。",
        "沈砚摇头。雪下得很大。",
    ]
    assert set(FoundPeople.of(candidates(t) for t in texts).likely()) == {"白鹭", "沈砚"}


def test_a_pronoun_of_bare_speech_is_not_the_one_who_speaks():
    names = story_names(["顾青"], "旅人")
    assert genders([("顾青", "他竟然穿着短裙跳舞！")], names, ["顾青"]) == {}
    assert genders([("顾青", "（她笑了笑）他竟然跳舞！")], names, ["顾青"]) == {"顾青": "f"}
    assert genders([("顾青", "她笑了笑。“他竟然跳舞！”")], names, ["顾青"]) == {"顾青": "f"}


def test_thanks_manners_and_doings_are_no_people():
    texts = [
        "谢谢老公！轻轻笑了笑。兴奋地点了点头。Painting is fun. Art is life.",
        "谢谢老公。轻轻站起来。兴奋地看着你。Painting was hard. Art has rules.",
        "谢谢老师。轻轻坐下。兴奋地抱住你。Painting takes time. Art is long.",
    ]
    assert FoundPeople.of(candidates(t) for t in texts).likely() == []


def test_what_the_items_of_a_list_begin_with_is_nobody():
    texts = ["Do this:\n- Use classes\n- **Define** routes", "1. Use tabs\n# Define names"]
    assert FoundPeople.of(candidates(t) for t in texts).likely() == []
    told = ["Marta sets the table.", "- Use plates\nMarta pours the wine."]
    assert FoundPeople.of(candidates(t) for t in told).likely() == ["Marta"]


def test_what_a_story_mostly_writes_small_heads_its_sentences_and_is_nobody():
    texts = [
        "Install the lock first. Rose nods. The dawn is grey.",
        "Install shows an error. You have to install it again, and Rose laughs. Will nods at you.",
        "They install it. She rose early; beside Rose sits Will. Will smiles.",
        "I will install another. With Will and Rose here, it will work. Mark nods.",
        "Mark sees a mark on the wall.",
    ]
    likely = ["Install", "Rose", "Will", "Add Domain", "Mark"]
    messages = [("Narrator", text) for text in [*texts, "Now add a domain to it."]]
    names, _senders = story_people(messages, ["You"], [], likely)
    assert set(names) == {"You", "Rose", "Will", "Mark"}


def test_a_card_that_says_i_plays_one_person():
    assert speaks_for_itself(["*她笑* 我住校。", "*点头* 嗯，我知道。"])
    assert not speaks_for_itself(["大雪封山。“我住店。”他说。", "灯灭了。"])
    bare = ["(点头)真好看", "(惊喜地)是吗？太棒了！", "那当然"] * 3
    assert speaks_for_itself([*bare, "(小声)我想吃草莓"])  # says little of itself, and in no quotes
    assert not speaks_for_itself(bare)
    assert not speaks_for_itself([*bare, "掌柜：我想吃草莓\n伙计：好"])  # a script is of many


GROUP = ["旅人", "青禾", "阿岚", "老周"]


@pytest.mark.parametrize(
    "text",
    [
        "“替我拿着。”*她把药篮塞进你怀里。*\n\n“先生的咳嗽又犯了，我要给他配糖浆。”*她叹气。*“就差一味。”",
        "*等老周走远，她上下打量你。*“你刚才在发抖。”\n\n*她抬手止住你的话。*“别跟我解释。”",
        "“三枚？”*青禾捂住胸口。*\n\n*阿岚慢悠悠地提起那罐膏药，她的脸垮了下来。*“……七枚，阿岚小姐。”",
        "*她走出几步，背对着你说：*“我本来是学医的。”\n\n“铺子是老周付的租。我站在你们这边。”",
    ],
)
def test_in_a_group_each_person_says_what_stands_in_their_own_message(text):
    sender = MessageSender("青禾", beside=frozenset(GROUP) - {"青禾"})
    messages = [
        ("青禾", text),
        ("阿岚", "*她点头。*“好。”"),
        ("老周", "*老周把他的帽子摘下。*“走。”"),
    ]
    names = story_names(GROUP, "旅人")
    known_as = genders(messages * 3, names, GROUP[1:])
    assert known_as.get("青禾", "f") == "f"
    got, _context = read_message(
        9, text, sender, names, Context(("阿岚", "旅人"), ("老周", "阿岚", "旅人")), known_as
    )
    spoken = [c.speaker for c in got.lines if c.how == "said" and not c.depth]
    assert spoken
    assert set(spoken) == {"青禾"}


def test_in_an_own_message_somebody_else_speaks_where_words_say_so():
    text = "*青禾把信递过去。*“你看看。”\n\n“这不是真的，”阿岚说。\n\n“是真的。”"
    sender = MessageSender("青禾", beside=frozenset(GROUP) - {"青禾"})
    assert said(text, GROUP, sender)[:2] == [("青禾", "你看看。"), ("阿岚", "这不是真的，")]


HOSTILE = [
    "我住在山上。" * 5000,
    "“" * 20000,
    "「" * 10000 + "」" * 10000,
    "((" * 20000,
    "（ooc" * 10000,
    "<thought>" * 5000,
    "I live in the house, " * 3000,
    "\ud800我住在\udfff山上。" * 500,
    "'" * 20000,
    "*" * 20000,
    "is " * 8000,
    "，" * 30000,
]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_messages_take_bounded_time_and_give_bounded_claims(text):
    names = story_names(ZH, "沈砚")
    begun = time.process_time()
    got, _context = read_message(0, text, NARRATOR, names)
    assert time.process_time() - begun < 5  # quadratic would take minutes
    assert len(got.facts) <= MAX_CLAIMS


@given(st.text(alphabet="我你她住在是“”「」‘’（）()*<>/!?？。，\n oOcC沈砚:：\ud800", max_size=200))
def test_any_text_is_read_and_spans_lie_within_it(text):
    names = story_names(ZH, "沈砚")
    for sender in (NARRATOR, MessageSender("沈砚"), MessageSender("沈砚", quotes=False)):
        got, context = read_message(0, text, sender, names)
        assert len(context.recent) <= 8
        for claim in (*got.facts, *got.lines):
            assert 0 <= claim.start <= claim.end <= len(text)
            assert text[claim.start : claim.end] == claim.quote


# What a model reads, beside what rules read.


def _claim(start, end, **other):
    values = {"how": "said", "speaker": "沈砚", "about": "沈砚", "facet": "home", "value": "柳巷"}
    return Claim(3, **(values | other), quote="x" * (end - start), start=start, end=end)


def test_a_quote_is_found_whatever_marks_and_white_space_the_model_leaves_out():
    told = BlockMessage(3, "沈砚", "*他说*：“我住在\n  柳巷。”")
    row = {
        "floor": "3", "speaker": "沈砚", "about": "我", "facet": "home", "value": "柳巷",
        "polarity": True, "how": "said", "quote": "「我住在柳巷」",
    }  # fmt: skip
    (found,) = read_claims([row], [told]).claims
    assert told.text[found.start : found.end] == found.quote == "我住在\n  柳巷"
    assert (found.about, found.is_model) == ("沈砚", True)


@pytest.mark.parametrize(
    ("text", "quote", "found"),
    [
        ("“我走,不回来了…!”", "我走，不回来了……！", "我走,不回来了"),
        ("“I don’t — ever — lie.”", "I don't - ever - lie.", "I don’t — ever — lie"),
        ("**Juno Park**, netrunner", "Juno Park, netrunner", "Juno Park**, netrunner"),
        ("“我走,不回来了。”", "……", ""),
    ],
)
def test_a_quote_is_found_however_the_model_spells_its_punctuation(text, quote, found):
    row = {"floor": 0, "about": "她", "facet": "home", "value": "x", "how": "narrated"}
    read = read_claims([row | {"quote": quote}], [BlockMessage(0, "沈砚", text)])
    assert [claim.quote for claim in read.claims] == ([found] if found else [])


@pytest.mark.parametrize(
    ("speaker", "names", "kept"),
    [
        ("沈砚的妈妈", ["妈妈"], "沈砚的妈妈"),
        ("the Harbour clerk", ["Harbour Street", "The night clerk"], "the Harbour clerk"),
        ("白鹭", ["白鹭"], "白鹭"),  # told before the block
        ("店小二", [], ""),
    ],
)
def test_words_in_the_message_are_kept_whoever_says_them(speaker, names, kept):
    told = BlockMessage(0, "沈砚", "门外有人说：“我住在柳巷。”")
    row = {"floor": 0, "speaker": speaker, "about": "她", "facet": "home", "value": "柳巷"}
    row |= {"how": "said", "quote": "我住在柳巷"}
    (found,) = read_claims([row], [told], names).claims
    assert found.speaker == kept
    thought = read_claims([row | {"how": "thought"}], [told], names)
    assert bool(thought.claims) == bool(kept)


def test_what_is_said_out_of_character_is_no_claim_of_a_model_either():
    told = BlockMessage(0, "沈砚", "他笑了。\n（OOC：我住在柳巷哦）")
    row = {
        "floor": 0, "speaker": "沈砚", "about": "沈砚", "facet": "home", "value": "柳巷",
        "how": "said", "quote": "我住在柳巷",
    }  # fmt: skip
    read = read_claims([row], [told])
    assert not read.claims
    assert "out of character" in str(read)


@pytest.mark.parametrize("speaker", ["", "白鹭"])
def test_a_model_gives_a_sentence_its_speaker_and_a_sign_where_rules_know_none(speaker):
    line = _claim(0, 8, speaker=speaker, facet="other", value="")
    model = _claim(2, 6, sign="untrue", is_model=True)
    (told,) = with_answers([line], [model])
    assert (told.sign, told.speaker) == ("untrue", "沈砚")


@pytest.mark.parametrize(
    ("speaker", "other"),
    [
        ("沈砚之", {}),  # the same name, spelled otherwise
        ("白鹭", {"facet": "will"}),  # she may tell what he promised
        ("白鹭", {"how": "narrated"}),
        ("白鹭", {"speaker": ""}),
        ("白鹭", {"speaker": "x"}),  # named in the sentence: she tells of them
    ],
)
def test_who_says_a_sentence_stays_where_the_model_only_names_whom_it_is_about(speaker, other):
    line = _claim(0, 8, speaker=speaker, facet="other", value="")
    (told,) = with_answers([line], [_claim(2, 6, is_model=True, **other)])
    assert told.speaker == speaker


_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=8,
)
_ROWS = st.fixed_dictionaries(
    {},
    optional={
        "floor": _VALUES | st.integers(-1, 3),
        "speaker": _VALUES | st.sampled_from(["沈砚", "旁白", "<b>", "某甲"]),
        "hearers": _VALUES | st.lists(st.sampled_from(["白鹭", "沈砚", "[x]"])),
        "about": _VALUES | st.sampled_from(["我", "沈砚", "〔谎言〕"]),
        "facet": _VALUES | st.sampled_from(["home", "will", "other"]),
        "value": _VALUES,
        "polarity": _VALUES,
        "how": _VALUES | st.sampled_from(["said", "narrated", "thought"]),
        "sign": _VALUES | st.sampled_from(["vow", "untrue", "errs"]),
        "quote": _VALUES | st.sampled_from(["我住在柳巷", "住在", "不在其中"]),
    },
)


@given(_VALUES | st.lists(_ROWS | _VALUES, max_size=200))
def test_whatever_a_model_hands_back_what_is_kept_stands_in_the_text(rows):
    texts = ["“我住在柳巷。”白鹭点头。", "（OOC：我住在柳巷）"]
    told = [BlockMessage(n, "沈砚", text) for n, text in enumerate(texts)]
    read = read_claims(rows, told)
    for claim in read.claims:
        assert claim.quote == texts[claim.floor][claim.start : claim.end]
        assert claim.floor == 0
        assert claim.how == "narrated" or claim.speaker in ("沈砚", "")
        assert not set("<>〔〕[]") & set(claim.about + claim.value + claim.trigger)
    assert len(read.claims) <= 20


# Numbers, values and names as claims compare them.


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("ten men and five dogs", 10),
        ("about twenty five", 25),
        ("three thousand coins", 3000),
        ("三百二十", 320),
        ("12 of 40", 12),
        ("none", None),
    ],
)
def test_the_first_number_of_a_text(text, number):
    assert number_in(text) == number


@pytest.mark.parametrize(
    ("facet", "one", "other", "is_same"),
    [
        ("work", "captain of the guard", "captain", True),
        ("work", "smith", "baker", False),
        ("work", "铁匠", "铁匠铺", False),
        ("age", "20 years", "twenty", True),
        ("age", "20", "30", False),
        ("age", "old", "30", True),
        ("health", "ill", "well", False),
    ],
)
def test_values_that_say_the_same(facet, one, other, is_same):
    assert same_value(facet, one, other) == is_same


@pytest.mark.parametrize(
    ("name", "forms"),
    [
        ("柳七娘", {"七娘", "柳姑娘", "柳大侠", "老柳"}),
        ("王老板", set()),
        ("林晚", {"林医生", "林师姐", "林姐"}),
        ("老魏", {"魏师傅", "魏总"}),
        ("Captain Hale", {"Hale", "the captain"}),
        ("Ann", set()),
    ],
)
def test_what_else_somebody_is_called(name, forms):
    assert forms <= set(short_forms(name))
    assert bool(forms) == bool(short_forms(name))


@pytest.mark.parametrize(
    "text",
    [
        "“一定是白鹭告诉他的。”",
        "“这封信也是他派的。”",
        "顾长风急着走了过去，从此归顾长风管。",
        "“The first pear that grows on this tree is yours.”",
        "“These are mine now.”",
    ],
)
def test_what_is_no_thing_or_nobody_is_owned_by_none(text):
    people = ZH if text[1] > "一" else EN
    assert not [fact for fact in facts(text, people) if fact[3] == "owner"]


@pytest.mark.parametrize(
    ("text", "thing", "owner"),
    [
        ("“仓库的钥匙在白鹭手里。”", "仓库的钥匙", "白鹭"),
    ],
)
def test_who_has_a_thing_in_chinese(text, thing, owner):
    assert (thing, "owner", owner) in [(fact[2], fact[3], fact[4]) for fact in facts(text, ZH)]


def test_a_latin_name_within_another_word_is_none():
    text = "Joann saw Ann, and Anna waved."
    assert [m.start for m in Mentioned(story_names(["Ann"], "Wren"), text).find(text)] == [10]
