"""The search over a library, and a chat as a whole."""

from __future__ import annotations

import json
import re
import shutil
import sys
import unicodedata
from dataclasses import replace

import pytest

from engram_desktop.domain.errors import InputError
from engram_desktop.domain.memory.event import (
    EventCounts,
    EventPatch,
    EventQuery,
    LogPatch,
    SourceRange,
)
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.overview import MemoryProgress, Overview, next_step
from engram_desktop.domain.pipeline.usage import DayUsage
from engram_desktop.domain.search import holds, parse
from engram_desktop.domain.text.tokens import estimate_tokens
from engram_desktop.jobs.context import NullContext
from engram_desktop.places import resource
from engram_desktop.services.demo import run_demo
from engram_desktop.services.overview import best_spread
from engram_desktop.services.search import has_states, names_wanted
from engram_desktop.storage.chat.recall.found import _MARKS
from tests.cards import V2, png, text
from tests.factories import (
    import_chat,
    make_extraction,
    model_at,
    open_keyless,
    set_all,
    write_chat,
)

# The search over the whole library: what is found, where, and by whom.

CTX = NullContext()
ROWS = [
    ("旅人", "早上好，爱丽丝。"),
    ("爱丽丝", "铜钥匙在月光酒馆的座钟里。"),
    ("旅人", "The old keys, then?"),
    ("爱丽丝", "（心想：国王就是蒙面人。）雨停了。"),
]


@pytest.fixture
def chat(memory, tmp_path):
    return import_chat(memory, tmp_path / "月光.jsonl", ROWS)


@pytest.fixture
def line(memory, chat):
    line = Line.main(chat)
    pk, _changes = memory.events.add(line, make_extraction(), SourceRange(0, 1))
    memory.events.set_archived(CTX, chat, [pk], archived=True)
    memory.events.add(
        line,
        make_extraction("雨夜，旅人到了。", keywords=(), entities=(), relations=()),
        SourceRange(2, 3),
    )
    memory.logs.add(
        line, LogPatch(owner="爱丽丝", content="我后悔了。", source_range=SourceRange(1, 1))
    )
    return line


@pytest.fixture
def search(memory, line):
    def find(text, **more):
        result = memory.search.find(CTX, text, **more)
        return {g.kind: [_words(hit) for hit in g.hits] for g in result.groups}

    return find


def _words(hit):
    return [side.text[start:end] for side in (hit.title, hit.passage) for start, end in side.marks]


def book(memory, tmp_path):
    entries = {
        "0": {"uid": 0, "key": ["酒馆"], "content": "月光酒馆有座钟。", "constant": True},
        "1": {"uid": 1, "key": ["国王"], "content": "国王住在北方。", "comment": "国王"},
    }
    path = tmp_path / "设定.json"
    path.write_text(json.dumps({"entries": entries}, ensure_ascii=False), "utf-8")
    memory.worldbooks.import_file(CTX, path)


def test_a_word_is_found_everywhere_with_its_passage(memory, search, tmp_path):
    book(memory, tmp_path)
    found = search("钥匙")
    assert set(found) == {"event", "message", "entity"}
    assert found["message"] == [["钥匙"]]
    assert found["entity"][0][0] == "钥匙"
    assert search("座钟") == {"message": [["座钟"]], "book": [["座钟"]]}
    assert search("月光")["chat"] == [["月光"]]
    assert search("后悔") == {"log": [["后悔"]]}


def test_a_single_character_and_a_stem_are_found(search):
    assert search("雨")["message"] == [["雨"]]
    assert search("key")["message"] == [["keys"]]
    assert search("KEYS")["message"] == [["keys"]]


def test_filters_narrow(memory, search, tmp_path):
    book(memory, tmp_path)
    assert set(search("type:事件 钥匙")) == {"event"}
    assert len(search("is:绿")["event"]) == 1
    assert set(search("is:绿")) == {"event", "book"}
    assert search("is:蓝 type:event 雨") == {"event": [["雨"]]}
    assert "event" not in search("is:locked")
    assert set(search("聊天:没有 钥匙")) == set()
    assert set(search("chat:月 钥匙")) == {"event", "message", "entity"}
    assert set(search("-type:message,entity 钥匙")) == {"event"}


def test_an_entity_is_found_under_all_its_names(memory, search, line):
    alice = memory.graph.find_entity(line.chat_id, "爱丽丝")
    memory.graph.set_aliases(line.chat_id, alice.id, ["Alice", "小爱"])
    assert len(search("type:event 实体:小爱")["event"]) == 1, "told of under another name"
    assert search("小爱")["entity"] == [["小爱"]]
    assert "event" not in search("type:event -实体:爱丽丝 钥匙")


def test_words_that_must_not_stand_and_alternatives(search):
    assert set(search("type:message 钥匙 -座钟")) == set()
    assert len(search("type:message 雨 OR 钥匙")["message"]) == 2
    assert search('"old keys"')["message"] == [["old keys"]]
    assert search("铜钥匙在月光") == {"message": [["铜钥匙在月光"]]}
    assert search("铜钥匙在座钟") == {}, "its pairs stand there, but not together"


TOLD = (
    "他把铜钥匙交给旅人，走了。",
    "铜钥匙？匙铜，钥铜！",
    "旅人：铜钥、钥匙。",
    "Ｋｅｙｓ，Old keys (and locks)",
    "old keys (AND locks)",
    "locks and old…keys",
    "cafe\u0301 noir",
    "CAFE, noir",
    "か\u3099らす",
    "㎏ of salt",
    "酒馆🔥着火",
)


@pytest.mark.parametrize(
    "typed",
    [
        '"铜钥匙"', '"铜钥匙交给"', '-"铜钥匙"', "铜钥匙 -交给旅", '"旅人，走"',
        '"旅人,走"', "旅人 -，",
        '"old keys"', '"OLD KEYS ("', '"keys,old"', '"cafe"', '"か"', '"caf"', '-"cafe"', '"kg of"',
        '"酒馆🔥"', '"酒馆"', '"铜钥匙" OR "old keys"', 'is:green "钥匙"', '-is:green "old keys"',
        'is:blue -"old keys"', 'is:green OR "酒馆🔥"', '"…keys"', '"...keys"', '"\u0301 noir"',
        "entity:旅人", '-entity:旅人 "铜钥匙"', "entity:KEYS", "-（ 铜钥匙",
    ],
)  # fmt: skip
def test_the_list_finds_what_each_text_by_itself_holds(memory, line, typed):
    """Most texts are looked through by SQLite: it finds what reading them all would."""
    events = memory.events
    for number, said in enumerate(TOLD):
        plain = make_extraction(said, keywords=(), entities=(), relations=())
        pk, _changes = events.add(line, plain, SourceRange(0, 1))
        events.set_archived(CTX, line.chat_id, [pk], archived=number % 2 == 0)
    found = memory.search.event_keys(CTX, line, typed)
    told = events.fetch(line.chat_id, events.find(line.chat_id, EventQuery()))
    texts = dict(
        memory.session.chat(line.chat_id).database.rows(
            "SELECT e.pk, i.content FROM event e JOIN memory_item i"
            " ON i.kind = 'event' AND i.ref = e.id"
        )
    )
    query = parse(typed)
    expected = [
        pk
        for pk, event in told.items()
        if any(
            holds(clause, [texts[pk]])
            and names_wanted(clause, [texts[pk]])
            and has_states(clause, ("green" if event.is_archived else "blue",))
            for clause in query.clauses
        )
    ]
    assert sorted(found) == sorted(expected)


def test_no_mark_that_changes_the_character_before_it_is_taken_for_another():
    marks = re.compile(_MARKS)
    every = (chr(code) for code in range(sys.maxunicode + 1))
    assert not [c for c in every if unicodedata.combining(c) and not marks.match(c)]


@pytest.mark.parametrize("typed", ["", "OR", '"', "*", "%' OR 1=1 --", "a" * 5000, "\0", ")("])
def test_hostile_input_finds_or_finds_not(search, typed):
    search(typed)


def test_as_somebody_only_what_they_know_is_found(memory, search, line, tmp_path):
    book(memory, tmp_path)
    traveller = memory.knowledge.askers(CTX, line, ["旅人"])
    alice = memory.knowledge.askers(CTX, line, ["爱丽丝"])
    assert "message" in search("蒙面人")
    assert search("蒙面人", line=line, actors=traveller) == {}
    assert "message" in search("蒙面人", line=line, actors=alice)
    assert search("后悔", line=line, actors=traveller) == {}
    assert search("后悔", line=line, actors=alice) == {"log": [["后悔"]]}
    assert search("雨停", line=line, actors=traveller) == {"message": [["雨停"]]}
    assert "book" not in search("国王", line=line, actors=alice)
    assert "chat" not in search("月光", line=line, actors=alice)
    with pytest.raises(InputError):
        search("雨", actors=alice)


def test_an_alias_nobody_told_them_finds_nothing_for_them(memory, search, line):
    alice = memory.graph.find_entity(line.chat_id, "爱丽丝")
    memory.graph.set_aliases(line.chat_id, alice.id, ["蒙面人"])
    traveller = memory.knowledge.askers(CTX, line, ["旅人"])
    assert search("实体:蒙面人", line=line, actors=traveller) == {}
    assert search("type:entity 蒙面人", line=line, actors=traveller) == {}
    assert "entity" in search("type:entity 蒙面人")


def test_what_is_deleted_is_not_found(memory, search, line):
    (hit,) = memory.search.find(CTX, "type:event 雨").groups[0].hits
    memory.events.delete(CTX, line.chat_id, [hit.key])
    assert "event" not in search("雨")


def test_a_hit_says_where_it_is(memory, line):
    memory.events.update(
        line.chat_id,
        memory.events.find(line.chat_id, EventQuery())[0],
        EventPatch(details="暗号是七"),
    )
    (group,) = memory.search.find(CTX, "暗号").groups
    (hit,) = group.hits
    assert (hit.kind, hit.chat, hit.floors) == ("event", "月光", (0, 1))
    assert hit.states >= {"green"}
    assert memory.events.fetch(line.chat_id, [hit.key])[hit.key].id == hit.ref


@pytest.mark.logs("cannot be searched")
def test_a_chat_that_cannot_be_opened_is_named_and_the_rest_is_found(memory, search, tmp_path):
    other = import_chat(memory, tmp_path / "坏.jsonl", [("鲍勃", "钥匙丢了。")])
    memory.session.leave(other)
    memory.session.library._open.pop(other).close()
    (memory.folder / "chats" / other / "memory.db").write_bytes(b"no database at all" * 100)
    result = memory.search.find(CTX, "钥匙")
    assert result.unread == ("坏",)
    assert {g.kind for g in result.groups} >= {"event", "message"}


def test_of_many_hits_some_are_shown_and_all_are_counted(memory, tmp_path):
    rows = [("爱丽丝", f"第{n}个苹果") for n in range(80)]
    memory.imports.import_file(CTX, write_chat(tmp_path / "苹果.jsonl", rows))
    groups = {g.kind: g for g in memory.search.find(CTX, "苹果 type:message", limit=5).groups}
    assert groups["message"].count == 80
    assert [hit.floors for hit in groups["message"].hits] == [(n, n) for n in range(79, 74, -1)]


# A chat as a whole: what memory holds of it, and what is to be done next.

HERE = Line.main("a")


@pytest.fixture(scope="module")
def demo_library(tmp_path_factory):
    """The demo's library, closed: each test has a copy."""
    folder = tmp_path_factory.mktemp("demo") / "library"
    memory = open_keyless(folder)
    run_demo(memory, CTX)
    memory.close()
    return folder


@pytest.fixture
def demo(demo_library, open_memory, tmp_path):
    return open_memory(shutil.copytree(demo_library, tmp_path / "demo"))


@pytest.fixture
def demo_line(demo):
    return Line.main(demo.chats.all()[0].chat_id)


def test_a_finished_chat_tells_its_story_its_moments_and_its_cast(demo, demo_line):
    seen = demo.overview.read(CTX, demo_line)
    assert seen.progress.floors == seen.progress.remembered == 159
    assert seen.progress.untold == 0
    floors = [(e.source_range.start_index, e.source_range.end_index) for e in seen.story]
    assert floors[0][0] == 0
    assert max(last for _first, last in floors) == 158
    assert floors == sorted(floors)
    assert len(seen.moments) == 8
    best = max(seen.moments, key=lambda e: e.significance_score)
    keys = demo.events.find(demo_line.chat_id, _by_significance(demo_line))
    assert best.pk == keys[0]
    assert [m.name for m in seen.cast][:3] == ["旅人", "爱丽丝", "莉莉丝"]
    assert seen.cast[0].is_user
    assert seen.cast[0].messages == 50
    assert not seen.has_model
    assert seen.here.calls == seen.library.calls == 0


def _by_significance(line):
    return EventQuery(level=0, kind="event", branch_id=line.branch_id, sort="significance")


def test_somebody_of_the_story_sees_only_what_it_knows(demo, demo_line):
    everything = demo.overview.read(CTX, demo_line)
    known = demo.overview.read(CTX, demo_line, demo.knowledge.askers(CTX, demo_line, ["凯尔"]))
    assert known.moments
    assert {e.pk for e in known.moments} <= set(
        demo.events.find(demo_line.chat_id, _known_to(demo, demo_line, "凯尔"))
    )
    assert len(known.cast) < len(everything.cast)
    assert all(member.messages == 0 for member in known.cast)


def _known_to(memory, line, name):
    actors = memory.knowledge.askers(CTX, line, [name])
    return replace(_by_significance(line), actors=actors)


def test_a_chat_nobody_has_read_yet_still_has_its_cast_with_faces(memory, tmp_path):
    card = tmp_path / "爱丽丝.png"
    told = "{{char}}是月光酒馆的老板娘。\n她有一头亚麻色的发辫。"
    card.write_bytes(png(text(b"chara", V2 | {"data": V2["data"] | {"description": told}})))
    memory.imports.import_file(CTX, card)
    chat = memory.imports.import_file(CTX, resource("story/月光酒馆.jsonl")).chat_id
    seen = memory.overview.read(CTX, Line.main(chat))
    assert seen.story == seen.moments == ()
    assert seen.progress.untold == 159
    assert seen.progress.fresh == 0
    alice = next(member for member in seen.cast if member.name == "爱丽丝")
    assert alice.card_id
    assert alice.about == "爱丽丝是月光酒馆的老板娘。"
    assert alice.messages == 41
    assert not alice.entity_id


def test_a_relation_of_somebody_is_told_without_their_name(demo, demo_line):
    seen = demo.overview.read(CTX, demo_line)
    about = {member.name: member.about for member in seen.cast}
    assert any("父亲是 → 维克多" in tie for tie in about.values())
    assert not any(tie.startswith("的") or "· 的" in tie for tie in about.values())


def test_a_profile_says_who_somebody_is(demo, demo_line):
    alice = demo.graph.named(demo_line.chat_id, "爱丽丝")
    profile = {"身份": "酒馆老板娘", "特征": {"头发": "亚麻色", "年纪": 19}, "秘密": True}
    demo.graph.update_entity(demo_line.chat_id, alice.id, profile=profile)
    seen = demo.overview.read(CTX, demo_line)
    about = next(member.about for member in seen.cast if member.name == "爱丽丝")
    assert about == "酒馆老板娘 · 亚麻色 · 19"


def test_the_end_of_a_chat_that_automation_leaves_for_later_is_fresh(demo, demo_line):
    for number in range(6):
        demo.messages.append(demo_line, "旅人", "user", f"第 {number} 句。")
    progress = demo.overview.read(CTX, demo_line).progress
    assert (progress.untold, progress.fresh) == (6, 6)


def test_what_is_equally_important_is_chosen_from_the_whole_story():
    scores = [0.9, 0.8] + [0.5] * 90 + [0.1] * 8
    chosen = best_spread(range(100), lambda key: scores[key], 6)
    assert chosen[:2] == [0, 1]
    assert chosen[2] < 25
    assert chosen[-1] > 70
    assert all(scores[key] >= 0.5 for key in chosen)
    assert best_spread([3, 4], lambda key: 1.0, 6) == [3, 4]


@pytest.mark.parametrize(
    ("progress", "standing", "is_running", "expected"),
    [
        (MemoryProgress(waiting=2, failed=1, untold=50), "due", False, "review"),
        (MemoryProgress(failed=1, untold=50), "due", False, "retry"),
        (MemoryProgress(untold=900), "consent", False, "agree"),
        (MemoryProgress(untold=50), "off", False, "summarise"),
        (MemoryProgress(untold=50), "due", True, "connect"),
        (MemoryProgress(untold=50), "mode", False, "connect"),
        (MemoryProgress(untold=6, fresh=6), "idle", False, "connect"),
        (
            MemoryProgress(is_buffer_full=True, events=EventCounts(buffer=30)),
            "off",
            False,
            "consolidate",
        ),
        (MemoryProgress(), None, False, "connect"),
    ],
)
def test_the_next_step_is_the_one_that_is_really_next(progress, standing, is_running, expected):
    seen = Overview(HERE, progress)
    assert next_step(seen, standing, is_running=is_running) == expected
    with_model = replace(seen, has_model=True)
    other = "none" if expected == "connect" else expected
    assert next_step(with_model, standing, is_running=is_running) == other


def test_without_a_model_it_says_what_one_would_read_and_write(demo, demo_line):
    told = sum(estimate_tokens(m.text) for m in demo.messages.slice(demo_line, 0, 999) if m.text)
    seen = demo.overview.read(CTX, demo_line)
    assert not seen.has_model
    assert told < seen.model_tokens < told + 3_500 * seen.progress.floors
    set_all(demo, model_at("http://127.0.0.1:9/v1", "fake"))
    seen = demo.overview.read(CTX, demo_line)
    assert seen.has_model
    assert seen.model_tokens == 0


def test_what_models_cost_is_summed_for_the_chat_and_for_the_library(demo, demo_line):
    store = demo.session.chat(demo_line.chat_id)
    store.ledger.add_call(0, "summary", "m", (1_000, 200), 5)
    demo.session.library.add_usage("2026-01-01", DayUsage(3, 5_000, 1_000))
    demo.settings.set("llm.price_in", 2.0)
    seen = demo.overview.read(CTX, demo_line)
    assert (seen.here.calls, seen.here.tokens) == (1, 1_200)
    assert seen.library.tokens == 6_000
    assert seen.library.cost == pytest.approx(0.01)
