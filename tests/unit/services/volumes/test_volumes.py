"""Volumes: made of one chat, read by others, by whom who knows it, and as files."""

from __future__ import annotations

import random
import shutil

import pytest

from engram_desktop.domain.changes import IMPORT, StepLabel
from engram_desktop.domain.errors import DamagedDatabase, NotFound
from engram_desktop.domain.knowledge.knowing import PresenceSpan
from engram_desktop.domain.memory.event import EventPatch, EventQuery, SourceRange
from engram_desktop.domain.memory.extraction import ExtractedEntity, ExtractedRelation
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.memory.volume import (
    EVERYONE,
    MAX_TITLE,
    VOLUME_KINDS,
    VolumePerson,
    matched_person,
)
from engram_desktop.domain.recall.query import RecallQuery
from engram_desktop.domain.text.tokens import estimate_tokens
from engram_desktop.jobs.context import NullContext
from engram_desktop.services.memory import Memory
from engram_desktop.services.volumes import BadTitle, EmptyVolume, NoSource, OwnVolume
from engram_desktop.storage.library.volume_database import FOLDER
from tests.factories import import_chat, make_event, make_extraction, story_rows
from tests.unit.services.volumes.conftest import told

CTX = NullContext()
KEY = RecallQuery("铜钥匙交给了谁", top_k=20)


def texts(result):
    return [hit.item.content for hit in result.hits]


def inject(memory, chat, text="铜钥匙交给了谁", **over):
    return memory.inject.compose(CTX, chat, RecallQuery(text, **over))


# Made, listed, updated.


def test_a_volume_holds_what_was_chosen_with_who_knows_it(memory, first, volume):
    made = memory.volumes.read(volume.id)
    by_summary = {event.summary: event for event in made.events}
    assert by_summary["爱丽丝在酒馆拾到铜钥匙。"].known_by == ("爱丽丝",)
    assert set(by_summary["爱丽丝把铜钥匙交给旅人。"].known_by) == {"爱丽丝", "旅人"}
    pages = {e.name: set(e.known_by) for e in made.entities}
    assert pages == {"爱丽丝": {"爱丽丝", "旅人"}, "铜钥匙": {"爱丽丝"}}
    facts = {fact.origin: fact.text for fact in made.facts}
    assert set(facts) == {"relation", "thread", "state"}
    assert facts["thread"].startswith("旅人: 我答应你，等雪停了，我会把银怀表还给你")
    assert facts["state"] == "爱丽丝.好感: 42"
    assert [fact.floor for fact in made.facts if fact.origin == "state"] == [39]
    heard = {fact.origin: set(fact.known_by) for fact in made.facts}
    assert heard["thread"] == heard["state"] == {"爱丽丝", "旅人"}
    assert volume.counts == made.counts()
    assert volume.kinds == VOLUME_KINDS
    only, _changes = memory.volumes.make(CTX, Line.main(first), "只有人", ["people"])
    held = memory.volumes.read(only.id)
    assert (held.events, held.facts) == ((), ())
    assert held.entities == made.entities
    assert memory.volumes.preview(CTX, Line.main(first)) == made.counts()


def test_what_must_not_be_used_or_is_no_longer_true_stays_out(memory, first):
    keys = memory.events.find(first, EventQuery(level=0))
    events = memory.events.fetch(first, keys)
    muted, stale = (events[pk] for pk in list(keys)[:2])
    memory.recall.set_muted(first, [muted.id], muted=True)
    memory.events.update(first, stale.pk, EventPatch(is_stale=True))
    info, _changes = memory.volumes.make(CTX, Line.main(first), "卷")
    ids = {event.id for event in memory.volumes.read(info.id).events}
    assert ids.isdisjoint({muted.id, stale.id})


def test_relations_that_say_nothing_or_lead_to_what_is_hidden_stay_out(memory, first):
    line, store = Line.main(first), memory.session.chat(first)
    with store.step(StepLabel(IMPORT, {"count": 1})):
        store.events.add([told("爱丽丝看着铜钥匙。", 12, 13, does="相关")], store.clock())
    memory.pipeline.consolidate(CTX, line)
    key = memory.graph.find_entity(first, "铜钥匙").id
    for is_hidden in (False, True):
        memory.graph.update_entity(first, key, hidden=is_hidden)
        info, _changes = memory.volumes.make(CTX, line, f"{is_hidden}", ["people", "relations"])
        facts = {fact.text for fact in memory.volumes.read(info.id).facts}
        assert facts == (set() if is_hidden else {"爱丽丝 保管 铜钥匙", "爱丽丝 交付 铜钥匙"})


def test_what_an_event_is_a_part_of_is_kept_where_that_is_held_too(memory, tmp_path):
    chat_id = import_chat(memory, tmp_path / "部.jsonl", story_rows(20))
    store = memory.session.chat(chat_id)
    whole = make_event("两人找到铜钥匙。", 0, 9, level=1)
    other = make_event("雪停了。", 10, 19, level=1)
    parts = [
        make_event("爱丽丝拾到铜钥匙。", 0, 4, parent_id=whole.id),
        make_event("窗外不再下雪。", 10, 14, parent_id=other.id),
    ]
    with store.step(StepLabel(IMPORT, {"count": 4})):
        store.events.add([whole, other, *parts], store.clock())
    memory.recall.set_muted(chat_id, [other.id], muted=True)
    info, _changes = memory.volumes.make(CTX, Line.main(chat_id), "卷")
    held = {event.id: event.parent_id for event in memory.volumes.read(info.id).events}
    assert held == {whole.id: None, parts[0].id: whole.id, parts[1].id: None}


def test_a_chat_without_memory_and_a_title_without_words_make_none(memory, second):
    with pytest.raises(EmptyVolume):
        memory.volumes.make(CTX, Line.main(second), "空")
    with pytest.raises(BadTitle):
        memory.volumes.make(CTX, Line.main(second), "  ")
    assert memory.volumes.all() == []


def test_a_title_has_a_length(memory, first):
    longest = "卷" * MAX_TITLE
    assert memory.volumes.make(CTX, Line.main(first), longest)[0].title == longest
    with pytest.raises(BadTitle):
        memory.volumes.make(CTX, Line.main(first), longest + "卷")


def test_an_update_holds_what_was_chosen_at_first(memory, first):
    info, _changes = memory.volumes.make(CTX, Line.main(first), "只有人", ["people"])
    memory.volumes.update(CTX, info.id)
    held = memory.volumes.read(info.id)
    assert held.entities
    assert (held.events, held.facts) == ((), ())


def test_an_update_keeps_the_id_and_its_readers(memory, first, second, volume):
    memory.volumes.attach(CTX, volume.id, second)
    buried = make_extraction("旅人把银怀表埋在灯塔下。")
    memory.events.add(Line.main(first), buried, SourceRange(38, 39))
    info, changes = memory.volumes.update(CTX, volume.id)
    assert (info.id, info.users, info.title) == (volume.id, (second,), "第一卷")
    assert changes.volumes
    assert "灯塔" in inject(memory, second, "银怀表埋在哪里").text
    memory.history.undo(None)
    assert "灯塔" not in inject(memory, second, "银怀表埋在哪里").text


def test_one_whose_chat_is_gone_cannot_be_updated_and_still_serves(memory, first, second, volume):
    memory.volumes.attach(CTX, volume.id, second)
    memory.chats.delete(first)
    with pytest.raises(NoSource):
        memory.volumes.update(CTX, volume.id)
    assert "铜钥匙" in inject(memory, second).text


# Read by other chats.


def test_recall_finds_what_a_volume_tells_and_names_it(memory, second, volume):
    before = memory.recall.ask(CTX, second, KEY)
    memory.volumes.attach(CTX, volume.id, second)
    result = memory.recall.ask(CTX, second, KEY)
    best = result.hits[0].item
    assert "交给旅人" in best.content
    assert best.volume == "第一卷"
    assert best.id < 0
    assert [hit.rank for hit in result.hits] == list(range(1, len(result.hits) + 1))
    assert [hit.score for hit in result.hits] == sorted(
        (hit.score for hit in result.hits), reverse=True
    )
    assert not any("交给旅人" in text for text in texts(before))
    assert memory.recall.ask(CTX, second, RecallQuery("铜钥匙", 1)).hits[0].item.volume == "第一卷"


def test_a_small_volume_is_found_beside_a_long_chat(memory, volume, tmp_path):
    rows = [
        (("旅人", "爱丽丝")[n % 2], f"第{n}天，我们在码头{n}号仓库谈起{n}枚银币和天气。")
        for n in range(600)
    ]
    long = import_chat(memory, tmp_path / "长.jsonl", rows)
    memory.volumes.attach(CTX, volume.id, long)
    query = RecallQuery("爱丽丝在酒馆拾到的铜钥匙后来交给了谁？", 5)
    best = memory.recall.ask(CTX, long, query).hits[0].item
    assert "铜钥匙" in best.content
    assert best.volume == "第一卷"
    assert "交给旅人" in memory.inject.compose(CTX, long, query, 1_000).text


def test_a_prompt_tells_it_before_the_chat_and_without_floors(memory, second, volume):
    memory.volumes.attach(CTX, volume.id, second)
    made = inject(memory, second)
    recalled = made.sections["earlier_recalled"].splitlines()
    assert recalled[0] == "前情（本聊天之前的故事）《第一卷》："
    assert all(line.startswith("- ") for line in recalled[1:]), recalled
    assert "楼" not in "".join(recalled[1:])
    assert made.sections["earlier"].startswith("前情（本聊天之前的故事）《第一卷》：")
    text = made.text
    if "snippets" in made.sections:
        assert text.index(recalled[0]) < text.index(made.sections["snippets"])
    assert {hit.item.volume for hit in made.hits} >= {"第一卷"}
    for words in ("银怀表", "好感", "罗马数字"):
        assert words in inject(memory, second, f"{words}怎么样了").text, words


@pytest.mark.parametrize("budget", [60, 200, 400, 1_000, 6_000])
def test_it_stays_within_the_budget_of_the_prompt(memory, second, volume, budget):
    memory.volumes.attach(CTX, volume.id, second)
    made = memory.inject.compose(CTX, second, KEY, budget)
    assert estimate_tokens(made.text) <= budget


def test_a_page_with_nothing_but_a_name_is_not_told(memory, second, volume):
    memory.volumes.attach(CTX, volume.id, second)
    lines = inject(memory, second, "铜钥匙爱丽丝").text.splitlines()
    assert [line for line in lines if line.startswith("- 爱丽丝 (")] == []
    assert "- 爱丽丝 交付 铜钥匙" in lines  # what holds of her is told


@pytest.mark.parametrize("is_named", [False, True])
def test_a_page_with_a_word_or_another_name_is_told(memory, first, second, is_named):
    key = memory.graph.find_entity(first, "爱丽丝").id
    if is_named:
        memory.graph.set_aliases(first, key, ["小丽"])
    else:
        memory.graph.update_entity(first, key, profile={"职业": "老板"})
    info, _changes = memory.volumes.make(CTX, Line.main(first), "第二卷")
    memory.volumes.attach(CTX, info.id, second)
    lines = inject(memory, second, "铜钥匙爱丽丝").text.splitlines()
    assert any(line.startswith("- 爱丽丝 (人物") for line in lines)


def test_the_story_of_a_volume_does_not_change_with_the_question(memory, second, volume):
    memory.volumes.attach(CTX, volume.id, second)
    blocks = {
        inject(memory, second, text).text.partition("</engram_summaries>")[0]
        for text in ("铜钥匙交给了谁", "旅人是谁？", "你好")
    }
    assert len(blocks) == 1


def test_a_chat_without_a_message_is_told_it_too(memory, volume):
    library = memory.session.library
    store = library.begin_chat("空")
    library.admit_chat(store, "空")
    memory.volumes.attach(CTX, volume.id, store.chat_id)
    text = inject(memory, store.chat_id).text
    assert "交给旅人" in text
    assert "-1" not in text


def test_what_a_question_has_nothing_to_do_with_stays_out(memory, second, volume):
    memory.volumes.attach(CTX, volume.id, second)
    made = inject(memory, second, "嗯")
    assert "earlier_recalled" not in made.sections


def test_an_injection_is_explained_and_frozen_with_it(memory, second, volume):
    memory.volumes.attach(CTX, volume.id, second)
    made = inject(memory, second)
    [past] = [p for p in memory.recall.past(second) if p.query == KEY.text][:1]
    why = memory.recall.explanation(second, past.id)
    assert {hit.item.id for hit in made.hits} <= set(why.told)
    memory.inject.freeze(Line.main(second), 3)
    frozen = inject(memory, second)
    again = inject(memory, second, "完全不同的问题")
    assert again.text == frozen.text
    assert {hit.item.volume for hit in again.hits} >= {"第一卷"}
    memory.volumes.detach(CTX, volume.id, second)
    assert "第一卷" not in inject(memory, second).text


def test_attaching_and_detaching_are_steps_of_the_library(memory, second, volume):
    changes = memory.volumes.attach(CTX, volume.id, second)
    assert str(changes.undo_label) == "Let “第二部” read the volume “第一卷”"
    assert [v.id for v in memory.volumes.of_chat(second)] == [volume.id]
    undone = memory.history.undo(None)
    assert undone.volumes
    assert memory.volumes.of_chat(second) == []
    assert "第一卷" not in inject(memory, second).text
    memory.history.redo(None)
    assert "第一卷" in inject(memory, second).text
    memory.volumes.detach(CTX, volume.id, second)
    assert "第一卷" not in inject(memory, second).text
    memory.history.undo(None)
    assert "第一卷" in inject(memory, second).text
    steps = len(memory.history.steps(None))
    memory.volumes.attach(CTX, volume.id, second)  # it is already
    assert len(memory.history.steps(None)) == steps


def test_two_chats_share_a_volume_that_neither_changes(memory, second, volume, tmp_path):
    third = import_chat(memory, tmp_path / "第三部.jsonl", [("旅人", "又一个故事。")])
    before = memory.session.library.volumes.content(volume.id)
    for chat in (second, third):
        memory.volumes.attach(CTX, volume.id, chat)
    assert memory.volumes.find("第一卷").users == tuple(sorted((second, third)))
    for chat in (second, third):
        assert "交给旅人" in inject(memory, chat).text
        memory.pipeline.summarise(CTX, Line.main(chat), (0, 0))
    assert memory.session.library.volumes.content(volume.id) == before
    memory.volumes.detach(CTX, volume.id, second)
    assert "第一卷" in inject(memory, third).text


def test_two_volumes_are_told_each_under_its_title(memory, first, second, volume):
    other, _changes = memory.volumes.make(CTX, Line.main(first), "只有关系", ["relations"])
    memory.volumes.attach(CTX, volume.id, second)
    memory.volumes.attach(CTX, other.id, second)
    assert [v.title for v in memory.volumes.of_chat(second)] == ["第一卷", "只有关系"]
    made = inject(memory, second, "爱丽丝和铜钥匙是什么关系？")
    recalled = made.sections["earlier_recalled"]
    assert "前情（本聊天之前的故事）《第一卷》：" in recalled
    assert recalled.endswith("- 爱丽丝 保管 铜钥匙") or "《只有关系》：\n- 爱丽丝" in recalled
    ids = [hit.item.id for hit in made.hits]
    assert len(ids) == len(set(ids))


def test_the_names_of_a_story_may_be_odd(memory, second, tmp_path):
    rows = [("*", "我是星号。"), ("长" * 300, "我的名字很长。"), ("a\x00b", "我有一个零。")]
    chat = import_chat(memory, tmp_path / "怪.jsonl", rows)
    memory.events.add(Line.main(chat), make_extraction("星号推开了门。"), SourceRange(0, 2))
    info, _changes = memory.volumes.make(CTX, Line.main(chat), "怪")
    memory.volumes.attach(CTX, info.id, second)
    assert "星号推开了门" in inject(memory, second, "星号推开了什么？").text
    assert "星号推开了门" not in inject(memory, second, "星号推开了什么？", actor="*").text


def test_the_chat_it_was_made_of_does_not_read_it(memory, first, volume):
    with pytest.raises(OwnVolume):
        memory.volumes.attach(CTX, volume.id, first)


# Nothing that is gone or broken stops a chat.


def test_a_deleted_volume_is_missing_and_comes_back(memory, second, volume):
    memory.volumes.attach(CTX, volume.id, second)
    memory.volumes.delete(CTX, volume.id)
    made = inject(memory, second)
    assert "第一卷" not in made.text
    assert "volume" in made.degraded
    [missing] = memory.volumes.of_chat(second)
    assert missing.is_missing
    assert missing.title == "第一卷"
    assert memory.volumes.faults(second) == ["第一卷"]
    with pytest.raises(NotFound):
        memory.volumes.attach(CTX, volume.id, second)
    memory.history.undo(None)
    assert "第一卷" in inject(memory, second).text
    memory.volumes.delete(CTX, volume.id)
    memory.volumes.detach(CTX, volume.id, second)
    assert memory.volumes.of_chat(second) == []
    assert "volume" not in inject(memory, second).degraded


def test_its_database_can_be_lost_or_damaged(memory, open_memory, second, volume):
    memory.volumes.attach(CTX, volume.id, second)
    folder = memory.folder
    [place] = (folder / FOLDER).iterdir()
    memory.close()
    (place / "memory.db").write_bytes(b"no database" * 500)
    again = open_memory(folder)
    assert "交给旅人" in inject(again, second).text
    again.close()
    shutil.rmtree(folder / FOLDER)
    again = open_memory(folder)
    made = inject(again, second)
    assert "交给旅人" in made.text
    assert made.degraded == ()


def test_a_damaged_row_breaks_no_chat(memory, second, volume):
    memory.volumes.attach(CTX, volume.id, second)
    library = memory.session.library
    folder = memory.folder
    with library.database.writing() as connection:
        connection.execute("UPDATE volume SET content = zeroblob(100), digest = 'x'")
    memory.session.leave(None)
    shutil.rmtree(folder / FOLDER)
    made = inject(memory, second)
    assert "volume" in made.degraded
    assert memory.volumes.faults(second) == ["第一卷"]
    assert "volume" in memory.recall.ask(CTX, second, KEY).degraded
    with pytest.raises(DamagedDatabase):
        memory.volumes.read(volume.id)
    [finding] = [found for found in memory.care.doctor(CTX) if not found.is_ok]
    assert finding.where == "第一卷"
    memory.volumes.detach(CTX, volume.id, second)
    assert inject(memory, second).degraded == ()


def test_who_only_reads_a_library_searches_what_is_there(memory, second, volume):
    memory.volumes.attach(CTX, volume.id, second)
    folder = memory.folder
    memory.close()
    reader = Memory.open(folder, program=None, environ={})
    assert any(hit.item.volume for hit in reader.recall.ask(CTX, second, KEY).hits)
    reader.close()
    shutil.rmtree(folder / FOLDER)
    reader = Memory.open(folder, program=None, environ={})
    assert "volume" in reader.recall.ask(CTX, second, KEY).degraded
    reader.close()


# Who knows what.


def test_a_character_gets_what_it_knows_of_a_volume(memory, second, volume):
    memory.volumes.attach(CTX, volume.id, second)
    told_alice = inject(memory, second, "铜钥匙", actor="爱丽丝").text
    told_traveller = inject(memory, second, "铜钥匙", actor="旅人").text
    assert "在酒馆拾到" in told_alice
    assert "在酒馆拾到" not in told_traveller
    assert "交给旅人" in told_traveller
    stranger = inject(memory, second, "铜钥匙", actor="凯尔")
    assert "铜钥匙" not in stranger.text
    assert texts(memory.recall.ask(CTX, second, RecallQuery("铜钥匙", actor="凯尔"))) == []


def test_names_are_matched_and_a_name_of_two_is_nobodys():
    persons = [VolumePerson("爱丽丝", ("小爱", "老板")), VolumePerson("旅人", ("老板",))]
    assert matched_person(persons, frozenset({"小爱"}), "店主") == "爱丽丝"
    assert matched_person(persons, frozenset({"老板"}), "老板") == ""
    assert matched_person(persons, frozenset({"老板", "旅人"}), "旅人") == "旅人"
    assert matched_person(persons, frozenset({"凯尔"}), "凯尔") == ""


NAMES = ["爱丽丝", "鲍勃", "卡萝", "Dora", "旅人"]
SCOPES = ["shared", "shared", "shared", "global", "private", "conditional"]


class Told:
    """A random chat of 60 events, and who knows each: as the test says, not as was derived."""

    def __init__(self, memory, folder, seed):
        self.memory, self.random = memory, random.Random(seed)
        rows = [(self.random.choice(NAMES), f"第{n}句话。") for n in range(60)]
        self.chat = import_chat(memory, folder / f"a{seed}.jsonl", rows)
        store = memory.session.chat(self.chat)
        with store.database.writing():
            store.presence.answer(
                (m.id, m.swipe_hash, [PresenceSpan(m.seq, m.seq, tuple(NAMES))])
                for m in store.messages.slice("main", 0, 1_000)
            )
        self.truth = {}
        self.public = set()
        events = [self.event(number) for number in range(60)]
        with store.step(StepLabel(IMPORT, {"count": 60})):
            store.events.add(events, store.clock())
        for event in self.random.sample(events, 10):  # what the user says comes first
            self.deny(event, self.random.choice(NAMES))
        memory.pipeline.consolidate(CTX, Line.main(self.chat))

    def event(self, number):
        scope = self.random.choice(SCOPES)
        people = tuple(sorted(self.random.sample(NAMES, self.random.randint(1, 4))))
        owner = self.random.choice(NAMES) if scope == "private" else None
        word = f"暗号{number:03}号"
        data = make_extraction(f"{word}藏在井底。", witnesses=people, entities=())
        known = {"shared": set(people), "global": set(NAMES), "private": {owner}}
        self.truth[word] = known.get(scope, set())
        if scope == "global":
            self.public.add(word)
        more = {"scope": scope, "owner": owner, "status": "archived", "is_archived": True}
        more |= {"condition": "false"} if scope == "conditional" else {}
        return make_event(data.summary, number, number, raw_data=data, **more)

    def deny(self, event, name):
        line = Line.main(self.chat)
        self.memory.knowledge.say_known(line, [("event", event.id)], name, known=False)
        word = event.summary[:6]
        self.truth[word].discard(name)
        self.public.discard(word)


@pytest.mark.parametrize("seed", range(8))
def test_no_road_tells_a_person_what_it_does_not_know(open_memory, tmp_path, seed):
    memory = open_memory(tmp_path / str(seed))
    world = Told(memory, tmp_path, seed)
    info, _changes = memory.volumes.make(CTX, Line.main(world.chat), "卷")
    new = import_chat(memory, tmp_path / f"b{seed}.jsonl", [("旅人", "新的开始。")])
    memory.volumes.attach(CTX, info.id, new)
    leaks, found, checks = [], 0, 0
    for name in [*NAMES, "陌生人"]:
        query = RecallQuery("暗号藏在井底", top_k=200, actor=name)
        told = texts(memory.recall.ask(CTX, new, query, logged=False))
        words = world.random.sample(list(world.truth), 8)
        for text in ("暗号藏在井底", *(f"{word}藏在哪里" for word in words)):
            told.append(inject(memory, new, text, actor=name).text)
        for word, people in world.truth.items():
            is_known = name in people or word in world.public
            is_told = any(word in text for text in told)
            checks += 1
            found += is_known and is_told
            if is_told and not is_known:
                leaks.append((name, word))
    assert leaks == []
    assert checks == 360
    assert found > 100  # and what is known is told


def test_an_entity_under_a_name_somebody_does_not_know_is_not_told(memory, tmp_path):
    rows = [("爱丽丝", "面具人来了。"), ("旅人", "面具人就是凯尔。")]
    chat = import_chat(memory, tmp_path / "假面.jsonl", rows)
    store = memory.session.chat(chat)
    masked = make_extraction(
        "面具人偷走王冠。",
        entities=(ExtractedEntity("面具人", "char"),),
        relations=(ExtractedRelation("面具人", "偷走", "王冠"),),
        witnesses=("爱丽丝", "旅人"),
    )
    known = make_extraction(
        "凯尔摘下面具。",
        entities=(ExtractedEntity("凯尔", "char"),),
        relations=(),
        witnesses=("旅人",),
    )
    with store.step(StepLabel(IMPORT, {"count": 2})):
        store.events.add(
            [
                make_event(masked.summary, 0, 0, raw_data=masked),
                make_event(known.summary, 1, 1, raw_data=known),
            ],
            store.clock(),
        )
    memory.pipeline.consolidate(CTX, Line.main(chat))
    ids = [memory.graph.find_entity(chat, name).id for name in ("凯尔", "面具人")]
    memory.graph.merge_entities(chat, [ids[1]], ids[0])
    info, _changes = memory.volumes.make(CTX, Line.main(chat), "假面")
    for fact in memory.volumes.read(info.id).facts:
        if "凯尔" in fact.text:
            assert "爱丽丝" not in fact.known_by
    pages = {e.name: e.known_by for e in memory.volumes.read(info.id).entities}
    assert set(pages) == {"凯尔", "王冠"}
    assert "爱丽丝" not in pages["凯尔"]
    assert EVERYONE not in {
        name for e in memory.volumes.read(info.id).events for name in e.known_by
    }


def test_promises_are_known_to_those_who_heard_their_words(memory, volume):
    [thread] = [f for f in memory.volumes.read(volume.id).facts if f.origin == "thread"]
    assert "旅人" in thread.known_by
