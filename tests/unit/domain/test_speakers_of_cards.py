"""Who says a sentence of a card that speaks for others too, in pairs that differ little."""

from __future__ import annotations

import pytest

from engram_desktop.domain.claims.claim import Claim
from engram_desktop.domain.claims.people import FoundPeople, candidates, story_names, story_people
from engram_desktop.domain.claims.reading import read_message
from engram_desktop.domain.claims.speech import Context, MessageSender

EN = ("Rowan", "Lord Vane", "Mrs. Tull", "Nell", "Captain Orme")
EN_GENDERS = {"Rowan": "f", "Lord Vane": "m", "Nell": "f", "Captain Orme": "m"}
ZH = ("林溪", "陈默", "宋晚", "赵川")
ZH_GENDERS = {"林溪": "f", "陈默": "m", "宋晚": "f", "赵川": "m"}


def lines(people, genders, *messages):
    """Return the sentences of the last message; the player writes as the first of ``people``.

    Each message is of the card, who is the second of them, but one that begins with ``>``.
    """
    names, context = story_names(people, people[0]), Context()
    found: tuple[Claim, ...] = ()
    for text in messages:
        sender = people[0] if text.startswith(">") else people[1]
        read, context = read_message(
            1, text.removeprefix(">"), MessageSender(sender), names, context, genders
        )
        found = read.lines
    return found


def told(people, genders, *messages):
    return [(line.how, line.speaker) for line in lines(people, genders, *messages)]


def said(people, genders, *messages):
    found = lines(people, genders, *messages)
    return [(line.speaker, line.quote) for line in found if line.how == "said"]


def speakers(people, genders, *messages):
    return list(dict.fromkeys(who for who, _words in said(people, genders, *messages)))


def english(*messages):
    return speakers(EN, EN_GENDERS, *messages)


def chinese(*messages):
    return speakers(ZH, ZH_GENDERS, *messages)


@pytest.mark.parametrize("who", ["Nell", "Mrs. Tull"])
def test_a_title_that_is_cut_short_ends_no_sentence_before_a_speech(who):
    assert english(f'{who} curtsies at the gate. "Such a fine house!"') == [who]
    assert english(f'*Upstairs, {who} shuts a door.* "I could not wait."') == [who]


@pytest.mark.parametrize(
    ("text", "is_term"),
    [
        ('Captain "Brick" Orme ducks in.', True),
        ('They called it a "gift" back then.', True),
        ('They called it a "gift."', True),
        ('A sign says "No Entry" and Nell reads it.', True),
        ('Nell nods. "Fine" was all she said.', False),
        ('Nell shouts "Run" and bolts.', False),
        ('Nell tells her "Go home" and steps back.', False),
    ],
)
def test_a_nickname_or_a_term_in_quotes_is_nothing_said(text, is_term):
    assert (said(EN, EN_GENDERS, text) == []) is is_term


def test_a_line_that_tells_of_somebody_by_a_nickname_leads_in_the_line_below():
    assert english('*Captain "Brick" Orme ducks in.*\n"Nell! You have it?"') == ["Captain Orme"]
    assert chinese("*“铁手”赵川走进来。*\n“东西呢？”") == ["赵川"]


@pytest.mark.parametrize(
    ("text", "is_told"),
    [
        ("He was *not* going to lie. He had killed the captain.", True),
        ("She was _always_ late, and he knew it.", True),
        ("hey *waves* how are you", False),
        ('*He sits.* She had told him so. "No."', True),
        ('*He sits.* I live in Bath now. "Really."', False),
        ("*Mrs. Tull* looks at me across the ham.", True),
    ],
)
def test_stars_that_stress_a_word_do_not_make_narration_speech_in_english(text, is_told):
    found = [words for _who, words in said(EN, EN_GENDERS, text) if words not in ("No.", "Really.")]
    assert (found == []) is is_told


@pytest.mark.parametrize(
    ("text", "is_told"),
    [
        ("他*真的*不想再说谎。船长是他杀的。", True),
        ("今晚吃什么*揉揉眼睛*饿了", False),
        ("“不。”*他坐下。*他其实住在河边。", True),
        ("“不。”*他坐下。*我其实住在河边。", False),
        ("*宋晚*看了看窗外。", True),
    ],
)
def test_stars_that_stress_a_word_do_not_make_narration_speech_in_chinese(text, is_told):
    found = [words for _who, words in said(ZH, ZH_GENDERS, text) if words != "不。"]
    assert (found == []) is is_told


def test_a_verb_before_a_name_behind_a_speech_is_a_tag_and_nothing_said():
    text = '"No," says Nell, and turns the page. *The door slams.*'
    assert said(EN, EN_GENDERS, text) == [("Nell", "No,")]
    text = '"No." *The door slams.* Sit down, Nell.'
    assert ("Lord Vane", "Sit down, Nell.") in said(EN, EN_GENDERS, text)


@pytest.mark.parametrize(
    ("asked", "answer", "who"),
    [
        ("Say nothing of this, Nell.", '"Not a word, miss, I swear it."', "Nell"),
        ("Say nothing of this.", '"Not a word, miss, I swear it."', "Lord Vane"),
        ("Say nothing of this, Nell.", '"Not a word, miss." *She curtsies.*', "Nell"),
        ("Say nothing of this, Nell.", '"Not a word, miss." *He turns away.*', "Lord Vane"),
        ("Say nothing of this.", '"Not a word, miss." *She curtsies to you.*', ""),
        ("Say nothing of this, Nell.", '*She curtsies.* "Not a word, miss."', "Nell"),
        ("Say nothing of this, Nell.", '"Nell is a good girl." *He smiles.*', "Lord Vane"),
    ],
)
def test_who_is_called_by_the_player_begins_to_answer_in_english(asked, answer, who):
    assert english(f'>"{asked}"', answer) == [who]


@pytest.mark.parametrize(
    ("asked", "answer", "who"),
    [
        ("宋晚！你别声张！", "“我、我不会说的。”", "宋晚"),
        ("你别声张！", "“我、我不会说的。”", "陈默"),
        ("宋晚！你别声张！", "“我、我不会说的。”*她咬着唇*", "宋晚"),
        ("宋晚！你别声张！", "“我、我不会说的。”*他咬着唇*", "陈默"),
        ("你别声张！", "“我、我不会说的。”*她贴近你，咬着唇*", ""),
    ],
)
def test_who_is_called_by_the_player_begins_to_answer_in_chinese(asked, answer, who):
    assert chinese(f">“{asked}”", answer) == [who]


def test_who_alone_spoke_in_the_message_before_goes_on_with_the_talk():
    told = '"I sold out in March," says Orme. "No more army for me."'
    asked = '>"And where will you go?"'
    assert english(told, asked, '"To Ireland."') == ["Captain Orme"]
    assert english(told, asked, '"To Ireland." *He says it lightly.*') == ["Captain Orme"]
    assert english(told, asked, '"To Ireland." *Vane smiles.*') == ["Lord Vane"]
    assert english(f"{told} *Vane looks up.*", asked, '"To Ireland."') == ["Lord Vane"]
    assert english(told, '>*I turn to Vane.* "And you?"', '"To Ireland."') == ["Lord Vane"]
    assert chinese("赵川笑道：“我不干了。”", ">“去哪儿？”", "“回老家。”") == ["赵川"]
    assert chinese("赵川笑道：“我不干了。”陈默抬头。", ">“去哪儿？”", "“回老家。”") == ["陈默"]
    assert chinese("一个老者笑道：“我不干了。”", ">“去哪儿？”", "“回老家。”") == [""]


def likely(*texts):
    return set(FoundPeople.of(candidates(text) for text in texts).likely())


@pytest.mark.parametrize("mark", ["，", ","])
def test_who_goes_by_a_title_is_a_person_behind_a_comma_of_either_width(mark):
    assert likely(f"门开了{mark}云阙真人缓步而入。") == {"云阙真人"}
    assert likely(f"门开了{mark}太后缓步而入。") == {"太后"}
    assert likely(f"门开了{mark}九爷缓步而入。") == {"九爷"}
    assert likely(f"门开了{mark}葛老头走进来。", "“葛前辈！”") == {"葛老头"}
    assert likely(f"门开了{mark}老夫走进来。") == set()
    assert likely("“谢长老。”") == set()
    assert likely("“葛长老。”") == {"葛长老"}


def test_who_is_called_by_an_old_man_s_title_is_meant_by_it():
    assert story_names(["葛老头"], "林溪").who("葛前辈") == "葛老头"
    assert story_names(["云阙真人"], "林溪").who("云阙") == "云阙真人"
    assert story_names(["葛洪山"], "林溪").who("葛长老") == "葛洪山"
    assert story_names(["沈伯言"], "林溪").who("沈主笔") == "沈伯言"
    assert story_names(["沈伯"], "林溪").who("沈主笔") == "沈主笔"


@pytest.mark.parametrize(
    ("text", "who"),
    [
        ('*He sits.* "It was Orme," whispers your aunt on the stairs.', ""),
        ('*He sits.* "It was Orme," says Petrov.', ""),
        ('*He sits.* "It was Orme," Petrov says.', ""),
        ('*He sits.* "It was Orme," says Vane.', "Lord Vane"),
        ('*He sits.* "It was Orme," says Sir Vane.', "Lord Vane"),
        ('*He sits.* "It was her," says Captain Orme.', "Captain Orme"),
        ('Nell bangs the pot. "Cheers, then!" People laughed.', ""),
        ('Nell bangs the pot. "Cheers, then." People laughed.', "Nell"),
        ('Petrov says, "No."', ""),
        ('The barkeep snaps: "No."', ""),
        ('Rain hisses on the roof. "No."', "Lord Vane"),
        ('He says, "No."', "Lord Vane"),
    ],
)
def test_a_subject_of_speaking_that_nobody_knows_is_not_the_card_in_english(text, who):
    assert english(text) == [who]


@pytest.mark.parametrize(
    ("text", "who"),
    [
        ("徐敏推了推眼镜：“不。”", ""),
        ("“不。”徐敏推了推眼镜，“好。”", ""),
        ("“不。”徐敏推了推眼镜,“好。”", ""),
        ("推了推眼镜：“不。”", "陈默"),
        ("咬牙道：“不。”", "陈默"),
        ("“不。”平静地说，“好。”", "陈默"),
        ("“不。”他推了推眼镜，“好。”", "陈默"),
        ("宋晚推了推眼镜：“不。”", "宋晚"),
    ],
)
def test_a_subject_of_speaking_that_nobody_knows_is_not_the_card_in_chinese(text, who):
    assert chinese(text) == [who]


def test_a_name_behind_what_somebody_is_is_a_person():
    texts = ("周一，班主任徐敏把你叫到门外。", "徐敏推了推眼镜。")
    assert likely(*texts) == {"徐敏"}
    assert likely(texts[0].replace("徐敏", "皱眉"), "皱眉推了推眼镜。") == set()


@pytest.mark.parametrize(
    ("between", "who"),
    [
        ("这时,一名黄衫少女御剑而来。", ""),
        ("这时，一位黄衫少女御剑而来。", ""),
        ("这时，宋晚御剑而来。", "宋晚"),
        ("这时，天色暗了下来。", "陈默"),
    ],
)
def test_a_newcomer_behind_a_comma_takes_the_line_over_in_chinese(between, who):
    text = f"“我何时骗过你？”*他失笑。{between}* “丹房失窃！”"
    assert said(ZH, ZH_GENDERS, text)[-1] == (who, "丹房失窃！")


@pytest.mark.parametrize(
    ("between", "who"),
    [
        ("Just then, a girl in yellow runs in.", ""),
        ("Just then, Nell runs in.", "Nell"),
        ("Just then, the lamp gutters.", "Lord Vane"),
    ],
)
def test_a_newcomer_behind_a_comma_takes_the_line_over_in_english(between, who):
    text = f'"When did I lie?" *He laughs. {between}* "The safe is open!"'
    assert said(EN, EN_GENDERS, text)[-1] == (who, "The safe is open!")


@pytest.mark.parametrize(
    ("texts", "people"),
    [
        (("Helix killed her.", "Helix hired me.", "There is a Helix logo on the door."), []),
        (("Helix killed her.", "Helix hired me.", "Helix Tower rises."), []),
        (("Helix killed her.", "Helix hired me.", "Nell looked at Helix."), ["Helix"]),
        (("Helix killed her.", "Helix smiled.", "There is a Helix logo on the door."), ["Helix"]),
        (("Twelve waited there.", "Twelve walked in."), []),
    ],
)
def test_what_things_are_called_by_and_what_never_speaks_is_no_person(texts, people):
    messages = [("Narrator", text) for text in texts]
    names, _senders = story_people(messages, [], [], sorted(likely(*texts)))
    assert list(names) == people


def test_a_title_before_the_players_family_name_is_the_player():
    texts = ('Vane bows. "Miss Ashcombe. I confess it."', "Miss Ashcombe nods. Vane smiled.")
    messages = [("Vane", text) for text in texts]
    found = sorted(likely(*texts))
    assert "Miss Ashcombe" in story_people(messages, ["Eleanor Dale"], [], found)[0]
    names, _senders = story_people(messages, ["Eleanor Ashcombe"], [], found)
    assert "Miss Ashcombe" not in names
    assert speakers(("Eleanor Ashcombe", "Vane"), {}, texts[0]) == ["Vane"]


def narrated(people, genders, *messages):
    """Return who speaks in the last message of a narrator's card."""
    names, context = story_names(people, people[0]), Context()
    found: tuple[Claim, ...] = ()
    for text in messages:
        is_player = text.startswith(">")
        sender = MessageSender(people[0]) if is_player else MessageSender("旁白", is_narrator=True)
        read, context = read_message(1, text.removeprefix(">"), sender, names, context, genders)
        found = read.lines
    return list(dict.fromkeys(line.speaker for line in found if line.how == "said"))


def test_he_and_she_are_who_has_the_turn_though_nothing_says_which_they_are():
    people, genders = ("Rowan", "Brick", "Silas"), {"Silas": "m"}
    told, asked = "Silas coughs. He waits. Brick says: “Pay.”", ">“Here. All of it.”"
    assert narrated(people, genders, told, asked, "“Huh. You paid.” He grins.") == ["Brick"]
    asked = ">“Here, Silas.”"
    assert narrated(people, genders, told, asked, "“Huh. You paid.” He grins.") == ["Silas"]
    people, genders = ("林溪", "陈默", "宋晚"), {"林溪": "f", "宋晚": "f"}
    asked, answer = ">“宋晚……为什么？”", "“因为他看你的眼神。”她哭着说。"
    assert narrated(people, genders, "宋晚走进来。", asked, answer) == ["宋晚"]
    assert speakers(people, genders, "宋晚走进来。", asked, answer) == ["宋晚"]


def test_many_who_speak_at_once_are_nobody():
    assert english('*He lifts his glass.* "To Nell," they echo.') == [""]
    assert english('*He lifts his glass.* "To Nell," he echoes.') == ["Lord Vane"]


def test_who_leads_in_the_next_speech_does_not_say_the_one_before():
    text = "宋晚走过来。“喏，两百。”陈默接过，笑了笑：“你还算守信。”"
    assert said(ZH, ZH_GENDERS, text)[0] == ("宋晚", "喏，两百。")
    assert said(ZH, ZH_GENDERS, text.replace("：“", "。“"))[0] == ("宋晚", "喏，两百。")
    text = 'Nell comes over. "Two hundred." Vane takes it and says: "You kept your word."'
    assert said(EN, EN_GENDERS, text)[0] == ("Nell", "Two hundred.")


def test_a_voice_behind_and_speaks():
    text = 'The drones scream, and Nell\'s voice roars from the stairs, "Who is there?"'
    assert english(text) == ["Nell"]
    assert english(text.replace("Nell's voice roars", "Nell's dog runs")) != ["Nell"]


@pytest.mark.parametrize(
    ("first", "own"),
    [
        ("*门铃响了，我从梯子上探出头来。*「欢迎。我叫顾眠，随便看。」", "顾眠"),
        (
            "*顾岚擦着柜台。*「欢迎。我叫顾眠，随便看。」",
            "店主",
        ),  # two people: the card speaks for both
        ("*门铃响了。*「欢迎，随便看。」", "店主"),
    ],
)
def test_a_card_named_by_a_role_plays_who_says_the_own_name_at_first(first, own):
    later = (
        "*顾眠点点头。*「三年了。」",
        "*顾眠笑了笑。*「慢走。」",
        "*顾岚走进来。*「我回来了。」",
    )
    messages = [("店主", text) for text in (first, *later)]
    _names, senders = story_people(messages, ["阿棠"], [], ["顾眠", "顾岚"])
    assert senders["店主"].name == own
    assert senders["店主"].is_narrator == (own == "店主")


@pytest.mark.parametrize(
    ("text", "who"),
    [
        ("*林溪提着灯进来。*「小默，你的信呢？」*陈默摸出信封。*「刚到的。」", ["林溪", "陈默"]),
        ("*宋晚走进来。*「暖和吗？」*赵川关上门。*「冷。」", ["宋晚", "赵川"]),
        ("「暖和吗？」*宋晚关上门。*「冷。」*赵川点点头。*", ["宋晚", "赵川"]),
    ],
)
def test_deeds_stand_before_speeches_or_behind_them_in_all_of_a_message(text, who):
    assert chinese(text) == who


def test_the_own_name_is_called_where_you_are_spoken_to():
    assert chinese("「陈默，你的信呢？」*宋晚问。*") == ["宋晚"]
    assert chinese("「陈默，修船的。」") == ["陈默"]


@pytest.mark.parametrize("blank", ["", " "])
def test_a_sender_or_a_known_name_may_be_blank(blank):
    messages = [(blank, "Helix killed her."), ("Vane", "Miss Ashcombe nods.")]
    names, _senders = story_people(messages, [blank], [blank, "Nell"], ["Miss Ashcombe"])
    assert {"Nell", "Miss Ashcombe"} <= set(names)


def test_who_is_called_by_a_part_of_the_cards_name_is_the_card():
    people = ("林溪", "舰长莫雷")
    assert speakers(people, {}, "“到家了，”莫雷说，“我说到做到。”") == ["舰长莫雷"]
    messages = [("Detective Crane", '"We found him."')]
    assert "Detective Crane" in story_people(messages, ["Vera"], ["Detective Crane"], [])[0]


def test_a_speech_right_behind_another_is_an_answer():
    assert english('"I owe you, Nell." "Get in the queue," *she says.*') == ["Lord Vane", "Nell"]
    assert english('"I owe you, Nell." *He bows.* "A great deal."') == ["Lord Vane"]
    assert chinese("“宋晚，我欠你的。”“排队去。”她说。") == ["陈默", "宋晚"]


def test_whose_thing_makes_itself_heard_last_speaks():
    text = '*He hisses, and Nell\'s bell rings upstairs.* "My tea!"'
    assert english(text) == ["Nell"]
    assert english(text.replace("Nell's bell", "Nell's brother")) != ["Nell"]
    assert english(text.replace("bell rings", "already here")) == ["Nell"]
    assert english(text.replace("Nell's bell rings", "Nell has the key")) == ["Nell"]


def test_who_only_owns_what_is_told_of_is_not_she():
    told = "Mrs. Tull climbs the steps in Nell's apron. Then she comes out."
    people = ("Rowan", "Narrator", *EN[1:])
    assert narrated(people, EN_GENDERS, f'{told} "It is done."') == ["Mrs. Tull"]


def test_a_sentence_quoted_within_a_speech_is_anothers():
    text = "“宋晚还补了一刀，‘一毛钱都没有。’”"
    assert [who for who, words in said(ZH, ZH_GENDERS, text) if "毛钱" in words] == ["宋晚"]
    text = "“我的外号嘛，‘夜枭’，别叫错。”"
    assert chinese(text) == ["陈默"]
    text = "“宋晚瞪着我说‘收起来’，我就收了。”"
    assert [who for who, words in said(ZH, ZH_GENDERS, text) if words == "收起来"] == ["宋晚"]


def test_words_within_a_deed_are_not_the_senders_who_speaks_outside():
    text = "*老板探出头：“零头给你抹了！”* “哎，真全请啦？”"
    assert said(ZH, ZH_GENDERS, text) == [("", "零头给你抹了！"), ("陈默", "哎，真全请啦？")]
    own = "*“先走吧。”陈默收起伞。* “别淋着。”"
    assert chinese(own) == ["陈默"]


def test_a_relation_is_no_introduction_and_she_who_was_asked_answers():
    text = "*A thin woman waits.* \"I'm Nell's half-sister. You want the wife.\""
    assert english(text) != ["Nell"]
    asked = '>"Whitby, Mrs. Tull?" I asked. She blushed. "Neither," she said. "It was Swindon."'
    assert english("*He nods.*", asked) == ["Rowan", "Mrs. Tull"]


def test_a_family_name_that_a_mrs_shares_is_the_others():
    names = story_names(["Felix Ashdown", "Mrs. Ashdown"], "Rowan")
    assert [mention.name for mention in names.find("Ashdown sits up.")] == ["Felix Ashdown"]
    names = story_names(["Felix Ashdown", "Tom Ashdown"], "Rowan")
    assert list(names.find("Ashdown sits up.")) == []


def test_names_with_accents_and_capitals_within_are_whole():
    told = 'Renée leans in. "Late," says Renée. McGee nods. "Aye," says McGee. O\'Brien laughs.'
    messages = [("Narrator", told), ("Max", "Hello!")] * 3
    likely = FoundPeople.of([candidates(text) for _name, text in messages]).likely()
    assert {"Renée", "McGee", "O'Brien"} == set(likely)


def test_who_is_only_talked_of_in_a_speech_is_not_there_to_answer():
    others = frozenset(ZH) - {"陈默"}
    before = Context(turns=("陈默", "林溪"), recent=("?老人",))
    text = "*陈默捧着杯子。*“镇上的老人都在议论潮水。”\n\n“议会让我们把堤坡再查一遍。”"
    read, _after = read_message(
        1, text, MessageSender("陈默", beside=others), story_names(ZH, "林溪"), before, ZH_GENDERS
    )
    assert {line.speaker for line in read.lines if line.how == "said"} == {"陈默"}


def test_who_is_shown_as_somebody_new_and_says_the_cards_name_is_the_card():
    shown = "*一个提着铁桶的少年探出头。*“啊，对不起，我不是故意偷听。我叫陈默，是学徒。”"
    assert chinese(shown) == ["陈默"]
