"""Chats in other languages than Chinese and English: quoted, not reported."""

from __future__ import annotations

import pytest

from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.memory.message import Message, swipe_hash
from engram_desktop.domain.recall.query import RecallQuery
from engram_desktop.jobs.context import NullContext
from engram_desktop.services import extractive
from tests.factories import import_chat
from tests.stored import stored_events

CTX = NullContext()
JAPANESE = [
    ("太郎", "昨日の夜、灯台で銀の鍵を見つけたんだ。{0}番目の部屋だった。"),
    ("桜子", "*桜子は鍵を受け取り、じっと見つめた。* 「祖父の書斎の鍵よ。{0}年前になくしたの。」"),
    ("太郎", "じゃあ、明日一緒に書斎へ行こう。約束だよ。"),
    ("桜子", "「うん、約束する。でも健一には言わないでね。」"),
]
FRENCH = [
    ("Paul", "J'ai trouvé une clé d'argent près du phare hier soir, dans la chambre {0}."),
    ("Marie", "*Marie lève la tête, surprise.* « C'est la clé du bureau de mon grand-père. »"),
    ("Paul", "Allons-y demain, je te le promets."),
    ("Marie", "« Ne le dis à personne, surtout pas à Henri. »"),
]


def make_stored(text):
    return Message("m", "main", 0, "Ann", "user", text, False, swipe_hash("Ann", text), None)


def story(rows):
    return [(name, text.format(n)) for n in range(8) for name, text in rows]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("爱丽丝把铜钥匙交给了旅人。", True),
        ("She smiled and gave him the key, and then she went to the sea with her dog again.", True),
        ("Key. Lamp.", True),
        (JAPANESE[0][1], False),
        (" ".join(text for _name, text in FRENCH), False),
        ("Вчера вечером я нашёл у маяка серебряный ключ.", False),
        ("어젯밤 등대에서 은열쇠를 찾았어.", False),
    ],
)
def test_only_chinese_and_english_narration_gets_names(text, expected):
    said = [make_stored(text)]
    assert extractive.background(said).is_zh_or_en is expected


@pytest.mark.parametrize(
    ("rows", "spoken", "foreign"),
    [
        (JAPANESE, "太郎「じゃあ、明日一緒に書斎へ行こう。約束だよ。」", ("说", "还", "自己")),
        (FRENCH, "Marie: “C'est la clé du bureau de mon grand-père.”", (" says", " also", "tells")),
    ],
)
def test_what_is_said_in_another_language_is_quoted(memory, tmp_path, rows, spoken, foreign):
    chat_id = import_chat(memory, tmp_path / "chat.jsonl", story(rows))
    memory.pipeline.summarise(CTX, Line.main(chat_id), None, "extractive")
    events = stored_events(memory, chat_id).values()
    summaries = " ".join(event.summary for event in events)
    assert spoken in summaries
    assert not [word for word in foreign if word in summaries]


def test_the_prompt_of_a_japanese_chat_is_japanese(memory, tmp_path):
    chat_id = import_chat(memory, tmp_path / "chat.jsonl", story(JAPANESE))
    memory.pipeline.summarise(CTX, Line.main(chat_id), None, "extractive")
    text = memory.inject.compose(CTX, chat_id, RecallQuery("銀の鍵はどこにあった？"), 1_000).text
    assert "今はフロア31。以下は過去の出来事。" in text
    assert "これまでの物語。" in text
    assert "灯台で銀の鍵を見つけた" in text
    assert "楼" not in text
