"""Events: curated, explained, deleted, compared; private logs."""

from __future__ import annotations

import json

import pytest

from engram_desktop.domain.changes import ADD, StepLabel
from engram_desktop.domain.errors import InputError, NotFound
from engram_desktop.domain.memory.event import (
    CONFIDENCES,
    EventPatch,
    EventQuery,
    LogPatch,
    LogQuery,
    SourceRange,
    is_at_least,
)
from engram_desktop.domain.memory.extraction import (
    ExtractedEntity,
    ExtractedRelation,
    PlotExtraction,
)
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.recall.query import EXCERPT, Explanation, RecallQuery
from engram_desktop.jobs.context import NullContext
from engram_desktop.storage.chat.pipeline import DETAILS_KEPT, RECALLS_KEPT
from tests.factories import import_chat, make_event, make_extraction, story_rows
from tests.stored import stored_events

# Deleted events can be brought back, long after they can be undone.

CTX = NullContext()
TOLD = "爱丽丝把铜钥匙藏进钟楼。"


@pytest.fixture
def chat(memory, tmp_path):
    return import_chat(memory, tmp_path / "故事.jsonl", story_rows(30))


@pytest.fixture
def pk(memory, chat):
    data = make_extraction(
        TOLD,
        entities=(ExtractedEntity("爱丽丝", "char"), ExtractedEntity("铜钥匙", "item")),
        relations=(ExtractedRelation("爱丽丝", "藏起", "铜钥匙"),),
    )
    made, _changes = memory.events.add(Line.main(chat), data, SourceRange(2, 5))
    memory.events.set_archived(CTX, chat, [made], archived=True)
    return made


def listed(memory, chat):
    return [e.summary for e in memory.events.deleted(Line.main(chat))]


def is_recalled(memory, chat):
    memory.index.embed_pending(CTX, chat)
    hits = memory.recall.ask(CTX, chat, RecallQuery("铜钥匙藏在哪里")).hits
    return any(hit.item.content.startswith(TOLD) for hit in hits)


def names(memory, chat):
    return {e.name for e in memory.graph.find_entities(Line.main(chat))}


def test_what_is_brought_back_is_recalled_and_in_the_graph_again(memory, chat, pk):
    assert is_recalled(memory, chat)
    memory.events.delete(CTX, chat, [pk])
    assert listed(memory, chat) == [TOLD]
    assert not is_recalled(memory, chat)
    changes = memory.events.bring_back(CTX, chat, [pk])
    assert changes.rows
    assert changes.undo_label
    assert listed(memory, chat) == []
    event = memory.events.fetch(chat, [pk])[pk]
    assert (event.is_archived, event.is_deleted) == (True, False)
    assert list(memory.events.find(chat, EventQuery())) == [pk]
    assert is_recalled(memory, chat)
    assert "铜钥匙" in names(memory, chat)
    memory.history.undo(chat)
    assert listed(memory, chat) == [TOLD]
    assert not is_recalled(memory, chat)


def test_bringing_back_twice_or_what_stands_changes_nothing(memory, chat, pk):
    assert memory.events.bring_back(CTX, chat, [pk]).rows is False
    memory.events.delete(CTX, chat, [pk])
    memory.events.bring_back(CTX, chat, [pk])
    assert memory.events.bring_back(CTX, chat, [pk, 99_999]).rows is False
    assert len(memory.events.find(chat, EventQuery())) == 1


def test_an_event_whose_outline_is_gone_stands_by_itself(memory, chat):
    line = Line.main(chat)
    memory.pipeline.summarise(CTX, line, extractor="extractive")
    memory.pipeline.consolidate(CTX, line)
    memory.pipeline.trim(CTX, line)
    pks = list(memory.events.find(chat, EventQuery()))
    memory.events.delete(CTX, chat, pks)
    deleted = memory.events.deleted(line)
    assert deleted
    assert all(event.level == 0 for event in deleted)
    memory.events.bring_back(CTX, chat, [event.pk for event in deleted])
    events = stored_events(memory, chat).values()
    assert len(events) == len(deleted)
    assert all(event.parent_id is None for event in events)
    assert not [finding for finding in memory.care.doctor(CTX) if not finding.is_ok]


# What a user does to events by hand: writing them, trusting them. Each is one undoable step.


@pytest.fixture
def lin_chat(memory, tmp_path):
    path = tmp_path / "chat.jsonl"
    lines = ['{"user_name": "旅人", "character_name": "林晚"}']
    lines += [f'{{"name": "林晚", "is_user": false, "mes": "第{n}句话。"}}' for n in range(30)]
    path.write_text("\n".join(lines), encoding="utf-8")
    return memory.imports.import_file(CTX, path).chat_id


def only_event(memory, chat, **query):
    (pk,) = memory.events.find(chat, EventQuery(**query))
    return memory.events.fetch(chat, [pk])[pk]


def test_a_fact_is_locked_confirmed_visible_and_recalled(memory, lin_chat):
    data = PlotExtraction("银器会灼伤林晚的皮肤。", ("银器",), kind="fact")
    pk, changes = memory.events.add(Line.main(lin_chat), data, SourceRange(5, 5))
    assert changes.events == {pk}
    fact = only_event(memory, lin_chat, kind="fact")
    assert (fact.pk, fact.confidence, fact.extractor) == (pk, "confirmed", "manual")
    assert fact.is_locked
    assert not fact.is_archived
    assert [e.pk for e in memory.session.chat(lin_chat).events.visible()] == [pk]
    memory.index.embed_pending(CTX, lin_chat)
    memory.pipeline.consolidate(CTX, Line.main(lin_chat))
    assert not only_event(memory, lin_chat, kind="fact").is_archived
    hits = memory.recall.ask(CTX, lin_chat, RecallQuery("银器灼伤", kinds=("event",))).hits
    assert [h.item.ref for h in hits] == [fact.id]
    memory.history.undo(lin_chat)
    assert not memory.events.find(lin_chat, EventQuery())


def test_a_memory_by_hand_names_the_entities_the_chat_knows(memory, lin_chat):
    first = PlotExtraction("林晚到了港口。", entities=(ExtractedEntity("林晚", "char"),))
    memory.events.add(Line.main(lin_chat), first, SourceRange(0, 0))
    memory.pipeline.consolidate(CTX, Line.main(lin_chat))
    pk, _changes = memory.events.add(
        Line.main(lin_chat), PlotExtraction("林晚睡着了。"), SourceRange(1, 2)
    )
    event = memory.events.fetch(lin_chat, [pk])[pk]
    assert event.participants == ("林晚",)
    assert not event.is_locked


@pytest.mark.parametrize(
    ("text", "first", "last"), [("  ", 0, 0), ("甲", 0, 30), ("甲", 3, 2), ("甲", -1, 0)]
)
def test_a_memory_without_words_or_floors_is_refused(memory, lin_chat, text, first, last):
    with pytest.raises(InputError):
        memory.events.add(Line.main(lin_chat), PlotExtraction(text), SourceRange(first, last))
    assert not memory.events.find(lin_chat, EventQuery())


def test_who_vouches_for_a_memory_follows_what_is_done_to_it(memory, tmp_path):
    chat = import_chat(memory, tmp_path / "故事.jsonl", story_rows(60))
    memory.pipeline.summarise(CTX, Line.main(chat), (0, 49), "extractive")
    pks = memory.events.find(chat, EventQuery(confidence="extracted"))
    assert pks
    assert pks == memory.events.find(chat, EventQuery())
    memory.events.set_confirmed(CTX, chat, pks, confirmed=True)
    assert memory.events.find(chat, EventQuery(confidence="confirmed")) == pks
    memory.events.set_confirmed(CTX, chat, pks, confirmed=False)
    assert memory.events.find(chat, EventQuery(confidence="extracted")) == pks
    memory.history.undo(chat)
    memory.history.undo(chat)
    assert memory.events.find(chat, EventQuery(confidence="extracted")) == pks
    memory.events.update(chat, pks[0], EventPatch(summary="林晚说了三十句话。"))
    assert memory.events.fetch(chat, pks[:1])[pks[0]].confidence == "confirmed"


def test_an_event_made_green_by_hand_joins_the_graph_and_undo_takes_it_out(memory, lin_chat):
    names = (ExtractedEntity("林晚", "char"), ExtractedEntity("银匕首", "item"))
    said = (ExtractedRelation("林晚", "持有", "银匕首"),)
    data = PlotExtraction("林晚拔出银匕首。", entities=names, relations=said)
    pk, _changes = memory.events.add(Line.main(lin_chat), data, SourceRange(3, 4))
    assert memory.graph.find_entities(Line.main(lin_chat)) == []
    changes = memory.events.set_archived(CTX, lin_chat, [pk], archived=True)
    assert len(changes.entities) == 2
    assert {e.name for e in memory.graph.find_entities(Line.main(lin_chat))} == {"林晚", "银匕首"}
    memory.history.undo(lin_chat)
    assert memory.graph.find_entities(Line.main(lin_chat)) == []
    memory.settings.set("memory.mode", "vector", lin_chat)
    memory.events.set_archived(CTX, lin_chat, [pk], archived=True)
    assert memory.graph.find_entities(Line.main(lin_chat)) == []


def test_levels_are_ordered_from_imported_to_confirmed():
    assert [is_at_least(c, "extracted") for c in CONFIDENCES] == [False, True, True, True]


def test_only_what_is_trusted_enough_is_injected(memory, tmp_path):
    chat = import_chat(memory, tmp_path / "故事.jsonl", story_rows(60))
    memory.pipeline.summarise(CTX, Line.main(chat), (0, 49), "extractive")
    memory.pipeline.consolidate(CTX, Line.main(chat))
    memory.index.embed_pending(CTX, chat)
    memory.settings.set("visible.newest", 0, chat)
    (first, *_rest) = memory.events.find(chat, EventQuery(level=0))
    event = memory.events.fetch(chat, [first])[first]
    asked = RecallQuery(event.summary, kinds=("event", "entity"))

    def injected():
        made = memory.inject.compose(CTX, chat, asked)
        return {h.item.ref for h in made.hits if h.item.kind == "event"}

    assert event.id in injected()
    memory.settings.set("inject.confidence", "confirmed", chat)
    assert injected() == set()
    assert "第" not in memory.inject.compose(CTX, chat, asked).text  # no relation, no entity either
    memory.events.set_confirmed(CTX, chat, [first], confirmed=True)
    # its outline is not confirmed: the story tells it by this part
    assert event.summary in memory.inject.compose(CTX, chat, asked).text
    memory.history.undo(chat)
    assert event.summary not in memory.inject.compose(CTX, chat, asked).text
    memory.recall.ask(CTX, chat, asked)  # the curator sees everything
    assert memory.recall.ask(CTX, chat, asked).hits


# Events that say the same: found without a model, kept apart for good, or joined into one.

KEY = "爱丽丝在月光酒馆的地窖里把铜钥匙交给旅人。"
AGAIN = "爱丽丝在月光酒馆的地窖把那把铜钥匙交给了旅人。"
OTHER = "凯尔带着卫兵巡逻码头，发现了一艘没有旗帜的船。"


@pytest.fixture
def long_chat(memory, tmp_path):
    return import_chat(memory, tmp_path / "chat.jsonl", story_rows(40))


@pytest.fixture
def add(memory, long_chat):
    store = memory.session.chat(long_chat)

    def write(summary, first, last, **over):
        data = PlotExtraction(summary, keywords=(summary[:2],))
        with store.step(StepLabel(ADD, {"summary": ""})):
            event = make_event(summary, first, last, raw_data=data, **over)
            (pk,) = store.events.add([event], 1)
        return pk

    return write


def found(memory, chat):
    return [set(group.pks) for group in memory.events.duplicates(CTX, Line.main(chat))]


def test_the_same_of_overlapping_floors_and_the_same_words_anywhere(memory, long_chat, add):
    one, two = add(KEY, 0, 9), add(AGAIN, 5, 12)
    add(OTHER, 0, 9)
    add(AGAIN.replace("爱丽丝", "莉莉丝"), 20, 30)  # much the same, of other floors
    three, four = add(OTHER + "再来。", 31, 35), add(OTHER + "再来。", 36, 39)
    assert found(memory, long_chat) == [{three, four}, {one, two}]


def test_what_is_kept_apart_stays_apart_until_that_is_undone(memory, long_chat, add):
    add(KEY, 0, 9)
    add(AGAIN, 5, 12)
    (group,) = memory.events.duplicates(CTX, Line.main(long_chat))
    memory.events.keep_apart(long_chat, [pair.ids for pair in group.pairs])
    assert found(memory, long_chat) == []
    memory.history.undo(long_chat)
    assert found(memory, long_chat) == [set(group.pks)]


def test_joining_unites_floors_texts_and_evidence_and_is_undone(memory, long_chat, add):
    one, two = add(KEY, 0, 9), add(OTHER, 5, 12)
    memory.events.set_archived(CTX, long_chat, [one, two], archived=True)
    store = memory.session.chat(long_chat)
    before = memory.events.fetch(long_chat, [one, two])
    changes = memory.events.join(CTX, long_chat, [two, one])
    assert changes.rows
    (left,) = memory.events.find(long_chat, EventQuery())
    event = memory.events.fetch(long_chat, [left])[left]
    assert left == one
    assert (event.source_range.start_index, event.source_range.end_index) == (0, 12)
    assert KEY in event.summary
    assert OTHER in event.summary
    assert set(event.keywords) == {KEY[:2], OTHER[:2]}
    assert "凯尔" in event.display_text
    assert store.entities.of_events([one]) >= store.entities.of_events([two])
    memory.history.undo(long_chat)
    assert memory.events.fetch(long_chat, [one, two])[one].raw_data == before[one].raw_data
    assert not memory.events.fetch(long_chat, [two])[two].is_deleted


def test_one_event_and_a_locked_one_are_not_joined(memory, long_chat, add):
    one, two = add(KEY, 0, 9), add(OTHER, 5, 12, is_locked=True)
    for pks in ([one], [one, two]):
        with pytest.raises(InputError):
            memory.events.join(CTX, long_chat, pks)


def test_a_chain_of_alike_events_is_no_group(memory, long_chat, add):
    words = "船长 水手 望远镜 风暴 海图 罗盘 灯塔 暗礁 码头 货舱".split()
    pks = [add("".join(words[n : n + 6]), n * 2, n * 2 + 9) for n in range(4)]
    assert all(len(group) < len(pks) for group in found(memory, long_chat))


# What an event was, read back from the steps that are kept.


@pytest.fixture
def key_event(memory, chat):
    made, _changes = memory.events.add(
        Line.main(chat), make_extraction("爱丽丝拾到铜钥匙。"), SourceRange(2, 5)
    )
    return made


def summaries(memory, chat, pk):
    return [version.event.summary for version in memory.events.history(chat, pk)]


def test_each_step_gives_a_version_and_the_first_is_as_it_was_made(memory, chat, key_event):
    memory.events.update(
        chat, key_event, EventPatch(summary="爱丽丝藏起铜钥匙。", details="在钟楼里")
    )
    memory.events.update(chat, key_event, EventPatch(significance_score=0.9))
    memory.events.set_archived(CTX, chat, [key_event], archived=True)
    versions = memory.events.history(chat, key_event)
    assert [v.event.summary for v in versions] == ["爱丽丝藏起铜钥匙。"] * 3 + [
        "爱丽丝拾到铜钥匙。"
    ]
    assert [v.event.is_archived for v in versions] == [True, False, False, False]
    assert [v.event.significance_score for v in versions][1:3] == [0.9, 0.5]
    assert [v.event.raw_data.details for v in versions][2:] == ["在钟楼里", ""]
    assert all(v.label is not None and v.at for v in versions)


def test_what_was_undone_is_no_version_and_going_back_is_one(memory, chat, key_event):
    memory.events.update(chat, key_event, EventPatch(summary="第二版", details="二"))
    memory.events.update(chat, key_event, EventPatch(summary="第三版", details="三"))
    memory.history.undo(chat)
    assert summaries(memory, chat, key_event) == ["第二版", "爱丽丝拾到铜钥匙。"]
    oldest = memory.events.history(chat, key_event)[-1]
    memory.events.update(chat, key_event, oldest.patch)
    assert summaries(memory, chat, key_event) == [
        "爱丽丝拾到铜钥匙。",
        "第二版",
        "爱丽丝拾到铜钥匙。",
    ]
    assert memory.events.history(chat, key_event)[0].event.raw_data == oldest.event.raw_data
    memory.history.undo(chat)
    assert summaries(memory, chat, key_event)[0] == "第二版"


def test_steps_that_are_kept_no_more_leave_what_was_before_them(memory, chat, key_event):
    memory.settings.set("undo.steps", 10)
    for n in range(14):
        memory.events.update(chat, key_event, EventPatch(summary=f"第{n}版", details=str(n)))
    versions = memory.events.history(chat, key_event)
    assert versions[0].event.summary == "第13版"
    assert versions[-1].label is None or versions[-1].event.summary == "爱丽丝拾到铜钥匙。"


def test_other_steps_are_no_versions(memory, chat, key_event):
    memory.index.embed_pending(CTX, chat)
    memory.pipeline.summarise(CTX, Line.main(chat), extractor="extractive")
    assert summaries(memory, chat, key_event) == ["爱丽丝拾到铜钥匙。"]


def test_an_event_that_is_none(memory, chat):
    with pytest.raises(NotFound):
        memory.events.history(chat, 999_999)


# Explain and correct: what a recall weighed is kept, and what must not be used stays away.

TOPIC = RecallQuery("第20把铜钥匙", top_k=5)


@pytest.fixture
def consolidated(memory, tmp_path):
    chat_id = import_chat(memory, tmp_path / "故事.jsonl", story_rows(60))
    memory.pipeline.summarise(CTX, Line.main(chat_id), (0, 39), "extractive")
    memory.pipeline.consolidate(CTX, Line.main(chat_id))
    memory.index.embed_pending(CTX, chat_id)
    return chat_id


def refs(memory, chat, query=TOPIC):
    return [hit.item.ref for hit in memory.recall.ask(CTX, chat, query).hits]


def test_a_recall_can_be_explained_later(memory, consolidated):
    found = memory.recall.ask(CTX, consolidated, TOPIC)
    past = memory.recall.past(consolidated)[0]
    assert (past.query, past.hits) == (TOPIC.text, 5)
    why = memory.recall.explanation(consolidated, past.id)
    taken = [t for t in why.traces if t.dropped is None]
    assert [t.ref for t in taken] == [hit.item.ref for hit in found.hits]
    assert taken[0].why == found.hits[0].why
    assert any(t.dropped == "below" for t in why.traces)
    assert all(len(t.text) <= EXCERPT for t in why.traces)
    with pytest.raises(NotFound):
        memory.recall.explanation(consolidated, 999)


def test_an_injection_is_one_line_of_the_log_with_its_text_and_what_did_not_fit(
    memory, consolidated
):
    made = memory.inject.compose(CTX, consolidated, TOPIC, 150)
    past = memory.recall.past(consolidated)
    assert len(past) == 1
    why = memory.recall.explanation(consolidated, past[0].id)
    assert (why.purpose, why.text) == ("inject", made.text)
    reasons = {t.dropped for t in why.traces}
    assert "budget" in reasons
    assert [t.item_id for t in why.traces if t.dropped is None] == [h.item.id for h in made.hits]
    assert Explanation.from_json(json.loads(json.dumps(why.to_json()))) == why


def test_the_log_is_bounded(memory, consolidated):
    store = memory.session.chat(consolidated)
    for _ in range(RECALLS_KEPT + 20):
        store.ledger.add_recall(1, "x", 1.0, Explanation("recall", text="y"))
    assert store.database.value("SELECT count(*) FROM recall_log") == RECALLS_KEPT
    assert len(memory.recall.past(consolidated, 10_000)) == DETAILS_KEPT


def test_what_is_not_to_be_used_again_stays_away_until_it_is_allowed(memory, consolidated):
    first = refs(memory, consolidated)[0]
    memory.recall.set_muted(consolidated, [first], muted=True)
    assert first not in refs(memory, consolidated)
    assert [item.ref for item in memory.recall.muted(consolidated)] == [first]
    memory.inject.compose(CTX, consolidated, TOPIC)
    why = memory.recall.explanation(consolidated, memory.recall.past(consolidated)[0].id)
    assert next(t for t in why.traces if t.ref == first).dropped == "muted"
    memory.history.undo(consolidated)
    assert refs(memory, consolidated)[0] == first
    memory.history.redo(consolidated)
    assert first not in refs(memory, consolidated)
    memory.recall.set_muted(consolidated, [first], muted=False)
    assert refs(memory, consolidated)[0] == first
    with pytest.raises(NotFound):
        memory.recall.set_muted(consolidated, ["nothing"], muted=True)


def test_a_muted_event_is_not_injected_even_if_it_is_always_visible_nor_after_an_edit(
    memory, consolidated
):
    data = make_extraction("爱丽丝把银铃系在门上。")
    pk, _changes = memory.events.add(Line.main(consolidated), data, SourceRange(40, 45))
    event = memory.events.fetch(consolidated, [pk])[pk]
    assert "银铃" in memory.inject.compose(CTX, consolidated, TOPIC).text
    memory.recall.set_muted(consolidated, [event.id], muted=True)
    assert "银铃" not in memory.inject.compose(CTX, consolidated, TOPIC).text
    memory.events.update(consolidated, pk, EventPatch(summary="爱丽丝把银铃挂在门上。"))
    assert "银铃" not in memory.inject.compose(CTX, consolidated, TOPIC).text


# Private logs: written, found by those who may know them, true to what they tell of.

SPAN = SourceRange(3, 5)


@pytest.fixture
def log(memory, long_chat):
    patch = LogPatch(
        "爱丽丝", "企鹅太可爱了，我还想和他再去一次。", ("开心", "期待"), source_range=SPAN
    )
    pk, _changes = memory.logs.add(Line.main(long_chat), patch)
    return memory.logs.fetch(long_chat, [pk])[pk]


def recalled(memory, chat, actor=None, **query):
    memory.index.embed_pending(CTX, chat)
    asked = RecallQuery("企鹅太可爱了", kinds=("log",), actor=actor, **query)
    return [h.item.ref for h in memory.recall.ask(CTX, chat, asked).hits]


def test_only_its_owner_and_the_curator_recall_it(memory, long_chat, log):
    assert recalled(memory, long_chat) == [log.id]
    assert recalled(memory, long_chat, "爱丽丝") == [log.id]
    assert recalled(memory, long_chat, "凯尔") == []


def test_scope_can_be_widened_and_a_condition_denies_what_it_cannot_check(memory, long_chat, log):
    memory.logs.update(long_chat, log.pk, LogPatch(scope="global"))
    assert recalled(memory, long_chat, "凯尔") == [log.id]
    memory.logs.update(long_chat, log.pk, LogPatch(scope="conditional", condition="affinity > 90"))
    assert recalled(memory, long_chat, "凯尔") == []
    with pytest.raises(InputError):
        memory.logs.update(long_chat, log.pk, LogPatch(condition=" "))


def test_an_edit_is_found_by_its_new_words_and_undone_whole(memory, long_chat, log):
    changes = memory.logs.update(
        long_chat, log.pk, LogPatch(content="水母也好看。", emotion_tags=())
    )
    assert changes.logs
    assert recalled(memory, long_chat) == [log.id]  # the nearest there is
    assert memory.logs.find(long_chat, LogQuery("企鹅")).tolist() == []
    memory.history.undo(long_chat)
    assert memory.logs.fetch(long_chat, [log.pk])[log.pk] == log
    assert memory.logs.find(long_chat, LogQuery("企鹅")).tolist() == [log.pk]


def test_lists_are_narrowed_by_owner_and_words(memory, long_chat, log):
    other, _changes = memory.logs.add(
        Line.main(long_chat),
        LogPatch("凯尔", "她在瞒着我什么。", ("怀疑",), source_range=SourceRange(0, 1)),
    )
    assert memory.logs.find(long_chat, LogQuery()).tolist() == [other, log.pk]
    assert memory.logs.find(long_chat, LogQuery(owner="凯尔")).tolist() == [other]
    assert memory.logs.find(long_chat, LogQuery("怀疑")).tolist() == [other]
    assert memory.logs.owners(Line.main(long_chat)) == [("凯尔", 1), ("爱丽丝", 1)]


def test_it_is_stale_when_its_message_changes_and_gone_with_it(memory, long_chat, log):
    memory.messages.edit(Line.main(long_chat), 4, "改了。")
    assert memory.logs.fetch(long_chat, [log.pk])[log.pk].is_stale
    assert recalled(memory, long_chat) == []  # it may no longer be true
    memory.messages.delete(Line.main(long_chat), [3, 4, 5])
    assert memory.logs.fetch(long_chat, [log.pk]) == {}
    assert recalled(memory, long_chat) == []
    memory.history.undo(long_chat)
    memory.history.undo(long_chat)
    assert recalled(memory, long_chat) == [log.id]


def test_a_branch_sees_those_before_the_fork_and_its_own(memory, long_chat, log):
    early, _changes = memory.branches.fork(Line.main(long_chat), at=4, name="早")
    late, _changes = memory.branches.fork(Line.main(long_chat), at=20, name="晚")
    own, _changes = memory.logs.add(
        Line(long_chat, early), LogPatch("爱丽丝", "只在这条线。", source_range=SourceRange(4, 4))
    )
    assert memory.logs.find(long_chat, LogQuery(branch_id=early)).tolist() == [own]
    assert memory.logs.find(long_chat, LogQuery(branch_id=late)).tolist() == [log.pk]
    assert memory.logs.find(long_chat, LogQuery()).tolist() == [log.pk]


def test_it_points_to_an_event_that_exists(memory, long_chat, log):
    data = PlotExtraction("爱丽丝去了水族馆。")
    pk, _changes = memory.events.add(Line.main(long_chat), data, SourceRange(3, 3))
    event = memory.events.fetch(long_chat, [pk])[pk]
    memory.logs.update(long_chat, log.pk, LogPatch(linked_event_id=event.id))
    assert memory.logs.find_one(long_chat, log.id).linked_event_id == event.id
    memory.logs.update(long_chat, log.pk, LogPatch(linked_event_id=""))
    assert memory.logs.find_one(long_chat, log.id).linked_event_id is None
    with pytest.raises(NotFound):
        memory.logs.update(long_chat, log.pk, LogPatch(linked_event_id="nothing"))


@pytest.mark.parametrize(
    "patch",
    [
        LogPatch(" ", "甲", source_range=SPAN),
        LogPatch("爱丽丝", " ", source_range=SPAN),
        LogPatch("爱丽丝", "甲", source_range=SourceRange(0, 40)),
        LogPatch("爱丽丝", "甲"),
    ],
)
def test_what_is_incomplete_is_refused(memory, long_chat, patch):
    with pytest.raises(InputError):
        memory.logs.add(Line.main(long_chat), patch)


def test_deleted_entries_leave_the_index_and_are_repaired_when_they_do_not(memory, long_chat, log):
    assert memory.logs.delete(long_chat, [log.pk]).logs
    assert recalled(memory, long_chat) == []
    with pytest.raises(NotFound):
        memory.logs.find_one(long_chat, log.id)
    memory.history.undo(long_chat)
    store = memory.session.chat(long_chat)
    with store.database.writing() as connection:
        connection.execute("DELETE FROM memory_item WHERE kind = 'log'")
    assert store.items.faults() == 1
    memory.care.doctor(CTX, repair=True)
    assert recalled(memory, long_chat) == [log.id]


def test_a_shared_log_is_known_to_its_owner_and_to_who_was_there(memory, long_chat, log):
    there = (ExtractedEntity("爱丽丝", "char"), ExtractedEntity("凯尔", "char"))
    data = PlotExtraction(
        "爱丽丝与凯尔在水族馆看企鹅。", entities=there, witnesses=("爱丽丝", "凯尔")
    )
    event, _changes = memory.events.add(Line.main(long_chat), data, SPAN)
    event_id = memory.events.fetch(long_chat, [event])[event].id
    memory.logs.update(long_chat, log.pk, LogPatch(scope="shared"))
    assert recalled(memory, long_chat, "爱丽丝") == [log.id]
    assert recalled(memory, long_chat, "凯尔") == []  # it tells of nothing that he took part in
    memory.logs.update(long_chat, log.pk, LogPatch(linked_event_id=event_id))
    for actor in ("爱丽丝", "凯尔"):
        assert recalled(memory, long_chat, actor) == [log.id]
    assert recalled(memory, long_chat, "莉莉丝") == []
    assert (
        "企鹅太可爱"
        in memory.inject.compose(CTX, long_chat, RecallQuery("企鹅", actor="凯尔")).text
    )
    assert (
        "企鹅太可爱"
        not in memory.inject.compose(CTX, long_chat, RecallQuery("企鹅", actor="莉莉丝")).text
    )
