"""Who says a line of a long message, whom a pronoun means, and by which names people go."""

from __future__ import annotations

import pytest

from benchmarks.findings import read_all
from engram_desktop.domain.claims.attribution import Attribution, SaidBy
from engram_desktop.domain.claims.people import FoundPeople, candidates, story_names
from engram_desktop.domain.claims.referents import genders

# Who is who, so that the stories below know their people: each acts, and is called he or she.
ZH = [
    ("旁白", "周岚走进来。她把伞收好。"),
    ("旁白", "周岚点了点头。她坐下了。"),
    ("旁白", "罗远站在窗边。他没有说话。"),
    ("旁白", "罗远看了看表。他皱起眉。"),
]
EN = [
    ("Narrator", "Marian shuts the door. She has a lamp."),
    ("Narrator", "Marian sits down. She waits."),
    ("Narrator", "Ruben looks up. He has been asleep."),
    ("Narrator", "Ruben stands. He yawns."),
]


def speaker(before, text, words, player):
    read, _findings, _spent = read_all([*before, (before[0][0], text)], player)
    return next(line.speaker for line in read[-1].lines if words in line.quote)


@pytest.mark.parametrize(
    ("text", "words", "who"),
    [
        # the speaker of a line stays its speaker, though another person is the object of a verb
        ("周岚把罗远拦在门口。“等等，”她说，“雨还没停。”罗远只好站住。", "雨还没停", "周岚"),
        # who is called by name does not speak
        ("罗远站在楼梯上。\n\n“罗远，你下来。”", "你下来", ""),
        # 罗远妈妈 is not 罗远
        ("罗远点头。罗远妈妈拎着行李，眼圈发红：“谢谢你照顾他。”", "谢谢你", ""),
        # a line that tells of somebody leads in the line of speech below it
        (
            "*罗远把门推开。*\n\n*周岚抬起头，她的眼睛红了。*\n\n“你还知道回来？”",
            "你还知道",
            "周岚",
        ),
        # where somebody looks is not who speaks
        ("“别过来。”周岚退了一步，目光在罗远身上停了停，“就站在那儿。”", "就站在那儿", "周岚"),
    ],
)
def test_who_says_a_line_in_chinese(text, words, who):
    assert speaker(ZH, text, words, "旅人") == who


@pytest.mark.parametrize(
    ("text", "words", "who"),
    [
        (
            'Marian leans on the table, and Ruben stops humming. "Listen," she says. It is late.'
            ' "The boat sails at six."',
            "The boat sails",
            "Marian",
        ),
        ('Ruben is at the rail. "Marian!" he calls. "Come up and see."', "Come up", "Ruben"),
        # somebody without a name is nobody of those who were told of before
        ('A tall woman in grey is waiting at the gate. "You are late," she says.', "late", ""),
        ('Marian laughs. "Not now," the man says quickly.', "Not now", "Ruben"),
        # who is named between two speeches says both, though another is told of after them
        ('"Broken," says Ruben. "It is his hip." Marian has gone very still.', "hip", "Ruben"),
        # who is asked by name and nods did not ask
        ('It is late. "Can you count, Marian?" Marian nods.', "Can you", ""),
        # a tag may name another behind its verb
        (
            'Marian nods. "Sir," she breathes, so low that Ruben cannot hear, "his son is alive."',
            "his son",
            "Marian",
        ),
        # behind a colon somebody without a name is new
        ('Marian nods. There is one inside: a woman in grey. She asks, "Is it war?"', "war", ""),
        # a tag between two speeches: who acts behind them did not say the second
        (
            'Ruben looks up. "Morning, tenant," he says. "The key is mine." *Marian looks up.*',
            "The key",
            "Ruben",
        ),
        # his grandmother is not he
        ('Ruben turns. *His grandmother only snorts.* "I knew since October."', "October", ""),
    ],
)
def test_who_says_a_line_in_english(text, words, who):
    assert speaker(EN, text, words, "Wanderer") == who


def test_a_letter_is_of_whose_name_stands_below_it():
    text = "桌上压着一封信，末尾写着：“药在抽屉里，别忘了吃。——罗远。”"
    assert speaker(ZH, text, "药在抽屉里", "旅人") == "罗远"


def people(*texts):
    return FoundPeople.of(candidates(text) for text in texts).likely()


def test_a_person_goes_by_the_whole_name_that_a_story_gives_once():
    found = people(
        "“Juno Adair. I run this place.”",
        "Juno says nothing. Juno sighs.",
        "Juno nods. Mr. Adair laughs.",
    )
    assert found == ["Juno Adair"]


def test_who_is_named_beside_a_speech_is_a_person_at_once():
    assert people('"Broken," says Hattie. "So it is."', "It rains.") == ["Hattie"]
    assert people('"Twenty years," Dottie says. "I saw it."') == ["Dottie"]
    assert people("Autumn says nothing to me.") == []


def test_a_machine_named_in_capitals_is_a_person_where_it_speaks():
    assert people('"Captain on deck," ORACLE says.', '"I looked," says ORACLE.') == ["ORACLE"]
    assert people('"No," says THE sign.', "ORACLE hums. ORACLE is off.") == []


def test_a_bare_title_is_no_name():
    assert people(*['"Yes, Inspector," says Hattie. The Inspector nods.'] * 3) == ["Hattie"]


def test_behind_a_bracket_a_clause_begins():
    assert "老吴" in people("（门铃响了）老吴嚷嚷道：“来了！”", "老吴笑呵呵地说：“哟。”")


def test_a_title_behind_a_family_name_means_its_one_member():
    names = story_names(["宋怀民", "罗远"], "旅人")
    assert names.who("宋师傅") == "宋怀民"
    assert names.who("老宋") == "宋怀民"
    two = story_names(["宋怀民", "宋小桥"], "旅人")
    assert two.who("宋师傅") == "宋师傅", "of two nobody is meant"


def test_a_word_that_stands_small_beside_it_is_no_name():
    assert people(*['"Ten days," says Ann. It was ten days ago. "Ten," says Ann.'] * 3) == ["Ann"]


def test_a_name_alone_that_was_never_told_before_is_the_speakers():
    text = 'A big man turns from the stove. "So this is the plumber! Hobson. She\'s my ship."'
    told = [("Narrator", "Hobson nods. He shuts the hatch."), ("Narrator", "Hobson sits. He hums.")]
    read, _findings, _spent = read_all([EN[0], ("Narrator", text), *told, *EN], "Traveller")
    assert next(c.speaker for c in read[1].lines if "plumber" in c.quote) == "Hobson"


def test_a_name_repeated_as_a_whole_behind_a_tag_is_the_speakers():
    text = '"Sable," the woman whispers. "Sable Quist. I was the medic."'
    told = [("Narrator", "Sable nods. She shuts the hatch."), ("Narrator", "Sable Quist sits.")]
    read, _findings, _spent = read_all([*EN, ("Narrator", text), *told, *told], "Wanderer")
    assert {c.speaker for c in read[4].lines if c.how == "said"} == {"Sable Quist"}


def test_who_is_written_to_is_he_where_a_woman_names_nobody_else():
    told = [("Marian", "*Marian shuts the door. She waits. He is late, and he knows it.*")]
    told += [("Rolf", "I come in."), ("Marian", "*She smiles at him. He has brought his coat.*")]
    names = story_names(("Marian", "Rolf"), "Rolf")
    assert genders(told * 2, names, ["Marian"]) == {"Marian": "f", "Rolf": "m"}


@pytest.mark.parametrize(
    ("said", "player"),
    [
        ('"Yes, miss." *He rows back.* "I did not say so, Miss Adaley."', "f"),
        ('"No, sir."', "m"),
        ('"Miss her? I miss the sea." *He nods, sir or no sir.*', None),
        ('"You\'re the new girl." *To the harbour master:* "No, sir."', "f"),
        ("“你这小子胆子不小。”", "m"),
    ],
)
def test_who_is_called_miss_by_the_only_card_is_a_woman(said, player):
    told = [("Captain", f"*He ships the oars.* {said}"), ("Wren", "I thank him, sir.")]
    known = genders(told, story_names(("Captain", "Wren"), "Wren"), ["Captain"])
    assert known.get("Wren") == player


def test_of_two_captains_the_captain_is_the_one_who_speaks():
    told = [
        ("Narrator", f"Captain {name} shuts the door. He has a lamp.") for name in ("Ames", "Zorn")
    ]
    told = [*told * 2, ("Narrator", 'Zorn turns. "Wait." "Pip," says the captain, "stop that."')]
    read, _findings, _spent = read_all(told, "Wren")
    spoken = [line.speaker for line in read[-1].lines if line.how == "said"]
    assert set(spoken) == {"Captain Zorn"}


def test_who_is_named_in_a_thought_does_not_think_it():
    told = [*ZH, ("江月", "“我再想想。”"), ("江月", "*心道：此事蹊跷，罗远为何急着走？*")]
    read, _findings, _spent = read_all(told, "江月")
    assert [(line.how, line.speaker) for line in read[-1].lines][:1] == [("thought", "江月")]


def test_a_title_before_a_name_tells_whether_it_is_a_woman():
    names = story_names(["Quill", "Marrow", "Voss"], "Wren")
    told = [("Harbour", "“Good day, Mr. Quill.” Mrs. A. Marrow bows. A lady. Voss sits.")]
    assert genders(told, names) == {"Quill": "m", "Marrow": "f"}


def test_a_pronoun_behind_a_verb_says_nothing_of_its_subject():
    told = [("旁白", "江映雪没有接他的话。"), ("旁白", "“江师妹，请。”")]
    assert genders(told, story_names(("江映雪", "楚照"), "楚照")) == {"江映雪": "f"}


def test_the_pronoun_after_a_subject_tells_whether_it_is_a_woman():
    names = story_names(["Tamsin", "Hollis"], "Imre")
    told = [
        ("Narrator", "Tamsin holds the lamp while he peers in. She is cold."),
        ("Narrator", 'Hollis smiles at her. He bows.\n"Well?" she asks.'),
    ]
    assert genders(told, names) == {"Tamsin": "f", "Hollis": "m"}


@pytest.mark.parametrize(
    ("text", "words", "who"),
    [
        # who is called by name answers: the pronoun that opens the next line means them
        ('"Well, Ser Ruben?" asks Marian.\n\n*He shrugs.* "It is late."', "It is late", "Ruben"),
        # who acts is somebody without a name, and nobody of the story speaks
        (
            '*The fool walks in on his hands.*\n\n"Sound," *he announces.* "She will do."',
            "She will do",
            "",
        ),
        # a verb of saying leads it in: who is named behind it only listens
        (
            'Marian leaned close to Ruben and whispered softly, "I will stay." Ruben did not hear.',
            "I will stay",
            "Marian",
        ),
        # a boy is told of before, but the one who is named stands there
        (
            "*A boy sleeps under the table, and by the fire sat Ruben.*\n\n"
            '"Cold," *he says.* "Come in."',
            "Come in",
            "Ruben",
        ),
    ],
)
def test_a_line_is_of_the_one_it_tells_of(text, words, who):
    assert speaker(EN, text, words, "Wanderer") == who


@pytest.mark.parametrize(
    ("text", "words", "who"),
    [
        ("*门口一个胖乎乎的助理探进身子。*“哥，我罗远，水放哪儿？”", "水放哪儿", "罗远"),
        ("“罗远。”*窗边的高个子点点头。*“我是队长，有事找我。”", "有事找我", "罗远"),
        ("“师姐——”*是个十四五岁的小姑娘，撞开了门。*“我抓的！”", "我抓的", ""),
    ],
)
def test_who_is_new_is_the_name_they_give_or_nobody(text, words, who):
    assert speaker(ZH, text, words, "旅人") == who


def test_what_a_player_remarks_beside_the_story_is_said_by_nobody():
    attribution = Attribution("她推开门。((我去吃饭，回来再说。))", (), "旅人")
    assert attribution.of("我去吃饭，回来再说。") == SaidBy("no_story")
    assert attribution.of("她推开门。") == SaidBy("said", "旅人")


@pytest.mark.parametrize(
    ("text", "words", "who"),
    [
        # she who began the sentence before goes on, though it names another woman in a clause
        (
            "Anna is at the stove. Marian comes in. She waits until Anna is gone. Then she leans"
            ' over and says, "Ruben is back."',
            "Ruben is back",
            "Marian",
        ),
        # who acts behind “and” is told of
        (
            "Marian stands up. The door flies open and Ruben stumbles in. He drops a sack on the"
            ' floor. "There."',
            "There",
            "Ruben",
        ),
        # a noun behind a comma describes the person who came, and is nobody new
        (
            'Marian waits. By noon Ruben had come, a lean man with cold hands. "Well?" he asked.',
            "Well",
            "Ruben",
        ),
        ('Ruben waits, and behind him came a lean man. "Well?" the man asked.', "Well", ""),
    ],
)
def test_whom_a_pronoun_means_beside_clauses_about_others(text, words, who):
    anna = [("Narrator", "Anna nods. She laughs."), ("Narrator", "Anna waits. She yawns.")]
    assert speaker([*EN, *anna], text, words, "Max") == who


@pytest.mark.parametrize(
    ("text", "words", "who"),
    [
        # Ruben speaks first; Marian, who comes in after him, says the next line
        (
            '"Nothing," says Ruben. *There is a knock, and Marian puts her head in.*\n\n'
            '"You are wanted below."',
            "You are wanted",
            "Marian",
        ),
        (
            '"Nothing," says Ruben. *There is a knock, and Marian puts her book away.*\n\n'
            '"You are wanted below," he says.',
            "You are wanted",
            "Ruben",
        ),
        # a star behind a full stop ends a sentence
        (
            '*Ruben was taken away in his boots.* Marian sat by the fire, upright. "Yes."',
            "Yes",
            "Marian",
        ),
    ],
)
def test_who_speaks_after_somebody_came_in_or_behind_a_gesture(text, words, who):
    assert speaker(EN, text, words, "Max") == who
