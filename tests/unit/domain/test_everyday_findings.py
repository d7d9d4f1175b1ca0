"""Facts told in everyday words: who is meant, how many there are, and what is over."""

from __future__ import annotations

import pytest

from engram_desktop.domain.claims.wording import fold_thing, number_in
from engram_desktop.domain.text.cleaning import asserting
from tests.known_people import over, told


def facts(*messages):
    return {(c.facet, c.about) for got in told(*messages)[0] for c in got.facts}


@pytest.mark.parametrize(
    ("words", "number"),
    [
        ("三万五", 35_000),
        ("两千三百", 2300),
        ("八万六", 86_000),
        ("一百零五", 105),
        ("一百五", 150),
        ("一亿两千万", 120_000_000),
        ("二〇二三", 2023),
        ("8.6万", 86_000),
        ("1,200 crowns", 1200),
        ("eleven hundred and four", 1104),
        ("six thousand three hundred", 6300),
        ("forty-one thousand litres", 41_000),
        ("no number", None),
    ],
)
def test_numbers_are_read_as_they_are_written(words, number):
    assert number_in(words) == number


def test_a_noun_with_zi_is_the_same_thing_as_with_another_word_before_it():
    assert fold_thing("乌木匣") == fold_thing("匣子")
    assert fold_thing("金针") != fold_thing("针线")


def test_who_died_is_nobody_who_is_only_named_before():
    before = ("Narrator", '*Tom leans on his cart.* "Two drums," Tom grunts.')
    asked = ("Robin", '*I wait until Tom has gone.* "Since when?"')
    told_by = ("Narrator", '*Anna sits down.* "{} died in September."')
    assert ("alive", "Tom") not in facts(before, asked, (told_by[0], told_by[1].format("He")))
    assert ("alive", "Tom") in facts(before, asked, (told_by[0], told_by[1].format("Tom")))


def test_giving_a_word_is_a_promise_to_do_what_was_asked():
    asked = ("Anna", '"Please, don\'t write it down."')
    given = ("Robin", '"I give you my word."')
    assert ("will", "Anna") in facts(asked, given)
    later = [("Anna", "*Anna nods.*"), ("Robin", "*I put the crank in my coat pocket.*")]
    (promise,) = [f for f in told(asked, given, *later)[1] if f.kind == "promise"]
    assert promise.status == "open"  # nothing was to be given


@pytest.mark.parametrize(
    ("message", "facet", "about"),
    [
        ('Anna sighed. "Tom\'s dead," she said.', "alive", "Tom"),
        # who was called last is “you”
        ("Anna turned round. \"So. Tom, it's you. You're the new captain.\"", "work", "Tom"),
        # who is called “you” in a message is no “she” in it
        (("Greta", "*You wait. She sleeps on the shed floor all week.*"), "home", "Greta"),
        # a card's own person speaks to whom it writes to
        (
            ("Anna", '*She grins at you.* "You\'re in the spare room, next to Tom."'),
            "home",
            "Robin",
        ),
        ("苏棠说：“往后，这三十六根金针归沈砚了。”", "owner", "金针"),
        ("苏棠说：“匣子眼下搁在祠堂。”", "place", "匣子"),
    ],
)
def test_a_fact_is_laid_at_whom_or_what_it_is_of(message, facet, about):
    assert (facet, about) in facts(message)


def test_a_pronoun_beside_a_name_means_another():
    assert ("health", "陆三") not in facts("苏棠说：“他比陆三小三岁，天生不会说话。”")


@pytest.mark.parametrize(
    "message",
    [
        '"I\'ve lived in worse," said Tom.',
        "Anna sat on the end of the bunk with two bits of toast.",
        "Tom sat on the boards with his cap off.",
        "楼下不知谁家在放烟花。",
    ],
)
def test_where_nobody_lives_is_no_home(message):
    assert not {facet for facet, _ in facts(message)} & {"home"}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            '"I\'m captain of the Harbour Guard," said Tom.',
            '"Greta," said Anna, "the Guard is yours."',
        ),
        (
            '"There are sixty people in this town," said Tom.',
            "By midsummer there were two hundred and ten people in the town.",
        ),
        (
            "Six rounds sat in the cylinder, and there were no more.",
            "Tom was down to three rounds.",
        ),
        ("沈砚说：“账上只剩八千块了。”", "沈砚说：“账上有三万五了。”"),
        ("沈砚的队伍一共十二人。", "穿过沼泽，沈砚的队伍只剩五个人。"),
        # debts and prices
        ("沈砚说：“我欠陆三三百块。”", "沈砚说：“我欠陆三的钱还清了。”"),
        ("沈砚说：“苏棠欠我三百块还没还。”", "沈砚说：“苏棠昨天还了一百，还差两百。”"),
        ("苏棠说：“手术费八万。”", "苏棠说：“手术费降到了五万。”"),
        # narrow marks between Chinese words
        (
            "沈砚说:“我在街口的全家便利店上夜班,一小时十八块。”",
            "沈砚说:“便利店我辞了,现在在烧烤店上班!”",
        ),
    ],
)
def test_what_is_said_otherwise_later_is_over(before, after):
    assert any(words in before for words in over(before, after))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("苏棠说：“医疗高峰会的规模是一千人。”", "苏棠说：“人才论坛的规模是九千人。”"),
        ("沈砚说：“是的，一共485元。”", "沈砚说：“这里有个特价机票，只要486元。”"),
        (
            '"We have nine hens," said Anna.',
            '"There are three hens on the menu each night," said Tom.',
        ),
        ("驿站里只剩五个人。", "路上的脚印是三个人的。"),
        ("沈砚说：“陆三欠我三百块。”", "沈砚说：“苏棠欠我五十块。”"),
        ("沈砚说：“我欠陆三三百块。”", "沈砚说：“钱还没还清。”"),
        ('"I owe Tom three grand," said Anna.', '"Greta owes me fifty," said Anna.'),
        ('"I owe Tom three grand," said Anna.', '"We are even closer now," said Anna.'),
    ],
)
def test_another_count_is_not_of_the_same(before, after):
    assert over(before, after) == []


@pytest.mark.parametrize(
    "message",
    [
        ("Robin", "*looks away* i won't go out there on my own again."),
        '"Meet me at the mill tonight at the second bell," said Tom.',
        '"I\'ll not leave this door tonight," said Tom.',
        '"I\'m back Thursday," said Tom. "Chess, eight o\'clock."',
        "苏棠说：“月底之前人数过不了五万，这团我就解散。”",
    ],
)
def test_what_binds_its_speaker_is_a_promise(message):
    assert [f.status for f in told(message)[1] if f.kind == "promise"] == ["open"]


@pytest.mark.parametrize(
    ("message", "words", "speaker"),
    [
        # what is told calls the player “you”: what nobody is said to say is the card's own
        (
            ("Greta", '*You find her in the dark. Her voice is steady.* "It was Ros who wrote."'),
            "It was Ros",
            "Greta",
        ),
        # “I …” is a claim about the speaker, also where another person is named in it
        (
            ("林远", "「放这儿。」*我接过一箱，对上苏棠好奇的眼神，笑了笑。*「我以前坐柜台的。」"),
            "坐柜台",
            "林远",
        ),
    ],
)
def test_a_speech_is_under_who_says_it(message, words, speaker):
    lines = [line for got in told(message)[0] for line in got.lines if words in line.quote]
    assert [line.speaker for line in lines] == [speaker]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("苏棠说：“我爸妈就生了我一个。”", "苏棠说：“我亲哥是当兵的。”"),
        ("苏棠说：“我是属兔的。”", "苏棠说：“我属龙，命硬。”"),
        ('"I never married," said Anna.', '"My ex-wife hated boats," said Anna.'),
    ],
)
def test_of_two_lasting_facts_that_differ_one_is_wrong(first, second):
    found = [f.quotes for f in told(first, second)[1] if f.kind == "contradiction"]
    assert [(first.find(a.text) >= 0, second.find(b.text) >= 0) for a, b in found] == [(True, True)]


def test_a_liar_who_is_teased_has_told_no_lie():
    lie = '"Just my pride," said Tom.'
    assert any(
        f.kind == "lie" for f in told(lie, '"You said it was your pride, you liar," said Anna.')[1]
    )
    teased = '"You said it was your pride, you liar," said Anna, laughing.'
    assert not any(f.kind == "lie" for f in told(lie, teased)[1])


@pytest.mark.parametrize(
    ("accuses", "clears"),
    [
        ("苏棠皱眉说：“是你偷了班费，陆三！”", "苏棠低下头说：“对不起，陆三，我错怪你了。”"),
    ],
)
def test_who_accused_another_was_wrong_where_somebody_owns_to_it(accuses, clears):
    found = [f for f in told(accuses, clears)[1] if f.kind == "mistaken"]
    assert [f.quotes[0].text in accuses for f in found] == [True]


def test_who_does_not_know_how_long_somebody_stood_there_is_not_mistaken():
    found = told("苏棠摆手说：“沈砚才不管这些。”门口，沈砚不知道站了多久，转身走了。")[1]
    assert [f for f in found if f.kind == "mistaken"] == []


def test_a_name_that_is_called_is_no_lie():
    confession = '"Greta. I confess it. I was in the garden last night," said Tom.'
    found = told('"Greta."', '"Yes?" said Greta.', confession)[1]
    assert [
        f.quotes[0].text for f in found if f.kind == "lie" and "Greta" in f.quotes[0].text
    ] == []


@pytest.mark.parametrize("where", ["目光中", "（轻抚他的手背，目光中", "语气里"])
def test_what_eyes_betray_tells_no_secret(where):
    promise = "苏棠说：“先保密，等时机成熟了再告诉你。”"
    found = told(promise, ("苏棠", f"苏棠轻抚他的手背，{where}透露出无尽的信任。"))[1]
    assert [f.status for f in found if f.kind == "promise"] == ["open"]


def test_a_name_that_begins_with_a_bracket_is_no_pattern():
    said = ("[陆三", "“昨夜我在后山闭关，一步也未曾离开。”")
    assert told(said, ("林远", "“有人昨夜根本没来过后山。”"))[1] is not None


def test_a_threat_accuses_nobody():
    found = told("苏棠说：“三日之内，不然我烧了你这驿站！”", "沈砚说：“驿站是我烧的。”")[1]
    assert [f for f in found if f.kind == "mistaken"] == []


@pytest.mark.parametrize(
    ("message", "fact"),
    [
        ("沈砚说：“对不起，打断你了。”", ("health", "沈砚")),
        ("沈砚说：“拉钩上吊，一百年不许变！”", ("alive", "拉钩")),
        ("班主任徐敏把苏棠叫到办公室。", ("work", "苏棠")),
        ("沈砚说：“手机没电了。”", ("amount", "手机")),
    ],
)
def test_what_only_sounds_like_a_fact_is_none(message, fact):
    assert fact not in facts(message)


def test_a_value_ends_before_the_word_that_ends_the_sentence():
    values = {c.value for got in told("苏棠说：“我搬到滨江花园了。”")[0] for c in got.facts}
    assert "滨江花园" in values
    assert "滨江花园了" not in values


def test_a_quote_is_as_it_was_written():
    (claim,) = (
        c for g in told("沈砚说:“我在便利店上夜班,累!”")[0] for c in g.facts if c.facet == "work"
    )
    assert claim.quote == "我在便利店上夜班,累!"


def test_a_difference_of_age_is_no_age():
    assert ("age", "沈砚") not in facts("沈砚小三岁，个子却高。")


@pytest.mark.parametrize("words", ["就是……班上的李老师", "是，是王医生"])
def test_a_title_behind_a_surname_is_somebody_elses_work(words):
    got = facts(("林远", "谁啊？"), ("苏棠", f"{words}，他竟然穿着超短裙跳舞！"))
    assert ("work", "苏棠") not in got
    assert ("work", "苏棠") in facts(("苏棠", "我是老师，教语文。"))


def test_a_job_that_gets_done_is_nobodys_work():
    said = ("Greta", "I only work in the studio."), ("Tom", "This player gets the job done.")
    assert over(*said) == []


@pytest.mark.parametrize(
    "words",
    [
        "Once you have talked to my brother about the garden, we can proceed.",
        "I'm trying to talk to my brother about the garden.",
    ],
)
def test_what_is_still_to_be_done_keeps_no_promise(words):
    promise = "I promise I'll talk to my brother about the garden."
    found = told(("Anna", promise), ("Robin", "Good."), ("Anna", words))[1]
    assert [f.status for f in found if f.kind == "promise"] == ["open"]


PAGE = """### Step 2: Count the cards

1. **Deck**: There are 52 cards in the deck.
   - After drawing a queen there are 51 cards left.

```python
def not_found(error):
    return error
```
So \\( P(A) = 4/52 \\). Anna moved to Leeds."""


def test_a_page_of_advice_tells_of_people_in_its_sentences_alone():
    told_of = asserting(PAGE)
    assert len(told_of) == len(PAGE)
    assert told_of.split() == "So . Anna moved to Leeds.".split()


@pytest.mark.parametrize(
    "text",
    [
        "## Chapter 3\n\n- Hello, said Anna.\n- I live in Leeds now.",
        "```\nDear Tom, I live in Leeds now.\n```",
        "1. Anna lives in Leeds.\n2. Tom left.",
        "*I nod* I have 3 arrows left.",
    ],
)
def test_a_story_with_dashes_and_letters_is_no_page_of_advice(text):
    assert asserting(text) == text


@pytest.mark.parametrize(
    ("before", "after"),
    [
        # an end names what is over, in words of no facet
        (
            '"I have a bed in the hostel," Anna said.',
            '"I\'m not going back to that hostel," Anna said.',
        ),
        ('"I wash the dishes, all night," Anna said.', '"I\'m off dishes," Anna said.'),
        (
            '"My father mortgaged the house to Tom," Anna said.',
            '"The mortgage is discharged," Anna said.',
        ),
        (
            'Anna said: "We sail on the fourteenth."',
            '"It\'s not the fourteenth any more," Tom said.',
        ),
        # what is asked is told by the answer
    ],
)
def test_what_is_over_is_found_without_a_word_of_its_facet(before, after):
    assert over(before, after)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            '"I have a bed in the hostel," Anna said.',
            '"I might not go back to the hostel," Anna said.',
        ),
        ('"I wash the dishes, all night," Anna said.', '"If I were off dishes," Anna said.'),
        ('"I wash the dishes, all night," Anna said.', '"You\'re off dishes," Anna told Tom.'),
        (
            'Anna said: "We sail on the fourteenth."',
            '"It\'s not the fifteenth any more," Tom said.',
        ),
        (
            "The harvest ball in Leeds is on the tenth.",
            "The harvest fair in York is on the twelfth.",
        ),
        ("On Friday Anna walked to the mill.", "On Sunday Anna walked to the mill."),
        ("苏棠说：“我叫苏棠，管氧气的。”", "沈砚说：“要是远日点号由苏棠指挥就好了。”"),
    ],
)
def test_what_is_supposed_or_of_another_ends_nothing(before, after):
    assert not over(before, after)


def kinds(*messages):
    return [(f.kind, f.status) for f in told(*messages)[1]]


@pytest.mark.parametrize(
    "messages",
    [
        # who hears that they were lied to did not hear these words
        (
            '"Rolf is alive," Anna said to Greta. "He sold the ship."',
            '"I lied to you, Tom," Anna said to Tom. "Rolf sold the ship."',
        ),
        # what only calls somebody is no lie
        ("陆三怔住：“柳师叔……”", "陆三对苏棠说：“那天在廊下我骗了你，柳师叔不让我说。”"),
        # each says it of the other
        (
            "沈砚笑着说：“你小时候天天跟在我后头喊哥哥。”",
            "苏棠说：“胡说，明明是你天天跟在我后头要糖吃。”",
        ),
    ],
)
def test_what_is_no_lie(messages):
    assert not [kind for kind, _status in kinds(*messages) if kind == "lie"]


def test_a_guess_that_somebody_stops_ends_nothing():
    ordered = "苏棠说：“给我一份关东煮，多放萝卜。”"
    assert over(ordered, "沈砚说：“那你以后就不来买关东煮了。”") == []
    assert over(ordered, "苏棠说：“我以后就不来买关东煮了。”") != []


def test_what_is_asked_of_the_hearer_is_no_promise():
    asked = "沈砚说：“丫头，等你把房契拿到手，来给阿叔看一眼，阿叔就放心了。”"
    assert kinds(asked) == []


def test_to_have_told_nothing_breaks_no_promise():
    promise = '"I promise I\'ll ring you if anything changes," Anna said to Tom.'
    floors = ("Tom nods.", '"I told him {}," Anna said to Tom.', "Tom sits down.")
    nothing = [text.format("nothing") for text in floors]
    assert kinds(promise, *nothing) == [("promise", "open")]


def test_a_word_given_to_another_keeps_none():
    asked = ("Anna", '"Please, find him."')
    given = ("Robin", '"You have my word."')
    later = [("Anna", "*Anna nods.*"), ("Robin", '"I gave Greta my word," *I say.*')]
    assert kinds(asked, given, *later) == [("promise", "open")]


@pytest.mark.parametrize(
    ("message", "fact"),
    [
        ('"There is a nephew, Tobias, and he\'s in Canada," said Anna.', ("place", "Tom")),
        ('Anna turned round. "He\'s alive, Tom," she said.', ("alive", "Tom")),
        ("苏棠说：“其实只有三百二十七。”", ("amount", "其实")),
        ("茶盏落下，当的一声落在案上。", ("place", "一声")),
        ("Greta hurries off towards the kitchen.", ("place", "Greta")),
    ],
)
def test_what_is_no_fact_of_somebody_known(message, fact):
    assert fact not in facts("Tom sat down. He laughed.", message)


def test_a_thing_ends_before_the_next_verb():
    assert ("owner", "怀表") in facts("苏棠握着怀表问。")
    assert ("owner", "房契") in facts("苏棠捧着房契站在船头。")


def abouts(text):
    return {(c.about, c.facet, c.value) for c in told(text)[0][-1].facts if c.facet != "other"}


@pytest.mark.parametrize(
    ("text", "thing"),
    [
        ("苏棠把蛋糕放在桌上。", "蛋糕"),
        ("苏棠把车钥匙拍在桌上。", "车钥匙"),
        ("苏棠把信悄悄塞进抽屉。", "信"),
    ],
)
def test_a_thing_that_is_put_somewhere_keeps_all_its_characters(text, thing):
    assert {about for about, facet, _value in abouts(text) if facet == "place"} == {thing}


def test_when_something_is_there_is_no_thing():
    found = abouts("晚上，苏棠来找你，把照片放在你手里。")
    assert {about for about, _facet, _value in found} == {"照片"}
    found = abouts("苏棠说：“钱昨晚还锁在抽屉里。”")
    assert ("钱", "place", "抽屉里") in found


def test_who_is_stabbed_is_hurt_and_not_who_stabs():
    assert {a for a, f, _v in abouts("沈砚扶住你，一剑刺穿了陆三的肩膀。") if f == "health"} == {
        "陆三"
    }
    assert {a for a, f, _v in abouts("一支箭射中沈砚的肩膀。") if f == "health"} == {"沈砚"}


def test_who_is_to_die_is_not_dead():
    assert not abouts("沈砚冷笑：“三日之内，老奴一定让她咽气。”") - abouts("沈砚冷笑。")
    assert any(f == "alive" for _a, f, _v in abouts("沈砚低声说：“陆三昨夜咽气了。”"))
