"""Findings of a chat: worked out at reading, true after edits, undo and on branches; answered."""

from __future__ import annotations

import json
import tempfile
from dataclasses import replace

import pytest
from typing_extensions import override

from engram_desktop.domain.errors import InputError, NotFound, StorageError
from engram_desktop.domain.memory.event import SourceRange
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.recall.query import RecallQuery
from engram_desktop.jobs.context import Cancelled, NullContext
from engram_desktop.services.knowledge import claims
from engram_desktop.services.knowledge.findings_service import AnsweredOtherwise
from engram_desktop.services.knowledge.line_claims import ClaimRows, PackedFile
from engram_desktop.storage.chat.claims import ClaimRow
from tests.factories import import_chat, model_at, write_chat
from tests.fake_openai import FakeOpenAI
from tests.findings_stories import FOLDER, Story
from tests.tavern import TavernChatFile

CTX = NullContext()
STORY = Story(FOLDER / "flat_4b.toml")
ROWS = STORY.messages


@pytest.fixture
def line(memory, tmp_path):
    file = write_chat(tmp_path / "flat.jsonl", ROWS, user="Sam")
    return Line.main(memory.imports.import_file(CTX, file).chat_id)


def found(memory, line, *kinds, **where):
    return memory.findings.findings(CTX, line, kinds, **where)


class StoppedAt(NullContext):
    """Notes what is reported, and is cancelled once ``floor`` is reached."""

    def __init__(self, floor):
        super().__init__()
        self.floor, self.reached = floor, []

    @override
    def report(self, done, total, label=""):
        self.reached.append(done)
        if done >= self.floor:
            raise Cancelled


def test_findings_of_a_long_chat_tell_how_far_and_go_on_where_they_were_stopped(memory, tmp_path):
    rows = [*ROWS, *[("Sam", "Hm."), ("Mina", "Mm.")] * 1_700]
    chat_id = memory.imports.import_file(CTX, write_chat(tmp_path / "c.jsonl", rows)).chat_id
    line = Line.main(chat_id)
    claims.load(CTX, memory.session.chat(chat_id), line.branch_id)
    stopped, again = StoppedAt(1_000), StoppedAt(9_999)
    with pytest.raises(Cancelled):
        memory.findings.findings(stopped, line)
    told = memory.findings.findings(again, line)
    assert stopped.reached[0] == 0
    assert again.reached[0] == stopped.reached[-1] > 0
    assert len(told) > 5
    memory.session.leave(chat_id)  # nothing is known of it any more
    assert memory.findings.findings(CTX, line) == told


@pytest.mark.parametrize("in_memory", [100, 1_000_000])
def test_rows_that_are_held_compressed_are_those_that_were_read(in_memory):
    rows = [
        ClaimRow(
            f"m{n}", f"h{n % 7}", "甲" if n % 2 else "乙", f"b{n}", f"a{n}", "", "", f"w{n}", "", ""
        )
        for n in range(700)
    ]
    held = ClaimRows(PackedFile(in_memory))
    for row in rows:
        held.append(row)
    for floors in (0, 1, 127, 128, 129, 256, 300, 640, 699, 700):
        part = held.first(floors)
        assert list(part.since(0)) == rows[:floors]
        assert part.context == (f"a{floors - 1}" if floors else "")
        for row in rows[floors:]:
            part.append(row)
        assert part.is_same(held, 700)
        assert list(part.since(130)) == rows[130:]
        assert list(part.heads()) == [(row.message_id, row.sender, row.swipe_hash) for row in rows]
        assert [part.facts(n) for n in range(6)] == [[""] * 128] * 5 + [[""] * 60]
        assert list(part.words(500)) == [row.words for row in rows[500:]]
        assert part.by_message(100, 260) == {row.message_id: row for row in rows[100:261]}
    other = held.first(40)
    for row in (replace(rows[40], facts="[]"), *rows[41:]):
        other.append(row)
    assert other.is_same(held, 40)
    assert not other.is_same(held, 41)
    assert not other.is_same(held, 700)


def test_a_temporary_folder_that_cannot_be_written_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "gone"))
    with pytest.raises(StorageError, match="gone"):
        PackedFile(in_memory=1).add([["row"]] * 5)


def test_what_is_over_is_found_with_both_quotes(memory, line):
    works = next(f for f in found(memory, line, "superseded") if f.facet == "work")
    assert [q.floor for q in works.quotes] == [2, 30]
    assert "record shop" in works.quotes[0].text


def test_at_an_earlier_floor_nothing_is_over_yet(memory, line):
    assert not found(memory, line, "superseded", at=14)
    assert [f.status for f in found(memory, line, "lie", at=12)] == ["told"]


def test_the_deceived_know_of_a_lie_when_they_learn_better(memory, line):
    words = "We talk all the time."

    def told(**where):
        return [f.quotes[0].text for f in found(memory, line, "lie", **where)]

    assert words in told(at=12)[0]
    assert not told(actor="Sam", at=12)
    assert words in told(actor="Mina", at=12)[0]


SECRET = [
    ("卡萝", "大家好。"),
    ("鲍勃", "你好，卡萝。"),
    ("爱丽丝", "“我叫爱丽丝，是月光酒馆的店主。”爱丽丝笑着说。"),
    ("爱丽丝", "爱丽丝凑到鲍勃耳边低声说：“鲍勃，我是王都的密探。”"),
    ("鲍勃", "我不会说出去。"),
    ("卡萝", "你们在聊什么呢？"),
]


def test_who_somebody_is_said_to_be_is_told_to_those_who_heard_it(memory, tmp_path):
    line = Line.main(import_chat(memory, tmp_path / "密探.jsonl", SECRET))

    def said(actor="", at=None):
        spans = [SourceRange(0, len(SECRET) - 1)]
        told = memory.findings.descriptions(CTX, line, ("爱丽丝",), spans, actor, at)
        return [(d.floor, d.text) for d in told]

    open_words = (2, "我叫爱丽丝，是月光酒馆的店主。")
    secret = (3, "鲍勃，我是王都的密探。")
    assert said() == said("鲍勃") == [open_words, secret]
    assert said("卡萝") == said(at=2) == [open_words]


def test_somebody_who_is_not_in_the_story_is_said_not_to_be(memory, line):
    with pytest.raises(NotFound):
        found(memory, line, actor="Nobody")


def test_an_edit_takes_away_what_it_took_back(memory, line):
    before = {f.id for f in found(memory, line)}
    memory.messages.edit(line, 30, "*two weeks later* I'm home! I missed the cat.")
    assert not [
        f for f in found(memory, line, "superseded") if f.facet == "work" and 30 in f.floors
    ]
    memory.history.undo(line.chat_id)
    assert {f.id for f in found(memory, line)} == before


def test_what_was_deleted_asserts_nothing(memory, line):
    memory.messages.delete_last(line, 10)
    assert all(q.floor < 28 for f in found(memory, line) for q in f.quotes)


def test_a_branch_has_its_own_findings(memory, line):
    branch, _changes = memory.branches.fork(line, at=20, name="other")
    other = Line(line.chat_id, branch)
    assert not [f for f in found(memory, other, "superseded") if f.floors[-1] > 20]
    assert [f for f in found(memory, line, "superseded") if f.floors[-1] > 20]


def test_an_answer_is_one_step_and_is_kept(memory, line, tmp_path):
    promise = found(memory, line, "promise")[0]
    memory.findings.answer(CTX, line, promise.id, "given_up")
    assert next(f for f in found(memory, line) if f.id == promise.id).status == "given_up"
    again = [*ROWS, ("Sam", "*yawns* Good night.")]
    file = write_chat(tmp_path / "flat.jsonl", again, user="Sam")
    memory.imports.import_file(CTX, file)
    assert next(f for f in found(memory, line) if f.id == promise.id).status == "given_up"


def test_an_answer_is_undone(memory, line):
    promise = found(memory, line, "promise")[0]
    memory.findings.answer(CTX, line, promise.id, "broken")
    memory.history.undo(line.chat_id)
    assert next(f for f in found(memory, line) if f.id == promise.id).status == promise.status
    memory.history.redo(line.chat_id)
    assert next(f for f in found(memory, line) if f.id == promise.id).status == "broken"


def test_answers_that_mean_nothing_are_refused(memory, line):
    promise = found(memory, line, "promise")[0]
    with pytest.raises(InputError, match="no answer"):
        memory.findings.answer(CTX, line, promise.id, "later")
    with pytest.raises(NotFound):
        memory.findings.answer(CTX, line, "no such id", "kept")


def test_two_programs_that_answer_otherwise_get_one_clear_line(memory, line):
    one = found(memory, line, "promise")[0]
    memory.findings.answer(CTX, line, one.id, "broken")  # in another window
    with pytest.raises(AnsweredOtherwise, match="broken"):
        memory.findings.answer(CTX, line, one.id, "kept", seen="")
    assert next(f for f in found(memory, line) if f.id == one.id).status == "broken"


def test_a_prompt_marks_what_is_over_and_tells_what_is_due(memory, line):
    memory.messages.edit(line, 27, "*three days later* It is raining.")  # no photo of the cat
    memory.pipeline.summarise(CTX, line)
    query = RecallQuery("Where is the spare key, and will you look after Biscuit?")
    text = memory.inject.compose(CTX, line.chat_id, query, 1500).text
    assert "the ugly one. [until floor 15]" in text
    assert "Promises still open: “I'll look after Biscuit" in text
    assert "internet may die" not in text
    assert "lunch break" not in text


def test_a_promise_that_was_just_made_does_not_bring_itself_up(memory, line):
    memory.messages.edit(line, 27, "*three days later* It is raining.")  # so it stays open
    memory.pipeline.summarise(CTX, line)
    promise = next(f for f in found(memory, line, "promise") if "Biscuit" in f.quotes[0].text)
    made = promise.quotes[0].floor

    def at(floor):
        query = RecallQuery("Where is the spare key?", at=floor)
        return memory.inject.compose(CTX, line.chat_id, query, 1500).sections

    assert "promises" not in at(made)
    assert "promises" not in at(made + 1)


def test_the_deceived_read_no_mark_of_a_lie(memory, line):
    memory.pipeline.summarise(CTX, line)
    query = RecallQuery("Do you talk to Theo all the time?", at=15)
    assert "[a lie]" in memory.inject.compose(CTX, line.chat_id, query, 1500).text
    query = RecallQuery("Do you talk to Theo all the time?", at=15, actor="Sam")
    as_sam = memory.inject.compose(CTX, line.chat_id, query, 1500).text
    assert "We talk all the time." in as_sam
    assert "[a lie]" not in as_sam


def test_claims_are_read_once_and_again_when_their_text_changes(memory, line):
    memory.findings.claims(CTX, line)
    store = memory.session.chat(line.chat_id)
    before = store.claims.rows()
    assert len(before) == len(ROWS)
    memory.messages.edit(line, 3, "I'm a junior chef at Luigi's.")
    memory.findings.claims(CTX, line)
    after = store.claims.rows()
    changed = {i for i, row in after.items() if before[i] != row}
    assert 1 <= len(changed) <= 4  # the message, and those whose context it changed


def test_the_check_takes_away_what_was_read_of_messages_that_are_gone(memory, line):
    memory.findings.claims(CTX, line)
    memory.messages.delete_last(line, 3)
    memory.care.doctor(CTX, repair=True)
    assert len(memory.session.chat(line.chat_id).claims.rows()) == len(ROWS) - 3


def test_the_deceived_learn_of_it_by_a_confession_they_hear(memory, line):
    assert not found(memory, line, "lie", actor="Sam", at=23)
    [lie] = found(memory, line, "lie", actor="Sam")
    assert (lie.status, lie.who, lie.floors[-1]) == ("found_out", ("Mina",), 24)


def test_a_known_name_with_the_verb_behind_it_is_no_other_person(memory, tmp_path):
    rows = [("爱丽丝", f"鲍勃住在{place}。") for place in ("桥头", "北门", "松林", "磨坊")]
    rows += [("鲍勃", "今天下雨了。"), ("爱丽丝", "我们走吧。")]
    chat_id = import_chat(memory, tmp_path / "故事.jsonl", rows)
    claims = memory.findings.claims(CTX, Line.main(chat_id))
    assert {claim.about for claim in claims if claim.facet == "home"} == {"鲍勃"}


# Mistakes: what its speaker believed, and what shows it wrong.


@pytest.fixture
def weir(memory, tmp_path):
    story = Story(FOLDER / "mistaken_en.toml")
    file = write_chat(tmp_path / "weir.jsonl", story.messages, user="Tom")
    return Line.main(memory.imports.import_file(CTX, file).chat_id)


def test_a_mistake_is_held_until_its_speaker_learns_better(memory, weir):
    def told(**where):
        rows = found(memory, weir, "mistaken", **where)
        return {f.quotes[0].text: (f.status, f.who) for f in rows}

    now = told()
    assert now["The boat must have sunk at the bend."] == ("corrected", ("Tom",))
    assert now["This is gold."] == ("held", ("Bess",))
    assert "The boat must have sunk at the bend." not in told(at=4)
    assert set(told(actor="Tom")) <= set(now)
    assert "This is gold." not in told(actor="Bess"), "only the narration says so"
    assert "This is gold." not in told(actor="Tom")
    memory.messages.edit(weir, 5, '"Well, there it is," Tom said.')
    assert "The boat must have sunk at the bend." not in told()
    memory.history.undo(weir.chat_id)
    assert told() == now


def test_a_prompt_for_the_mistaken_has_no_mark_of_it(memory, weir):
    memory.pipeline.summarise(CTX, weir)

    def prompt(name):
        asked = RecallQuery("What did Bess find? Is it gold?", actor=name)
        return memory.inject.compose(CTX, weir.chat_id, asked, 1500).text

    assert "This is gold" in prompt(None)
    assert "[mistaken]" in prompt(None)
    assert "This is gold" in prompt("Bess")
    assert "[mistaken]" not in prompt("Bess").split("This is gold")[1].split("\n")[0]


# Threads that the user notes in the text.

HINT = "record shop"


def noted(memory, line):
    return [f for f in found(memory, line, "promise") if HINT in f.quotes[0].text]


def test_a_noted_thread_is_an_open_promise_until_it_is_answered(memory, line):
    assert not noted(memory, line)
    memory.findings.note_thread(CTX, line, 2, HINT)
    (thread,) = noted(memory, line)
    assert (thread.status, thread.floors) == ("open", (2,))
    assert thread.who
    assert not [f for f in found(memory, line, "promise", at=1) if HINT in f.quotes[0].text]
    memory.findings.answer(CTX, line, thread.id, "kept")
    assert noted(memory, line)[0].answer == "kept"
    memory.history.undo(line.chat_id)
    memory.history.undo(line.chat_id)
    assert not noted(memory, line), "one step"


def test_a_noted_thread_comes_back_with_its_message(memory, line):
    last = memory.messages.count(line) - 1
    words = memory.messages.slice(line, last, last)[0].text.strip()[:12]
    memory.findings.note_thread(CTX, line, last, words)
    memory.messages.delete_last(line, 1)
    assert not [f for f in found(memory, line, "promise") if f.quotes[0].text == words]
    memory.history.undo(line.chat_id)
    assert [f for f in found(memory, line, "promise") if f.quotes[0].text == words]


def test_a_noted_thread_is_kept_through_a_re_import_and_branches(memory, line, tmp_path):
    memory.findings.note_thread(CTX, line, 2, HINT)
    (before,) = noted(memory, line)
    file = write_chat(tmp_path / "flat.jsonl", [*ROWS, ("Mina", "One more thing.")], user="Sam")
    memory.imports.import_file(CTX, file)
    assert [f.id for f in noted(memory, line)] == [before.id]
    branch, _changes = memory.branches.fork(line, at=20, name="other")
    assert [f.id for f in noted(memory, Line(line.chat_id, branch))] == [before.id]
    store = memory.session.chat(line.chat_id)
    (kept,) = store.claims.noted()
    with store.database.writing():
        store.database.run_many("UPDATE noted_thread SET message_id = ?", [("gone",)])
        store.database.run_many("UPDATE revision SET number = number + 1", [()])
    assert [f.id for f in noted(memory, line)] == [before.id], "found by its words"
    assert kept.floor == 2


def test_a_thread_goes_with_its_words_and_can_be_taken_away(memory, line):
    memory.findings.note_thread(CTX, line, 2, HINT)
    memory.messages.edit(line, 2, "Nothing of the kind.")
    assert not [f for f in noted(memory, line) if f.floors == (2,)]
    memory.history.undo(line.chat_id)
    ids = memory.findings.noted_at(line, 2, "the record shop")
    assert memory.findings.noted_at(line, 2, "zzz") == []
    memory.findings.forget_threads(line, ids or memory.findings.noted_at(line, 2, HINT))
    assert not noted(memory, line)


def test_words_that_a_floor_does_not_hold_are_no_thread(memory, line):
    with pytest.raises(InputError):
        memory.findings.note_thread(CTX, line, 2, "words of another story")


def test_an_entity_is_made_of_a_name_once(memory, line):
    made, _changes = memory.graph.add_entity(line, "The Record Shop", "loc")
    again, changes = memory.graph.add_entity(line, "the record shop")
    assert (again, changes.undo_label) == (made, None)
    assert memory.graph.named(line.chat_id, "The Record Shop").type == "loc"
    memory.history.undo(line.chat_id)
    assert memory.graph.named(line.chat_id, "The Record Shop") is None


def test_a_prompt_does_not_wait_for_the_claims_of_a_long_chat(memory, tmp_path):
    rows = [("爱丽丝", f"第{n}句话：鲍勃住在第{n}号楼。") for n in range(200)]
    line = Line.main(import_chat(memory, tmp_path / "故事.jsonl", rows))
    assert memory.findings.near(CTX, line, 64) is None, "200 messages are due"
    memory.findings.read(CTX, line)
    near = memory.findings.near(CTX, line, 64)
    assert near is not None
    memory.messages.append(line, "爱丽丝", "assistant", "鲍勃住在北门。")
    again = memory.findings.near(CTX, line, 64)
    assert again is not None
    assert len(again[1].rows) == 201, "one message is read for a prompt"


# Claims that a model hands back with the events of a block, beside those of rules.

LEDGER = [
    ("苏宁", "“柳承，账本还在么？”"),
    ("柳承", "“昨夜化成灰了。”他掸了掸袖子。\n\n柜子深处，蓝皮的账本安安稳稳地躺着。"),
    ("苏宁", "“那我去回老爷。”"),
    ("柳承", "“慢着。中秋前我把亏空补齐，绝不食言。我住在桂花巷。”"),
    ("苏宁", "“好。”"),
    (
        "柳承",
        "月亮圆了，他捧来三百两银子，一文不少，账平了。他如今搬到柳条胡同去了，住在柳条胡同。",
    ),
    ("苏宁", "“账本呢？”"),
    ("柳承", "“还在柜里，”他低声说，“先前那是唬你的。”"),
]


def claim(floor, speaker, about, facet, value, quote, **other):
    row = {"hearers": [], "polarity": True, "how": "said", "sign": "", **other}
    row |= {"floor": floor, "speaker": speaker, "about": about, "facet": facet}
    return {**row, "value": value, "quote": quote}


READ = [
    claim(1, "柳承", "账本", "deed", "烧了", "昨夜化成灰了", hearers=["苏宁"]),
    claim(
        1, "", "账本", "deed", "烧了", "账本安安稳稳地躺着", polarity=False, how="narrated",
        sign="untrue",
    ),
    claim(3, "柳承", "苏宁", "will", "中秋前", "中秋前我把亏空补齐", sign="vow"),
    claim(3, "柳承", "柳承", "home", "桂花巷", "我住在桂花巷"),
    claim(5, "", "柳承", "other", "把亏空补齐", "账平了", how="narrated", sign="keeps"),
    claim(5, "", "柳承", "home", "柳条胡同", "住在柳条胡同", how="narrated"),
    claim(7, "柳承", "账本", "deed", "烧了", "先前那是唬你的", polarity=False, sign="admits"),
]  # fmt: skip


class Reader:
    """A model that hands back these claims with one event of the block it is asked about."""

    def __init__(self, claims=READ):
        self.claims = claims

    def __call__(self, body):
        event = {"summary": "柳承说账本烧了。", "significance_score": 0.5}
        return json.dumps({"events": [event], "claims": self.claims}, ensure_ascii=False)


@pytest.fixture
def reader():
    return Reader()


@pytest.fixture
def with_model(open_memory, reader):
    with FakeOpenAI(answer=reader) as server:
        yield open_memory(**{**model_at(server.url, "m"), "summary.newest": 0})


@pytest.fixture
def ledger(with_model, tmp_path):
    file = write_chat(tmp_path / "ledger.jsonl", LEDGER, user="苏宁")
    line = Line.main(with_model.imports.import_file(CTX, file).chat_id)
    with_model.pipeline.summarise(CTX, line, (0, 7), "llm")
    return line


def told(memory, line, *kinds):
    rows = found(memory, line, *kinds)
    return [(f.status, f.who, f.floors, [q.text for q in f.quotes]) for f in rows]


def test_what_a_model_reads_is_found_though_no_rule_knows_the_words(with_model, ledger):
    words = ["昨夜化成灰了", "先前那是唬你的"]
    lies = told(with_model, ledger, "lie")
    assert [(status, floors) for status, _who, floors, _text in lies] == [("found_out", (1, 7))]
    assert all(word in text for word, text in zip(words, lies[0][3], strict=True))
    promises = told(with_model, ledger, "promise")
    assert [(s, w[0], f) for s, w, f, _text in promises] == [("kept", "柳承", (3, 5))]


def test_a_silent_vow_is_brought_up_to_nobody_but_its_giver(with_model, tmp_path, reader):
    reader.claims = [{**READ[2], "how": "thought"}]
    file = write_chat(tmp_path / "ledger.jsonl", LEDGER, user="苏宁")
    line = Line.main(with_model.imports.import_file(CTX, file).chat_id)
    with_model.pipeline.summarise(CTX, line, (0, 7), "llm")
    assert told(with_model, line, "promise")
    assert not found(with_model, line, "promise", actor="苏宁")

    def brings_it_up(actor):
        query = RecallQuery("亏空什么时候补齐？", actor=actor)
        return "未了之约" in with_model.inject.compose(CTX, line.chat_id, query, 1500).text

    assert [brings_it_up(actor) for actor in ("柳承", "苏宁")] == [True, False]


def test_what_rules_and_a_model_read_alike_is_told_once(with_model, ledger):
    homes = [f for f in found(with_model, ledger, "superseded") if f.facet == "home"]
    assert [f.floors for f in homes] == [(3, 5)]
    claims = with_model.findings.claims(CTX, ledger)
    homes = [c for c in claims if c.facet == "home"]
    assert [(c.floor, c.about, c.value) for c in homes] == [
        (3, "柳承", "桂花巷"),
        (5, "柳承", "柳条胡同"),
    ]
    assert {c.to_json()["origin"] for c in homes} == {"model"}


def test_an_edit_drops_what_a_model_read_and_undo_brings_it_back(with_model, ledger):
    before = told(with_model, ledger)
    with_model.messages.edit(ledger, 1, "“收在柜里。”")
    assert not told(with_model, ledger, "lie")
    with_model.history.undo(ledger.chat_id)
    assert told(with_model, ledger) == before


def test_a_swipe_has_what_a_model_read_of_its_own_text(with_model, reader, handle):
    file = TavernChatFile(handle / "chats" / "爱丽丝" / "爱丽丝.jsonl")
    file.say("早。", "“昨夜化成灰了。”\n\n柜子深处，账本安安稳稳地躺着。")
    line = Line.main(with_model.tavern.sync_chat(CTX, file.path).chat_id)
    sender = with_model.messages.slice(line, 1, 1)[0].name
    reader.claims = [{**READ[0], "speaker": sender}, READ[1]]
    with_model.pipeline.summarise(CTX, line, (0, 1), "llm")
    before = told(with_model, line, "lie")
    assert len(before) == 1
    file.swipe("“烧了。”")
    with_model.tavern.sync_chat(CTX, file.path)
    assert not told(with_model, line, "lie")
    file.rows[1] |= {"swipe_id": 0, "mes": file.rows[1]["swipes"][0]}
    file.save()
    with_model.tavern.sync_chat(CTX, file.path)
    assert told(with_model, line, "lie") == before


def test_a_branch_has_what_a_model_read_of_its_floors(with_model, ledger):
    branch, _changes = with_model.branches.fork(ledger, at=4, name="other")
    other = Line(ledger.chat_id, branch)
    assert [row[0] for row in told(with_model, other, "lie")] == ["told"]
    assert [row[0] for row in told(with_model, other, "promise")] == ["open"]


def test_undoing_the_summary_keeps_what_is_true_of_the_words(with_model, ledger):
    before = told(with_model, ledger)
    with_model.history.undo(ledger.chat_id)
    assert told(with_model, ledger) == before


@pytest.mark.logs("Claims of a model")
def test_a_new_answer_takes_the_place_of_the_old_one(with_model, ledger, reader):
    reader.claims = [*READ[2:4], claim(9, "柳承", "x", "home", "y", "z")]
    with_model.messages.edit(ledger, 6, "“账本到底在哪？”")  # what it told of is stale now
    with_model.pipeline.resummarise_stale(CTX, ledger, "llm")
    assert not told(with_model, ledger, "lie")


@pytest.mark.logs("Claims of a model")
@pytest.mark.parametrize(
    "claims",
    [
        "no list",
        [1, None, "x", []],
        [claim(n, "柳承", "柳承", "home", "桂花巷", "我住在桂花巷") for n in (-1, 8, 10**30)],
        [claim(3, "柳承", "柳承", "home", "金銮殿", "我住在金銮殿")],
        [claim(3, "</chat_history>", "柳承", "home", "桂花巷", "我住在桂花巷")],
        [claim(3, "柳承", "〔谎言〕", "home", "桂花巷", "我住在桂花巷")],
        [claim(3, "某甲", "某甲", "home", "桂花巷", "我住在桂花巷", how="thought")],
        [claim(3, "柳承", f"物{n}", "home", "桂花巷", "我住在桂花巷") for n in range(1000)],
        [claim([3], {"a": 1}, 5, [], None, "我住在桂花巷", how=7, sign=[], polarity="no")],
    ],
)
def test_hostile_claims_are_dropped_in_one_line_and_nothing_is_lost(
    open_memory, tmp_path, claims, caplog
):
    file = write_chat(tmp_path / "ledger.jsonl", LEDGER, user="苏宁")
    with FakeOpenAI(answer=Reader(claims)) as server:
        memory = open_memory(**model_at(server.url, "m"))
        line = Line.main(memory.imports.import_file(CTX, file).chat_id)
        report = memory.pipeline.summarise(CTX, line, (0, 7), "llm")
    assert (report.events_added, report.llm_calls) == (1, 1)
    assert len([r for r in caplog.records if "Claims of a model" in r.message]) == 1
    kept = [c for c in memory.findings.claims(CTX, line) if c.is_model]
    assert len(kept) <= 20
    assert all(c.quote in LEDGER[c.floor][1] for c in kept)


def test_claims_of_a_draft_are_kept_when_it_is_saved(open_memory, tmp_path, reader):
    file = write_chat(tmp_path / "ledger.jsonl", LEDGER, user="苏宁")
    with FakeOpenAI(answer=reader) as server:
        memory = open_memory(**model_at(server.url, "m"))
        line = Line.main(memory.imports.import_file(CTX, file).chat_id)
        memory.pipeline.summarise(CTX, line, (0, 7), "llm", review=True)
        assert not told(memory, line, "lie")
        draft = memory.drafts.find(line, ["waiting"])[0]
        memory.drafts.save(CTX, line.chat_id, {draft.id: None})
    assert told(memory, line, "lie")


@pytest.mark.parametrize(
    ("chosen", "tongue"), [("zh_CN", "zh"), ("ja", "ja"), ("en", "en"), ("system", "en")]
)
def test_findings_are_listed_in_the_language_of_the_settings_or_of_the_chat(
    memory, line, chosen, tongue
):
    memory.settings.set("ui.language", chosen)
    assert memory.findings.tongue(line) == tongue
