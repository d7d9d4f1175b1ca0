"""Findings of a chat: worked out at reading, true after edits, undo and on branches; answered."""

from __future__ import annotations

import pytest

from engram_desktop.domain.errors import InputError, NotFound
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.recall.query import RecallQuery
from engram_desktop.jobs.context import NullContext
from engram_desktop.services.knowledge.findings_service import AnsweredOtherwise
from tests.factories import import_chat, write_chat
from tests.findings_stories import FOLDER, Story

CTX = NullContext()
STORY = Story(FOLDER / "flat_4b.toml")
ROWS = STORY.messages


@pytest.fixture
def line(memory, tmp_path):
    file = write_chat(tmp_path / "flat.jsonl", ROWS, user="Sam")
    return Line.main(memory.imports.import_file(CTX, file).chat_id)


def found(memory, line, *kinds, **where):
    return memory.findings.findings(CTX, line, kinds, **where)


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
    promise = next(f for f in found(memory, line, "promise") if f.status == "open")
    memory.findings.answer(CTX, line, promise.id, "kept")
    assert next(f for f in found(memory, line) if f.id == promise.id).status == "kept"
    again = [*ROWS, ("Sam", "*yawns* Good night.")]
    file = write_chat(tmp_path / "flat.jsonl", again, user="Sam")
    memory.imports.import_file(CTX, file)
    assert next(f for f in found(memory, line) if f.id == promise.id).status == "kept"


def test_an_answer_is_undone(memory, line):
    promise = next(f for f in found(memory, line, "promise") if f.status == "open")
    memory.findings.answer(CTX, line, promise.id, "broken")
    memory.history.undo(line.chat_id)
    assert next(f for f in found(memory, line) if f.id == promise.id).status == "open"
    memory.history.redo(line.chat_id)
    assert next(f for f in found(memory, line) if f.id == promise.id).status == "broken"


def test_answers_that_mean_nothing_are_refused(memory, line):
    promise = found(memory, line, "promise")[0]
    with pytest.raises(InputError, match="no answer"):
        memory.findings.answer(CTX, line, promise.id, "later")
    with pytest.raises(NotFound):
        memory.findings.answer(CTX, line, "no such id", "kept")


def test_two_programs_that_answer_otherwise_get_one_clear_line(memory, line):
    one = next(f for f in found(memory, line, "promise") if f.status == "open")
    memory.findings.answer(CTX, line, one.id, "broken")  # in another window
    with pytest.raises(AnsweredOtherwise, match="broken"):
        memory.findings.answer(CTX, line, one.id, "kept", seen="")
    assert next(f for f in found(memory, line) if f.id == one.id).status == "broken"


def test_a_prompt_marks_what_is_over_and_tells_what_is_due(memory, line):
    memory.pipeline.summarise(CTX, line)
    query = RecallQuery("Where is the spare key, and will you look after Biscuit?")
    text = memory.inject.compose(CTX, line.chat_id, query, 1500).text
    assert "the ugly one. [until floor 15]" in text
    assert "Promises still open: “I'll look after Biscuit" in text
    assert "internet may die" not in text
    assert "lunch break" not in text


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


@pytest.mark.parametrize(
    ("chosen", "tongue"), [("zh_CN", "zh"), ("ja", "ja"), ("en", "en"), ("system", "en")]
)
def test_findings_are_listed_in_the_language_of_the_settings_or_of_the_chat(
    memory, line, chosen, tongue
):
    memory.settings.set("ui.language", chosen)
    assert memory.findings.tongue(line) == tongue
