"""Events without a model."""

from __future__ import annotations

import json
from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engram_desktop.domain.graph.entity import is_entity_name
from engram_desktop.domain.memory.event import EventQuery, SourceRange
from engram_desktop.domain.memory.extraction import ExtractedEntity, parse_extraction
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.memory.message import Message, Role, swipe_hash
from engram_desktop.domain.text.cleaning import is_page
from engram_desktop.jobs.context import NullContext
from engram_desktop.services import extractive
from engram_desktop.services.extractive.background import background
from engram_desktop.services.extractive.events import scenes
from engram_desktop.services.extractive.names import english_kind, persons, places
from engram_desktop.services.extractive.people import handled
from engram_desktop.services.extractive.pick import cut_messages
from engram_desktop.services.extractive.words import Cutter, english, opening_day, units
from tests.bundled_story import STORY, extract_all, story
from tests.factories import import_chat, make_extraction
from tests.programs import ROOT, run_python

# Memories without a model: they tell, attribute, name what is certain, and nothing else.

FACTS = json.loads((STORY / "facts.json").read_text("utf-8"))


def say(*rows, role="assistant", start=0, sent_at=None):
    """Messages from (name, text) or (name, text, role)."""
    found = []
    for seq, (name, text, *rest) in enumerate(rows, start=start):
        who: Role = rest[0] if rest else ("user" if name in {"旅人", "Traveler"} else role)
        found.append(
            Message(f"m{seq}", "main", seq, name, who, text, False, swipe_hash(name, text), sent_at)
        )
    return found


@pytest.fixture(scope="module")
def events():
    return extract_all(story())


def names(event, kind):
    return {entity.name for entity in event.entities if entity.type == kind}


def test_events_cover_the_story_in_order_and_without_gaps(events):
    ranges = [source for _, source in events]
    assert ranges[0].start_index == 0
    assert ranges[-1].end_index == len(story()) - 1
    for before, after in pairwise(ranges):
        assert after.start_index == before.end_index + 1
    assert 7 <= len(events) <= 3 * 7


def test_every_planted_fact_is_near_an_event_that_tells_it(events):
    told = 0
    for fact in FACTS["facts"]:
        texts = [
            event.summary + event.details
            for event, source in events
            if any(source.start_index <= floor <= source.end_index for floor in fact["floors"])
        ]
        told += any(word in text for text in texts for word in fact["keywords"])
    assert told >= 0.65 * len(FACTS["facts"])


def test_rejected_swipes_are_never_remembered(events):
    everything = " ".join(json.dumps(e.to_json(), ensure_ascii=False) for e, _ in events)
    for rejected in FACTS["rejected"]:
        for words in rejected["words"]:
            assert words not in everything


def test_every_quotation_stands_in_the_story(events):
    """Quotes are verbatim; narration differs only by names in the place of pronouns."""
    text = "".join(m.text for m in story()).replace("*", "").replace("\n", "")
    for event, _ in events:
        for quote in f"{event.summary}{event.details}".split("说：“")[1:]:
            first = quote.split("。")[0].split("”")[0].strip("‘’“”")
            if first not in text:
                pytest.fail(f"not in the story: {first}")


def test_days_and_hours_follow_the_story(events):
    days = [event.timestamp for event, _ in events]
    assert days[0] == "第35天 傍晚"
    assert days[-1] == "第42天 傍晚"
    numbers = [int(day[1:3]) for day in days]
    assert numbers == sorted(numbers)
    assert set(numbers) == set(range(35, 43))


def test_people_places_and_things_are_entities(events):
    people = set().union(*(names(event, "char") for event, _ in events))
    places = set().union(*(names(event, "loc") for event, _ in events))
    items = set().union(*(names(event, "item") for event, _ in events))
    assert {"旅人", "爱丽丝", "凯尔", "莉莉丝", "奥古斯", "诺亚", "马洛", "维克多"} <= people
    assert {"月光酒馆", "水族馆", "旧城墙", "王立图书馆", "北门集市"} <= places
    assert {"铜钥匙", "汐湾潮汐志"} <= items
    assert not {"鼻尖", "手背", "后颈"} & items  # taken by the hand, but parts of a body
    assert "旁白" not in people


def test_the_pets_that_are_introduced_by_name_are_known(events):
    people = set().union(*(names(event, "char") for event, _ in events))
    assert {"汤圆", "当归"} <= people


def test_no_pronoun_or_kin_word_is_an_entity(events):
    for event, _ in events:
        assert all(is_entity_name(entity.name) for entity in event.entities)


def test_every_event_survives_the_parser_of_model_answers(events):
    rows = [event.to_json() for event, _ in events]
    parsed = parse_extraction({"events": rows[:24]})
    assert parsed.faults == ()
    assert parsed.events == tuple(event for event, _ in events[:24])


def test_relations_name_entities_of_the_same_event(events):
    for event, _ in events:
        known = {entity.name for entity in event.entities}  # another would be of no kind
        for relation in event.relations:
            assert {relation.subject, relation.object} <= known
            assert relation.subject != relation.object


def test_who_goes_to_a_room_that_everybody_has_makes_no_entity():
    messages = say(
        ("旅人", "*我看着她。* “早。合同你昨天看完了吗？”"),
        ("爱丽丝", "*爱丽丝走进办公室。* “看完了，第三条必须改掉，否则我不签。”"),
        ("旅人", "*我点头。* “那就改。中午去月光酒馆谈。”"),
        ("爱丽丝", "*爱丽丝来到月光酒馆。* “老板答应把价钱降到三百枚银币。”"),
    )
    told = extractive.extract(messages, background=extractive.background(messages))
    gone_to = {relation.object for event, _ in told for relation in event.relations}
    assert "月光酒馆" in gone_to
    assert "办公室" not in gone_to


@pytest.mark.e2e
def test_same_input_gives_the_same_events_in_every_process():
    code = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from tests.bundled_story import extract_all, story\n"
        "print(ascii([(e.to_json(), r) for e, r in extract_all(story())]))"
    )
    environ = {"SYSTEMROOT": "C:\\Windows"}
    outputs = {
        run_python(code, ROOT, check=True, cwd=ROOT, env=environ | {"PYTHONHASHSEED": seed}).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1


def test_speaker_is_named_and_pronouns_become_names():
    rows = [
        ("爱丽丝", "*她把铜钥匙交给你。*“不要告诉凯尔，这是我们的秘密。”"),
        ("旅人", "*我把铜钥匙收进口袋。*“我答应你。”"),
    ] * 3
    [(event, _)] = extract_all(say(*rows))
    assert event.summary == (
        "爱丽丝把铜钥匙交给旅人，说：“不要告诉凯尔，这是我们的秘密。”"
        "旅人把铜钥匙收进口袋，说：“我答应你。”"
    )


def test_brackets_are_gestures_of_the_speaker():
    [(event, _)] = extract_all(
        say(
            ("秦渊", "（站起身，整理了一下衣服，目光坚定）我决定明天去北京工作。"),
            ("旅人", "（点头"),
        )
    )
    assert "决定明天去北京工作。" in event.summary
    assert "（" not in event.summary + event.details


def test_english_chat():
    [(event, source)] = extract_all(
        say(
            ("Traveler", "Hi! What did you do yesterday?"),
            ("Alice", "I stole a copper key from my father's study. Please never tell Kyle!"),
            ("Traveler", "I promise. Let's ask Victor in Boston. Did Victor say anything?"),
            ("Alice", "*smiles and hides the key* We should visit Boston with Victor, said he."),
        )
    )
    assert "Alice says: “I stole a copper key from my father's study." in event.summary
    assert "Please never tell Kyle!”" in event.summary
    assert (source.start_index, source.end_index) == (0, 3)
    assert {"Alice", "Traveler"} <= names(event, "char")
    assert any(r.predicate == "talks with" for r in event.relations)


def test_an_ellipsis_stands_only_where_something_is_left_out():
    near = "“I gave the brass key to Tobin. The gate of the tower opens tonight at ten.”"
    far = "“我把铜钥匙交给了旅人。嗯。那里藏着父亲的银怀表。”"
    ((event, _span),) = extract_all(say(("Alice", near), ("Tobin", "“Fine.”")))
    assert event.summary == f"Alice says: {near}"
    ((event, _span),) = extract_all(say(("爱丽丝", far), ("旅人", "“好。”")))
    assert event.summary == f"爱丽丝说：{far.replace('嗯。', '……')}"


def test_notices_are_left_out_and_hidden_story_is_not():
    hidden = Message(
        "h", "main", 1, "莉莉丝", "assistant", "我以前在医学院读书，后来被除了名。", True, "x", None
    )
    notice = Message("n", "main", 2, "System", "system", "Welcome to the program!", True, "y", None)
    [first] = say(("爱丽丝", "欢迎来到月光酒馆，我是老板娘爱丽丝。"))
    [(event, _)] = extract_all([first, hidden, notice])
    assert "医学院" in event.summary
    assert "Welcome" not in str(event.to_json())


def test_nothing_said_gives_no_event():
    assert extract_all(say(("爱丽丝", "嗯。"), ("旅人", "……"), ("爱丽丝", ""))) == []
    assert extractive.extract([], background=extractive.background([])) == []


def test_long_pause_begins_a_new_scene():
    day = 86_400_000
    first = say(*[("爱丽丝", f"今天我们去水族馆看了第{n}只企鹅。") for n in range(5)], sent_at=day)
    second = say(
        *[("爱丽丝", f"今天我们在酒馆烤了{n}块面包。") for n in range(5)], start=5, sent_at=3 * day
    )
    events = extract_all(first + second)
    assert [(s.start_index, s.end_index) for _, s in events] == [(0, 4), (5, 9)]
    assert [e.timestamp for e, _ in events] == ["", ""]  # days of sending are no story time


def test_one_character_apart_is_somebody_else():
    rows = [
        ("莉莉丝", "莉莉娅和我都在药铺，莉莉娅说她要去图书馆。"),
        ("莉莉娅", "是的，我去图书馆。"),
    ]
    [(event, _)] = extract_all(say(*rows * 3))
    assert {"莉莉丝", "莉莉娅"} <= names(event, "char")


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("第42天，深夜。", ("第42天", "深夜")),
        ("*第三十天的清晨，雾很大。*", ("第三十天", "清晨")),
        ("第二天早上，他醒了。", ("", "")),
        ("“第34天的夜里，我偷了钥匙。”", ("", "")),
        ("午后，凯尔来了。", ("", "午后")),
        ("早上好，凯尔。", ("", "")),
        ("12月24日 晚上，下雪了", ("12月24日", "晚上")),
        ("冬至前夜，最低潮。", ("冬至", "")),
        ("我想在冬至那天去看企鹅", ("", "")),
        ("Day 12, evening. Rain.", ("Day 12", "evening")),
        ("Hello there.", ("", "")),
    ],
)
def test_beginning_of_a_message_sets_the_day(text, day):
    assert opening_day(text) == day


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("*她笑了。*“你好。”", [("她笑了。", False), ("你好。", True)]),
        ("（摇头（手腕被扣住", [("摇头", False), ("手腕被扣住", False)]),
        ("你好呀", [("你好呀", True)]),
        ("他说：“走吧。”然后走了。", [("他说：", False), ("走吧。", True), ("然后走了。", False)]),
        ("*门上挂着“打烊”的木牌。*", [("门上挂着“打烊”的木牌。", False)]),
        ('"Stop." She ran.', [("Stop.", True), ("She ran.", False)]),
        ("“没有结尾\n下一行", [("没有结尾", True), ("下一行", False)]),
        ("It is 3.5 km. Go!", [("It is 3.5 km. Go!", True)]),
    ],
)
def test_speech_and_action_are_told_apart(text, expected):
    found = units(text, is_narrator=False, language="zh")
    assert [(unit.text, unit.is_speech) for unit in found] == expected


def test_capitals_inside_sentences_are_names():
    tags = {word.text: word.tag for word in english("Yesterday I met Victor. Then Boston? I see.")}
    assert tags["Victor"] == "En"
    assert tags["Then"] == "en"


_PAGE = """Here is a plan with Jessica in mind.

### Final Thoughts

1. **Ensure Compliance and Outsource**: talk with Jessica, then use the list.
- **Stress Management**: Ensure Jessica said yes before Fridays end.

Use it well, and ensure that Jessica's team can use it."""


def test_headings_and_labels_of_lists_are_no_people():
    rows = [
        (name, text)
        for _n in range(6)
        for name, text in (("Traveler", "I asked Jessica"), ("AI", _PAGE))
    ]
    assert background(say(*rows)).named == {"Jessica": "char"}


def test_cutter_never_cuts_a_name():
    words = Cutter({"爱丽丝": "nr", "小群": "nr"}).words("小群和爱丽丝去了月光酒馆")
    assert [word.text for word in words][:3] == ["小群", "和", "爱丽丝"]


@settings(max_examples=25, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["旅人", "爱丽丝", "A\\1", "", "我", "User"]),
            st.text(max_size=80)
            | st.text(alphabet="她他我你*“”（）。！？我去酒馆《》的 \n", max_size=80),
        ),
        max_size=12,
    )
)
def test_any_messages_give_sound_events(rows):
    messages = say(*rows)
    for event, source in extract_all(messages):
        assert event.summary
        assert 0 <= source.start_index <= source.end_index < len(messages)
        assert 0 <= event.significance_score <= 1
        json.dumps(event.to_json(), allow_nan=False)


def test_a_long_block_is_three_scenes_for_every_25_messages():
    """However much is said: more would be a card for every few words."""
    said = "我们在渡口看了一会儿灯，又去听雨楼喝了一壶很烫的茶。" * 20
    messages = say(*[("爱丽丝", f"{said}第{n}天。") for n in range(200)])
    facts = extractive.background(messages)
    assert len(scenes(cut_messages(messages, facts), facts)) == 24


# What cards, worldbooks and the graph call things is whole in the events of a chat.

CTX = NullContext()
ROWS = [
    ("白露", "*第3天，清晨。神里绫华大人在璃月港的万民堂门口等着。*“她带来了一封信。”"),
    ("旅人", "*我接过神里绫华大人的信。*“我们去万民堂坐下说吧。”"),
    ("白露", "“神里绫华大人说，信里藏着璃月港的地图。”"),
]


def test_keys_of_a_worldbook_are_never_cut_in_two(memory, tmp_path):
    chat_id = import_chat(memory, tmp_path / "白露.jsonl", ROWS)
    keys = (["神里绫华"], ["璃月港"], ["万民堂", "/堂|馆/i"], ["大人"])
    entries = {
        str(n): {"uid": n, "key": key, "comment": "", "content": "…", "order": 100}
        for n, key in enumerate(keys)
    }
    worldbook = tmp_path / "提瓦特.json"
    worldbook.write_text(json.dumps({"entries": entries}), encoding="utf-8")
    memory.imports.import_file(CTX, worldbook)
    (row,) = memory.worldbooks.all()
    memory.worldbooks.set_in_chat(row.id, chat_id, is_on=True)
    memory.pipeline.summarise(CTX, Line.main(chat_id), (0, 2), "extractive")
    [event] = memory.events.fetch(chat_id, list(memory.events.find(chat_id, EventQuery()))).values()
    named = {entity.name: entity.type for entity in event.raw_data.entities}
    assert named["神里绫华"] == "char"
    assert {"璃月港", "万民堂"} <= {name for name, kind in named.items() if kind == "loc"}
    assert "大人" not in named
    assert event.raw_data.timestamp == "第3天 清晨"


def test_what_the_graph_knows_is_a_name_of_the_chat(memory, tmp_path):
    chat_id = import_chat(memory, tmp_path / "白露.jsonl", ROWS)
    told = make_extraction(
        "神里绫华来过。",
        entities=(ExtractedEntity("神里绫华", "char"), ExtractedEntity("璃月港", "loc")),
    )
    memory.events.add(Line.main(chat_id), told, SourceRange(0, 0))
    memory.pipeline.consolidate(CTX, Line.main(chat_id))
    memory.pipeline.summarise(CTX, Line.main(chat_id), (0, 2), "extractive")
    events = memory.events.fetch(chat_id, list(memory.events.find(chat_id, EventQuery()))).values()
    [event] = [e for e in events if e.extractor == "extractive" and not e.level]
    assert {"神里绫华", "璃月港"} <= {entity.name for entity in event.raw_data.entities}


# Names that words of a text may be.


def test_the_first_half_of_a_place_hides_no_name_behind_it():
    words = Cutter().words("王立图书馆里，艾琳笑了。")
    assert list(persons(words, {"艾琳", "王立"})) == [("艾琳", True, True)]


def test_words_that_the_dictionary_has_as_names_are_people_only_where_they_begin_and_act():
    rows = [("旅人", f"{who}闻言冷笑道：“你也配？”") for who in ("掌柜", "老者", "道士", "侍卫")]
    rows += [("旅人", f"他把那枚玉佩{does}。") for does in ("收回袖中", "放下", "挂在腰间")]
    rows += [("旅人", f"陆川{does}。") for does in ("看了看门外", "走进来", "说他明白", "不说话")]
    assert background(say(*rows)).named == {"陆川": "char"}


def test_a_place_cut_together_with_the_word_before_it_is_that_place():
    rows = ("她昨儿在翊坤宫外头转悠。", "昨夜是翊坤宫的人来过，入内门时天黑。")
    told = say(*(("旅人", row) for row in rows))
    found = [background(told).cutter.words(message.text) for message in told]
    assert [places(words, background(told).gazetteer) for words in found] == [["翊坤宫"]] * 2


@pytest.mark.parametrize(
    ("name", "contexts", "kind"),
    [
        ("Mira", {("", "said"): 1, ("", "and"): 2}, "char"),  # a third of the times is enough
        ("Mira", {("", "said"): 1, ("", "and"): 3}, ""),
        ("Mira", {("", "said"): 1}, ""),  # once is chance
        ("Ardel", {("in", ""): 2, ("", "said"): 1}, ""),
        ("Ardel", {("in", ""): 3, ("", "said"): 1}, "loc"),
        ("Silver Key", {("the", ""): 2}, "item"),
        ("Captain Ruo", {("", ""): 1}, "char"),
    ],
)
def test_what_an_english_name_names_is_told_by_what_is_around_it(name, contexts, kind):
    assert english_kind(name, Counter(contexts)) == kind


def test_a_nickname_that_others_call_somebody_is_no_other_person():
    rows = [("Caroline", "Hey Mel! How was your day?"), ("Melanie", "Long. I met Vic.")]
    rows += [("Caroline", "That is great to hear, thanks Mel."), ("Melanie", "Vic loves it.")]
    known = background(say(*rows * 4))
    assert known.forms == {"Mel": "Melanie"}
    assert "Mel" not in known.named
    talked_of = [
        ("Victor", "I asked him."),
        ("Caroline", "I asked Vic about MOBAs. I met Vic at noon."),
    ]
    assert "Vic" in background(say(*talked_of * 3)).named


def test_a_word_with_accents_is_one():
    words = [word.text for word in Cutter().words("At the Café Brûlot Zoë met Renée.")]
    assert words == ["At", "the", "Café", "Brûlot", "Zoë", "met", "Renée"]


def test_what_an_assistant_lists_is_nobody():
    page = (
        "## Plan\n\n1. **Final Review**: met with Kimberly.\n2. **Setup**: install what is listed."
        "\n3. **Test**: go through every step again, in order, and write down what was changed."
        "\n\nProgress Notes and Open Items help."
    )
    page += " Paul Hale said that Flask tells Kimberly. Ask Paul Hale."
    told = "I met Kimberly at noon. Kimberly said that Netflix and Flask help."
    named = background(say(*[("Assistant", page), ("User", told)] * 3)).named
    assert {name for name, kind in named.items() if kind == "char"} == {"Kimberly"}


def test_a_reply_that_ends_in_choices_is_no_page():
    story = (
        "## 第三章\n\n沈砚推开门，雨声一下子涌了进来。他看了看四周，把灯放在桌上，没有说话。\n\n"
    )
    assert not is_page(f"{story}1. 追上去\n2. 留下来")
    assert is_page(
        "## 方案\n\n如下：\n\n1. **准备**：列出清单，逐项检查。\n2. **执行**：按顺序完成。"
    )


def test_people_of_a_chat_with_an_assistant_are_those_the_player_tells_of(memory, tmp_path):
    page = "## Next steps\n\n1. **Setup**: install what is listed.\n2. **Test**: go on, in order."
    page += "\n\nFlask handles it and tells you. Spotify helped us."
    told = "Kimberly said she will help me. I met Kimberly at noon."
    chat_id = import_chat(memory, tmp_path / "help.jsonl", [("旅人", told), ("AI", page)] * 8)
    memory.pipeline.summarise(CTX, Line.main(chat_id), (0, 15), "extractive")
    memory.pipeline.consolidate(CTX, Line.main(chat_id))
    named = memory.graph.find_entities(Line.main(chat_id))
    assert {entity.name for entity in named if entity.type == "char"} == {"旅人", "AI", "Kimberly"}


def test_a_name_may_look_like_a_group_of_a_pattern():
    rows = [("A\\1", "“我们走吧，你别怕。”"), ("旅人", "“我陪你去，我们一起。”")] * 4
    messages = say(*rows)
    assert extractive.extract(messages, background=extractive.background(messages))


def test_what_is_authentic_is_no_tunnel_and_a_number_of_things_is_no_thing():
    told = say(("旅人", "这家店的菜更地道，我们穿过地道去吃。"))
    cutter, gazetteer = background(told).cutter, background(told).gazetteer
    assert places(cutter.words(told[0].text), gazetteer) == ["地道"]
    assert list(handled(cutter.words("他买一辆车，递给我一串铜钥匙。"))) == ["铜钥匙"]
