"""A chat whose replies stand in markup, as many cards ask for: what is no story stays out."""

from __future__ import annotations

import re

import pytest

from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.recall.query import RecallQuery
from engram_desktop.jobs.context import NullContext
from tests.factories import import_chat, import_embedded, story_rows
from tests.stored import texts_of

CTX = NullContext()
REPLY = """<thinking>
旅人想要温柔的回应，先回顾银铃的设定。
</thinking>
<content>
{text}
</content>
<status>
好感度：{n}
地点：磨坊
</status>
<!-- 下次提灯塔 -->"""
STORY = (
    "第3天，清晨。爱丽丝把银铃挂在磨坊的门后。",
    "风很大，爱丽丝把窗子一扇一扇关上。",
    "爱丽丝压低声音，凑到旅人耳边：“银铃是我从钟楼里偷来的。”",
    "爱丽丝给炉子添了两块柴，坐下来织毯子。",
)


@pytest.fixture
def rows():
    said = []
    for n in range(24):
        said.append(("旅人", f"我第{n}次看向门口，雪还没有停。"))
        text = STORY[n] if n < len(STORY) else f"爱丽丝数到第{n}片雪花，把灯芯剪短了一点。"
        said.append(("爱丽丝", REPLY.format(text=text, n=n)))
    return said


@pytest.fixture
def chat(memory, rows, tmp_path):
    chat_id = import_chat(memory, tmp_path / "磨坊.jsonl", rows)
    memory.pipeline.summarise(CTX, Line.main(chat_id), None, "extractive")
    memory.index.embed_pending(CTX, chat_id)
    return chat_id


MARKUP = ("think", "content", "status", "好感度", "下次提灯塔", "温柔的回应", "<!--")


@pytest.mark.parametrize("actor", [None, "旅人"])
def test_a_prompt_quotes_the_story_alone(memory, chat, actor):
    made = memory.inject.compose(CTX, chat, RecallQuery("银铃挂在哪里？", actor=actor))
    assert "爱丽丝把银铃挂在磨坊的门后。" in made.text
    assert not [word for word in MARKUP if word in made.text]


def test_the_story_is_told_as_if_there_were_no_markup(memory, rows, chat, tmp_path):
    bare = [
        (name, text.split("<content>\n")[-1].split("\n</content>")[0]) if n % 2 else (name, text)
        for n, (name, text) in enumerate(rows)
    ]
    plain = import_chat(memory, tmp_path / "白.jsonl", bare)
    memory.pipeline.summarise(CTX, Line.main(plain), None, "extractive")
    told, as_plain = (
        [
            (e.summary, e.raw_data.timestamp)
            for e in memory.session.chat(one).events.at_floors("main", 0, 99)
        ]
        for one in (chat, plain)
    )
    assert told
    assert [when for _text, when in told] == [when for _text, when in as_plain]
    assert "第3天" in told[0][1]
    assert [text.replace("磨坊：", "") for text, _when in told] == [
        text.replace("磨坊：", "") for text, _when in as_plain
    ]


def test_what_asserts_something_is_read_where_it_stands_in_the_message(memory, rows, chat):
    claims = list(memory.findings.claims(CTX, Line.main(chat)))
    assert [c for c in claims if "银铃" in c.quote]
    for claim in claims:
        assert rows[claim.floor][1][claim.start : claim.end].strip() == claim.quote.strip()
        assert not [word for word in MARKUP if word in claim.quote]


def test_words_of_a_panel_are_found_where_no_story_has_them(memory, chat):
    (found,) = memory.search.find(CTX, "好感度").groups
    assert (found.kind, found.count) == ("message", 24)
    assert "好感度" in found.hits[0].passage.text
    story = [g for g in memory.search.find(CTX, "毯子").groups if g.kind == "message"]
    assert [g.count for g in story] == [1]


def test_a_message_that_is_nothing_but_a_panel_is_kept_as_it_is(memory, tmp_path):
    panel = "<status>\n好感度：3\n地点：磨坊\n</status>"
    chat = import_chat(memory, tmp_path / "栏.jsonl", [("旅人", "到了吗？"), ("爱丽丝", panel)])
    assert texts_of(memory, Line.main(chat), 0, 9) == ["到了吗？", panel]
    assert [g.count for g in memory.search.find(CTX, "好感度").groups] == [1]


def headed(count):
    """A story of our days, told in a time of its own: a day for each three replies."""
    for n in range(count):
        yield "旅人", f"我第{n}次看向门口，雪还没有停。"
        day = "一二三四五六七八九"[n // 3]
        panel = f"<status>\n⏰时间：永安三年五月初{day}·申时\n📍地点：磨坊\n</status>"
        yield "爱丽丝", f"{STORY[n % 4]}\n{panel}"


def test_a_status_bar_says_which_day_it_is_and_the_day_of_sending_is_not_told(memory, tmp_path):
    chat = import_chat(memory, tmp_path / "历.jsonl", headed(15))
    memory.pipeline.summarise(CTX, Line.main(chat), None, "extractive")
    memory.index.embed_pending(CTX, chat)
    told = memory.session.chat(chat).events.at_floors("main", 0, 99)
    assert told[0].raw_data.timestamp == "永安三年五月初一·申时"
    assert {event.raw_data.location for event in told} == {"磨坊"}
    text = memory.inject.compose(CTX, chat, RecallQuery("银铃挂在哪里？")).text
    assert "现在是第29楼 · 永安三年五月初五 · 申时 磨坊。" in text
    days = [line for line in text.splitlines() if line.startswith("永安三年五月初")]
    assert days[0] == "永安三年五月初一"
    assert len(days) == len(set(days)) > 1
    assert "2024" not in text
    there = memory.inject.compose(CTX, chat, RecallQuery("银铃挂在哪里？", actor="旅人")).text
    assert "现在是第29楼 · 永安三年五月初五 · 申时 磨坊。" in there
    assert "\n永安三年五月初一\n" in there


def test_who_asks_is_told_the_days_it_lived_through_and_no_others(memory, tmp_path):
    chat = import_embedded(memory, tmp_path / "历.jsonl", headed(15))
    messages = memory.messages.slice(Line.main(chat), 0, 29)
    # Of the second day only what the traveller said is known, and nothing that says the day.
    refs = [("turn", messages[floor].id) for floor in (1, 8)]
    memory.knowledge.say_known(Line.main(chat), refs, "陌生人", known=True)
    query = RecallQuery("银铃挂在哪里？雪停了吗？", actor="陌生人")
    text = memory.inject.compose(CTX, chat, query).text
    assert "现在是第29楼。" in text
    assert "爱丽丝把银铃挂在磨坊的门后" in text
    assert "我第4次看向门口" in text
    assert [line for line in text.splitlines() if line.startswith("永安")] == ["永安三年五月初一"]
    assert "2024" not in text


def test_a_prompt_tells_the_hour_and_the_place_of_a_heading_once(memory, tmp_path):
    rows = []
    for n in range(12):
        heading = f"【第{n // 4 + 1}天 周二 {18 + n % 4 // 2}:30 {'灯塔' if n == 3 else '磨坊'}】"
        said = f"爱丽丝把第{n}把铜钥匙挂在门后。"
        rows += [("旅人", f"我第{n}次看向门口。"), ("爱丽丝", f"{heading}\n{said}")]
    chat = import_embedded(memory, tmp_path / "题.jsonl", rows)
    text = memory.inject.compose(CTX, chat, RecallQuery("铜钥匙挂在哪里？")).text
    assert "【" not in text
    day = text.partition("\n第1天\n")[2].partition("\n第2天\n")[0]
    told = re.findall(r"(\[[^\]]*\] )?爱丽丝把第(\d)把", day)
    assert told == [("[周二 18:30 磨坊] ", "0"), ("", "1"), ("[19:30] ", "2"), ("[灯塔] ", "3")]
    held = memory.messages.slice(Line.main(chat), 1, 1)[0].text
    assert held == "【第1天 周二 18:30 磨坊】\n爱丽丝把第0把铜钥匙挂在门后。"
    memory.settings.set("inject.manner", "attributed")
    told = memory.inject.compose(CTX, chat, RecallQuery("铜钥匙挂在哪里？")).text
    assert "【第1天 周二 18:30 磨坊】" in told


@pytest.mark.parametrize(
    "form", ["第{d}天 傍晚 · {p}", "【第{d}天 傍晚 {p}】", "## 第{d}天，傍晚 — {p}"]
)
def test_a_heading_is_told_once_in_prompts_and_summaries_and_kept_in_messages(
    memory, tmp_path, form
):
    rows = []
    for n in range(12):
        heading = form.format(d=n // 4 + 1, p="磨坊")
        rows += [
            ("旅人", f"我第{n}次看向门口。"),
            ("爱丽丝", f"{heading}\n爱丽丝把第{n}把铜钥匙挂在门后。"),
        ]
    chat = import_chat(memory, tmp_path / "题.jsonl", rows)
    memory.pipeline.summarise(CTX, Line.main(chat), None, "extractive")
    memory.index.embed_pending(CTX, chat)
    events = memory.session.chat(chat).events.at_floors("main", 0, 99)
    assert not [e.summary for e in events if "傍晚" in e.summary or "磨坊" in e.summary]
    assert (events[0].raw_data.timestamp, events[0].raw_data.location) == ("第1天 傍晚", "磨坊")
    text = memory.inject.compose(CTX, chat, RecallQuery("铜钥匙挂在哪里？")).text
    day = text.partition("\n第1天\n")[2].partition("\n第2天\n")[0]
    assert "[傍晚 磨坊] 爱丽丝把第0把" in day
    assert day.count("磨坊") == 1
    held = memory.messages.slice(Line.main(chat), 1, 1)[0].text
    assert held == rows[1][1]


def test_a_heading_of_another_place_is_no_event_and_nothing_that_only_some_perceive(
    memory, tmp_path
):
    deeds = [
        "爱丽丝把铜钥匙交给旅人，说井盖已经松了。",
        "“别出声，巡逻队过来了。”凯尔压低声音，把灯吹灭。",
        "旅人推开门，发现地上有一封没拆的信。",
        "凯尔笑了笑，没有回答。",
    ]
    rows = []
    for n in range(24):
        place = ("磨坊", "后巷", "码头", "灯塔", "药铺")[n % 5]
        heading = f"【2024年3月{n // 10 + 1}日 周二 {8 + n % 10}:30 {place}】"
        rows += [("旅人", f"我第{n}次看向门口。"), ("爱丽丝", f"{heading}\n{deeds[n % 4]}")]
    line = Line.main(import_chat(memory, tmp_path / "题.jsonl", rows))
    memory.pipeline.summarise(CTX, line, None, "extractive")
    events = memory.session.chat(line.chat_id).events.at_floors("main", 0, 99)
    assert not [event.summary for event in events if "2024" in event.summary]
    places = {event.raw_data.location for event in events}
    assert {"磨坊", "后巷", "码头"} <= places
    floors = memory.knowledge.present(CTX, line, 0, 47)
    for floor in floors[1::2]:
        end = memory.messages.slice(line, floor.floor, floor.floor)[0].text.index("】") + 1
        assert not [part for part, _text in floor.parts if part.start < end]
    names = {person.name for floor in floors for person in floor.audience or ()}
    assert names == {"旅人", "爱丽丝", "凯尔"}


def with_status(count, form):
    for n in range(count):
        yield "旅人", f"我第{n}次看向门口。\n好感度：{n}\n心情：急"
        yield "爱丽丝", form.format(text=f"爱丽丝把第{n}把铜钥匙挂在门后。", n=n)


def test_status_lines_in_no_tag_are_not_quoted_but_for_the_hour_and_the_place(memory, tmp_path):
    form = "{text}\n\n---\n时间：傍晚\n地点：磨坊\n好感度：{n}"
    chat = import_embedded(memory, tmp_path / "栏.jsonl", with_status(12, form))
    text = memory.inject.compose(CTX, chat, RecallQuery("铜钥匙挂在哪里？")).text
    assert "[傍晚 磨坊] 爱丽丝把第0把铜钥匙挂在门后。" in text
    assert "现在是第23楼 · 傍晚 磨坊。" in text
    assert text.partition("以下是往事")[2].count("磨坊") == 1
    told = [line for line in text.splitlines() if "旅人" in line]
    assert all(f"好感度：{n} 心情：急" in "".join(told) for n in range(12))  # the player's own
    assert "铜钥匙挂在门后。 ---" not in text
    held = memory.messages.slice(Line.main(chat), 1, 1)[0].text
    assert held == form.format(text="爱丽丝把第0把铜钥匙挂在门后。", n=0)


def test_lines_that_a_reply_has_once_are_quoted(memory, tmp_path):
    rows = list(with_status(12, "{text}"))
    rows[5] = ("爱丽丝", "告示上写着，码头见。\n\n日期：明天\n地点：码头\n天气：小雨")
    chat = import_embedded(memory, tmp_path / "栏.jsonl", rows)
    text = memory.inject.compose(CTX, chat, RecallQuery("告示上写着什么？")).text
    assert "日期：明天 地点：码头 天气：小雨" in text


def test_a_date_in_a_list_is_not_the_day_of_the_story(memory, tmp_path):
    rows = story_rows(40)
    rows[31] = ("爱丽丝", "启程的安排：\n日期：3月5日\n地点：码头")
    chat = import_embedded(memory, tmp_path / "表.jsonl", rows)
    text = memory.inject.compose(CTX, chat, RecallQuery("铜钥匙")).text
    assert not [line for line in text.splitlines() if line == "3月5日"]
