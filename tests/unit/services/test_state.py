"""The state of a story, and how often its database is asked."""

from __future__ import annotations

import json
from contextlib import closing

import apsw
import pytest

from engram_desktop.domain.changes import IMPORT, StepLabel
from engram_desktop.domain.errors import InputError, NotFound
from engram_desktop.domain.memory.event import EventPatch, EventQuery, LogPatch, SourceRange
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.recall.query import RecallQuery
from engram_desktop.domain.state.condition import names_asker
from engram_desktop.domain.state.tree import join_path, leaves
from engram_desktop.jobs.context import NullContext
from engram_desktop.places import resource
from engram_desktop.services.memory import Memory
from engram_desktop.services.prompts.macro_scope import summary_events
from tests.factories import make_event, make_extraction
from tests.state_story import update, write_story

# The state of a story is what its messages say: at every floor, on every line, after a change.

CTX = NullContext()


@pytest.fixture
def story(memory, tmp_path):
    """Floors 2, 4 and 6 each add to what 爱丽丝 feels."""
    file = write_story(tmp_path / "故事.jsonl", [update(1), update(2), update(4)])
    return memory.imports.import_file(CTX, file).chat_id


def told(memory, chat, branch="main", **where):
    tree = memory.state.history(CTX, Line(chat, branch), **where).tree
    return {join_path(leaf.path): leaf.value for leaf in leaves(tree)}


def affinity(memory, chat, **where):
    return told(memory, chat, **where)["爱丽丝.好感度"]


def test_the_state_is_replayed_to_any_floor(memory, story):
    assert [affinity(memory, story, at=floor) for floor in range(7)] == [50, 50, 51, 51, 53, 53, 57]
    history = memory.state.history(CTX, Line.main(story))
    assert [(e.floor, e.teller, e.dialects) for e in history.entries] == [
        (0, "begin", ()),
        (2, "reply", ("seed",)),
        (4, "reply", ("seed",)),
        (6, "reply", ("seed",)),
    ]
    assert [(c.old, c.new) for e in history.entries[1:] for c in e.changes] == [
        (50, 51),
        (51, 53),
        (53, 57),
    ]
    with pytest.raises(NotFound):
        memory.state.history(CTX, Line.main(story), at=7)


def test_what_is_deleted_or_rewritten_never_was(memory, story):
    memory.messages.delete(Line.main(story), [2])
    assert affinity(memory, story) == 56
    memory.history.undo(story)
    assert affinity(memory, story) == 57
    memory.messages.edit(Line.main(story), 4, update(30))
    assert affinity(memory, story) == 85


def test_the_players_words_and_thoughts_change_nothing(memory, tmp_path):
    said = f"<think>{update(9)}</think>好。"
    file = write_story(tmp_path / "a.jsonl", [said])
    chat = memory.imports.import_file(CTX, file).chat_id
    memory.messages.edit(Line.main(chat), 1, update(100))
    assert affinity(memory, chat) == 50


def test_a_branch_has_a_state_of_its_own(memory, story):
    branch, _changes = memory.branches.fork(Line.main(story), at=2, name="另一条路")
    memory.state.set(Line(story, branch), ("爱丽丝", "好感度"), 5)
    assert affinity(memory, story, branch=branch) == 5
    assert affinity(memory, story) == 57
    memory.messages.append(Line(story, branch), "爱丽丝", "assistant", update(1))
    assert affinity(memory, story, branch=branch) == 6


def test_what_the_user_sets_counts_from_then_on_and_is_undone(memory, story):
    changes = memory.state.set(Line.main(story), ("爱丽丝", "好感度"), 90)
    assert changes.state
    memory.state.remove(Line.main(story), ("爱丽丝", "心情"))
    assert told(memory, story) == {"爱丽丝.好感度": 90}
    assert affinity(memory, story, at=5) == 53
    assert memory.state.history(CTX, Line.main(story)).entries[-1].teller == "user"
    memory.history.undo(story)
    memory.history.undo(story)
    assert told(memory, story) == {"爱丽丝.好感度": 57, "爱丽丝.心情": "平静"}
    with pytest.raises(InputError):
        memory.state.set(Line.main(story), (), 1)


def test_what_the_user_set_goes_with_its_floor(memory, story):
    memory.state.set(Line.main(story), ("爱丽丝", "好感度"), 90)
    memory.messages.delete(Line.main(story), [1])
    assert affinity(memory, story) == 90
    memory.messages.delete(Line.main(story), [5])
    assert affinity(memory, story) == 53


def test_variables_beside_a_message_hold_the_whole_state(memory, tmp_path):
    reached = {"爱丽丝": {"好感度": [70, "喜爱"]}, "$meta": {"x": 1}}
    call = "<UpdateVariable>_.set('爱丽丝.好感度[0]', 50, 69);//花</UpdateVariable>"
    call += "<UpdateVariable>_.add('爱丽丝.好感度', 1);//也许</UpdateVariable>"
    file = write_story(tmp_path / "b.jsonl", [(call, reached), update(1)])
    chat = memory.imports.import_file(CTX, file).chat_id
    assert told(memory, chat, at=2) == {"爱丽丝.好感度": 70}
    assert told(memory, chat) == {"爱丽丝.好感度": 71}
    entry = memory.state.history(CTX, Line.main(chat), at=2).entries[-1]
    assert entry.teller == "variables"
    assert {join_path(c.path): (c.old, c.new, c.reason) for c in entry.changes} == {
        "爱丽丝.心情": ("平静", None, ""),
        "爱丽丝.好感度": (50, 70, "也许"),
    }


def test_a_worldbook_says_where_a_story_begins(memory, tmp_path):
    begins = "爱丽丝:\n  好感度: [20, 喜爱]"
    entry = {"uid": 0, "comment": "[InitVar] 初始", "content": begins, "disable": True}
    worldbook = tmp_path / "变量.json"
    worldbook.write_text(json.dumps({"entries": {"0": entry}}), "utf-8")
    chat = memory.imports.import_file(
        CTX, write_story(tmp_path / "c.jsonl", [update(1)], "你好。")
    ).chat_id
    assert affinity(memory, chat) == 1
    memory.imports.import_file(CTX, worldbook)
    memory.worldbooks.set_global(memory.worldbooks.all()[0].id, is_global=True)
    assert affinity(memory, chat) == 21


@pytest.fixture
def secret(memory, story):
    """A memory of 爱丽丝's that is known only once she likes the player."""
    patch = LogPatch(
        "爱丽丝",
        "其实我早就认出他了。",
        source_range=SourceRange(1, 1),
        scope="conditional",
        condition="爱丽丝.好感度 > 52",
    )
    pk, _changes = memory.logs.add(Line.main(story), patch)
    memory.index.embed_pending(CTX, story)
    return memory.logs.fetch(story, [pk])[pk]


def knows(memory, chat, actor, **query):
    asked = RecallQuery("她认出他了吗", kinds=("log",), actor=actor, **query)
    return [hit.item.ref for hit in memory.recall.ask(CTX, chat, asked).hits]


def test_a_conditional_memory_is_known_once_its_condition_holds(memory, story, secret):
    assert knows(memory, story, "爱丽丝") == [secret.id]
    assert knows(memory, story, "爱丽丝", at=3) == []  # then it was 51
    assert knows(memory, story, "爱丽丝", at=4) == [secret.id]
    assert knows(memory, story, None, at=3) == [secret.id]  # the curator sees everything
    memory.state.set(Line.main(story), ("爱丽丝", "好感度"), 10)
    assert knows(memory, story, "爱丽丝") == []
    memory.history.undo(story)
    assert knows(memory, story, "凯尔") == [secret.id]
    memory.logs.update(story, secret.pk, LogPatch(condition="爱丽丝.好感度 > 52 && actor == owner"))
    assert knows(memory, story, "凯尔") == []
    assert knows(memory, story, "爱丽丝") == [secret.id]


def test_an_injection_holds_a_conditional_memory_only_while_it_may_be_known(memory, story, secret):
    def text():
        asked = RecallQuery("她认出他了吗", actor="爱丽丝", kinds=("log",))
        return memory.inject.compose(CTX, story, asked).text

    assert secret.content in text()
    memory.messages.edit(Line.main(story), 6, "别这样。")
    memory.messages.edit(Line.main(story), 4, "别这样。")
    assert secret.content not in text()


HIDDEN = "爱丽丝把铜钥匙藏在钟楼里。"
GUARDS = {
    "unmet": "爱丽丝.好感度 > 90",
    "unset": "凯尔.好感度 > 90",
    "denied though unset": "!(凯尔.好感度 > 90)",
    "broken": "爱丽丝.好感度 >",
    "no truth": "爱丽丝.好感度",
}


def roads(memory, chat, folder, name):
    """Return on which roads somebody comes to know the secret."""
    line = Line.main(chat)
    asked = RecallQuery("铜钥匙藏在哪里", kinds=("event",), actor=name)
    asker = memory.knowledge.askers(CTX, line, [name])
    told = {
        "recall": " ".join(h.item.content for h in memory.recall.ask(CTX, chat, asked).hits),
        "inject": memory.inject.compose(CTX, chat, asked).text,
        "search": str(memory.search.find(CTX, "铜钥匙", line, asker)),
    }
    query = EventQuery(actors=tuple(asker))
    keys = memory.events.find(chat, query)
    told["events"] = " ".join(e.summary for e in memory.events.fetch(chat, keys).values())
    for form in ("json", "markdown", "engram", "worldbook"):
        target = folder / f"{form}-{len(list(folder.iterdir()))}"
        memory.care.export(CTX, line, target, form, asker)
        told[form] = target.read_text("utf-8")
    return {road for road, text in told.items() if "钟楼" in text}


@pytest.mark.parametrize("scope", ["global", "shared", "private", "conditional"])
def test_a_condition_guards_a_memory_of_every_scope_on_every_road(memory, story, tmp_path, scope):
    line, folder = Line.main(story), tmp_path / "exports"
    folder.mkdir()
    event = make_event(HIDDEN, 2, 2, scope=scope, owner="爱丽丝", participants=("爱丽丝",))
    store = memory.session.chat(story)
    with store.step(StepLabel(IMPORT, {"count": 1})):
        (pk,) = store.events.add([event], 1)
    memory.index.embed_pending(CTX, story)
    everywhere = {"recall", "inject", "events", "json", "markdown"}

    def guard(condition):
        memory.events.update(story, pk, EventPatch(condition=condition))

    guard("爱丽丝.好感度 > 52")
    assert roads(memory, story, folder, "爱丽丝") >= everywhere, "it is 57"
    for name, condition in GUARDS.items():
        guard(condition)
        assert roads(memory, story, folder, "爱丽丝") == set(), name
    memory.knowledge.say_known(line, [("event", event.id)], "爱丽丝", known=True)
    assert roads(memory, story, folder, "爱丽丝") == set(), "a condition holds of what is said too"
    memory.state.set(line, ("凯尔", "好感度"), 91)
    guard(GUARDS["unset"])
    assert roads(memory, story, folder, "爱丽丝") >= everywhere
    branch, _changes = memory.branches.fork(line, at=3, name="另一条路")
    assert not memory.knowledge.actor(CTX, Line(story, branch), "爱丽丝").fulfilled


def test_what_is_made_of_a_guarded_event_is_nobodys(memory, story):
    store = memory.session.chat(story)
    data = make_extraction(HIDDEN)
    event = make_event(HIDDEN, 2, 2, scope="global", raw_data=data)
    with store.step(StepLabel(IMPORT, {"count": 1})):
        (pk,) = store.events.add([event], 1)
    memory.pipeline.consolidate(CTX, Line.main(story))

    def is_known():
        asked = RecallQuery("铜钥匙", kinds=("entity",), actor="爱丽丝")
        return [h.item.ref for h in memory.recall.ask(CTX, story, asked).hits]

    assert is_known()
    memory.events.update(story, pk, EventPatch(condition="爱丽丝.好感度 > 52"))
    assert not is_known()
    memory.history.undo(story)
    assert is_known()


def test_a_condition_is_checked_for_the_one_it_guards(memory, story):
    def said(text):
        return memory.state.check_condition(CTX, Line.main(story), text, "爱丽丝")

    assert said("爱丽丝.好感度 == 57 && actor == owner && floor == 6").holds
    assert "holds no 凯尔" in said("凯尔.好感度 > 1").fault
    assert names_asker("actor == owner && floor > 2")
    assert not names_asker('爱丽丝.factor > 1 && name == "actor"')


def test_a_condition_reads_variables_without_the_story_before_them(memory, tmp_path):
    replies = [update(1), ("x", {"爱丽丝": {"好感度": [70, "喜爱"]}}), update(2)]
    chat = memory.imports.import_file(CTX, write_story(tmp_path / "b.jsonl", replies)).chat_id
    assert memory.state.check_condition(CTX, Line.main(chat), "爱丽丝.好感度 == 72", "爱丽丝").holds


# How often the database is asked: a loop that asks once a floor shows here, not in a timing.


class Statements:
    """Counts statements of all connections; one that is run for many rows counts once.

    ``every`` counts each run.
    """

    def __init__(self):
        self.count = self.every = 0
        self._last = ""
        apsw.connection_hooks.append(self._watch)

    def _watch(self, connection):
        connection.exec_trace = self._note

    def _note(self, _cursor, sql, _values):
        self.every += 1
        self.count += sql != self._last
        self._last = sql
        return True

    def taken(self):
        count, self.count = self.count, 0
        return count


@pytest.fixture
def statements():
    made = Statements()
    yield made
    apsw.connection_hooks.remove(made._watch)


def test_importing_and_consolidating_ask_the_database_no_more_than_they_need(tmp_path, statements):
    memory = Memory.open(tmp_path / "library", program="test", environ={})
    statements.taken()
    imported = memory.imports.import_file(NullContext(), resource("story/月光酒馆.jsonl"))
    assert statements.taken() <= 400  # 159 messages, and a new database
    assert imported.chat_id is not None
    line = Line.main(imported.chat_id)
    memory.pipeline.summarise(NullContext(), line, (0, 158))
    statements.taken()
    done = memory.pipeline.consolidate(NullContext(), line)
    assert done.archived > 20
    assert statements.taken() <= 220
    memory.close()


def test_a_prompt_reads_no_claims_that_were_read_by_older_rules(tmp_path, statements):
    """All of them are due, and a prompt cannot wait for them: they are read with the next block."""
    with closing(Memory.open(tmp_path / "library", program="test", environ={})) as memory:
        imported = memory.imports.import_file(NullContext(), resource("story/月光酒馆.jsonl"))
        chat = imported.chat_id or ""
        memory.findings.read(NullContext(), Line.main(chat))
        store = memory.session.chat(chat)
        with store.database.writing():
            store.claims.put_people(store.claims.people().replace("[", "[0", 1))
    with closing(Memory.open(tmp_path / "library", program="test", environ={})) as memory:
        memory.session.chat(chat).messages.count("main")
        statements.taken()
        assert memory.findings.near(NullContext(), Line.main(chat), 64) is None
        assert statements.taken() <= 4
        memory.findings.read(NullContext(), Line.main(chat))
        assert memory.findings.near(NullContext(), Line.main(chat), 64) is not None


def test_what_lies_below_hidden_outlines_is_asked_for_by_levels(statements, story, memory):
    """Who may not know a whole outline is told those of its events that they know."""
    store = memory.session.chat(story)
    many = 20  # outlines of three events each, in outlines of ten
    events = [make_event(f"第{n}件事。", n, n) for n in range(3 * many)]
    lower = [make_event(f"第{n}段。", 3 * n, 3 * n + 2, level=1) for n in range(many)]
    upper = [make_event(f"第{n}卷。", 30 * n, 30 * n + 29, level=2) for n in range(many // 10)]
    with store.step(StepLabel(IMPORT)):
        made = store.events.add([*events, *lower, *upper], 1)
        for n, event in enumerate(events):
            store.outlines.put_under([made[n]], lower[event.source_range.start_index // 3].id, 2)
        for n in range(many):
            store.outlines.put_under([made[3 * many + n]], upper[n // 10].id, 2)
    known = {event.id for event in events[::7]}
    statements.every = 0
    told = summary_events(store, "main", 4096, 10, allowed=lambda event: event.id in known)
    assert [e.id for e in told] == [e.id for e in events[::7]]
    assert statements.every <= 8  # it was one for each outline
    shown = summary_events(
        store, "main", 4096, 0, allowed=lambda event: event.id in known or event.id == lower[0].id
    )
    assert [e.summary for e in shown][:2] == ["第0段。", "第7件事。"]  # told instead of its parts
