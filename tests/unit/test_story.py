"""The bundled story is what its list of planted facts says it is."""

import json
from collections import Counter
from pathlib import Path

from engram_desktop.formats.chat_files import read_chat

STORY = Path(__file__).parents[2] / "resources" / "story"
FACTS = json.loads((STORY / "facts.json").read_text("utf-8"))


def messages():
    return list(read_chat(STORY / "月光酒馆.jsonl").messages())


def test_story_reads_without_a_warning():
    chat = read_chat(STORY / "月光酒馆.jsonl")
    assert chat.warnings == ()
    assert 130 <= chat.count <= 160
    assert chat.user_name == "旅人"
    assert chat.characters[0] == "爱丽丝"
    assert len(chat.characters) >= 5
    assert (chat.hidden, chat.swiped) == (1, 2)
    assert any(m.role == "system" and not m.is_hidden for m in chat.messages())


def test_times_only_go_on():
    times = [message.sent_at for message in messages()]
    assert None not in times
    assert times == sorted(times)


def test_every_fact_stands_where_it_is_said_to():
    told = messages()
    assert 20 <= len(FACTS["facts"]) <= 30
    assert max(Counter(fact["id"] for fact in FACTS["facts"]).values()) == 1
    for fact in FACTS["facts"]:
        text = "".join(told[floor].text for floor in fact["floors"])
        for word in fact["keywords"]:
            assert word in text, fact["id"]
        assert fact["question"].endswith("？")


def test_what_a_rejected_swipe_says_is_said_nowhere_else():
    told = messages()
    for rejected in FACTS["rejected"]:
        row = json.loads(told[rejected["floor"]].raw)
        other = [text for n, text in enumerate(row["swipes"]) if n != row["swipe_id"]]
        assert row["swipes"][row["swipe_id"]] == told[rejected["floor"]].text
        for word in rejected["words"]:
            assert any(word in text for text in other)
            assert not any(word in message.text for message in told)


def test_kyle_never_hears_where_the_key_came_from():
    for message in messages():
        if message.name == "凯尔":
            assert "铜钥匙" not in message.text
            assert "座钟" not in message.text
