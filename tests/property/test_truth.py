"""What is true at a floor, in random stories."""

from __future__ import annotations

import contextlib
import json
import random
import shutil
import tempfile
from itertools import pairwise
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from typing_extensions import override

from engram_desktop.domain.graph.entity import EntityType
from engram_desktop.domain.graph.relations import DatedRelation, Telling, spans
from engram_desktop.domain.memory.event import EventQuery, LogPatch, SourceRange
from engram_desktop.domain.memory.extraction import (
    MAX_EVENTS,
    MAX_NAME,
    MAX_SUMMARY,
    ExtractedEntity,
    ExtractedRelation,
    PlotExtraction,
    StructuredKv,
    parse_extraction,
)
from engram_desktop.domain.memory.line import Line, content_hash
from engram_desktop.domain.recall.query import RecallQuery
from engram_desktop.jobs.context import NullContext
from engram_desktop.services.care.upkeep import repair_items
from engram_desktop.services.memory import Memory
from engram_desktop.storage.schema.chat import WATCHED
from tests.factories import counting_clock, import_chat, set_all, write_chat
from tests.stored import texts_of

# Whatever is done to a story, recall tells only what is true of it now, on that branch.

CTX = NullContext()
SPEAKERS = ("旅人", "爱丽丝")
PLACES = ("月光酒馆", "钟楼", "水族馆", "银色森林")

# What a branch may see, told without the program: its own rows and, of each ancestor, those that
# end at or before every fork on the way down.
VISIBLE = """
WITH RECURSIVE line(id, highest) AS (
  SELECT ?1, 1000000
  UNION ALL
  SELECT b.parent_id, min(l.highest, b.fork_seq) FROM line l JOIN branch b ON b.id = l.id
  WHERE b.parent_id IS NOT NULL),
event_seen AS (
  SELECT e.id FROM event e JOIN line l ON l.id = e.branch_id AND e.end_index <= l.highest
  WHERE e.is_deleted = 0)
SELECT i.id FROM memory_item i WHERE
  (i.kind = 'turn' AND EXISTS (SELECT 1 FROM message m JOIN line l ON l.id = m.branch_id
    AND m.seq <= l.highest WHERE m.id = i.ref AND m.is_deleted = 0))
  OR (i.kind = 'event' AND i.ref IN event_seen)
  OR (i.kind = 'entity' AND i.branch_id = ?1 AND EXISTS (SELECT 1 FROM evidence v
    WHERE v.entity_id = i.ref AND v.event_id IN event_seen)
    AND EXISTS (SELECT 1 FROM entity n WHERE n.id = i.ref AND n.merged_into IS NULL))
  OR (i.kind = 'log' AND EXISTS (SELECT 1 FROM private_log p JOIN line l ON l.id = p.branch_id
    AND p.end_index <= l.highest WHERE p.id = i.ref AND p.is_deleted = 0))
"""
ALLOWED = f"SELECT i.id FROM memory_item i WHERE i.is_muted = 0 AND i.id IN ({VISIBLE})"


class Killed(BaseException):
    """The program ends here, whatever it was doing."""


class DyingContext(NullContext):
    """Kills at the ``left``-th short unit of work: before it is written, or just after."""

    def __init__(self, left: int, *, after: bool) -> None:
        self._left = left
        self._after = after

    @override
    def write(self, unit):
        self._left -= 1
        if self._left == 0 and not self._after:
            raise Killed
        done = super().write(unit)
        if self._left == 0:
            raise Killed
        return done


class Story(RuleBasedStateMachine):
    """Random work on one chat and its branches, against the plain lists of texts it should hold."""

    def __init__(self) -> None:
        super().__init__()
        self._folder = tempfile.TemporaryDirectory()
        self.place = Path(self._folder.name)
        self.clock = counting_clock()
        self.opened = 0
        self.memory = Memory.open(self.place / "library0", clock=self.clock, environ={})
        set_all(
            self.memory,
            {
                "embed.local": "hash",
                "index.backend": "exact",
                "keys.storage": "session",
                "summary.interval": 5,
            },
        )
        self.said = 0
        self.noted: dict[str, list[str]] = {}  # a private log and the messages it tells of
        self.past: list[tuple[dict[str, list[tuple[Any, ...]]], dict[str, list[str]]]] = []
        self.future: list[tuple[dict[str, list[tuple[Any, ...]]], dict[str, list[str]]]] = []

    def sentence(self) -> str:
        """A new text; its number is in no other, so that a trace of it can be told."""
        self.said += 1
        place = PLACES[self.said % len(PLACES)]
        return f"第{self.said}号：爱丽丝在{place}遇见旅人，把铜钥匙{self.said}交给了他。"

    @initialize(count=st.integers(8, 14))
    def begin(self, count: int) -> None:
        texts = [self.sentence() for _ in range(count)]
        rows = [(SPEAKERS[n % 2], text) for n, text in enumerate(texts)]
        self.chat = import_chat(self.memory, self.place / "故事.jsonl", rows)
        self.store = self.memory.session.chat(self.chat)
        self.lines = {"main": texts}
        self.now = self.snapshot(), self.copied()

    def snapshot(self) -> dict[str, list[tuple[Any, ...]]]:
        query = self.store.database.rows
        tables = {name: query(f"SELECT * FROM {name} ORDER BY 1, 2") for name in WATCHED}
        # whether an event has a vector is upkeep, not history
        tables["event"] = query(
            "SELECT pk, id, branch_id, summary, status, level, start_index, end_index, is_stale,"
            " is_deleted, parent_id FROM event ORDER BY 1"
        )
        return tables

    def copied(self) -> dict[str, list[str]]:
        return {branch: list(texts) for branch, texts in self.lines.items()}

    def did(self) -> None:
        after = self.snapshot()
        if after != self.now[0]:
            self.past.append(self.now)
            self.future.clear()
        self.now = after, self.copied()

    def branch(self, data: st.DataObject) -> str:
        """One of the branches; all that a fork shared may have been deleted since."""
        return data.draw(st.sampled_from([name for name, texts in self.lines.items() if texts]))

    def fork_of(self, branch: str) -> tuple[str | None, int]:
        row = next(r for r in self.store.branches.rows() if r[0] == branch)
        return row[1], -1 if row[2] is None else row[2]

    def moved(self, branch: str, floor: int, text: str | None) -> None:
        """Edit (or delete) a floor in the model: of a branch, and of those that share the floor."""
        children = [b for b in self.lines if self.fork_of(b)[0] == branch]
        sharing = [b for b in children if self.fork_of(b)[1] >= floor]
        for line in sharing:
            self.moved(line, floor, text)
        if text is None:
            del self.lines[branch][floor]
        else:
            self.lines[branch][floor] = text

    @rule(data=st.data())
    def edit(self, data: st.DataObject) -> None:
        branch = self.branch(data)
        floor = data.draw(st.integers(0, len(self.lines[branch]) - 1))
        text = data.draw(st.sampled_from([self.sentence(), " "]))
        self.moved(branch, floor, text)
        self.memory.messages.edit(Line(self.chat, branch), floor, text)
        self.did()

    @rule(data=st.data())
    def delete(self, data: st.DataObject) -> None:
        branch = self.branch(data)
        count = len(self.lines[branch])
        floors = data.draw(st.sets(st.integers(0, count - 1), max_size=max(0, min(4, count - 4))))
        for floor in sorted(floors, reverse=True):
            self.moved(branch, floor, None)
        self.memory.messages.delete(Line(self.chat, branch), sorted(floors))
        self.did()

    @rule(data=st.data())
    def delete_last(self, data: st.DataObject) -> None:
        branch = self.branch(data)
        if len(self.lines[branch]) > 4:
            self.moved(branch, len(self.lines[branch]) - 1, None)
            self.memory.messages.delete_last(Line(self.chat, branch), 1)
            self.did()

    @rule(data=st.data(), count=st.integers(1, 3))
    def go_on(self, data: st.DataObject, count: int) -> None:
        branch = self.branch(data)
        for _ in range(count):
            text = self.sentence()
            floor = len(self.lines[branch])
            self.lines[branch].append(text)
            self.memory.messages.append(Line(self.chat, branch), SPEAKERS[floor % 2], "user", text)
            self.did()

    @rule(data=st.data())
    def import_another_telling(self, data: st.DataObject) -> None:
        """The file of the main line comes back edited, cut, with new messages, or rerolled."""
        rows = self.told_again(data)
        file = write_chat(self.place / "故事.jsonl", rows)
        report = self.memory.imports.import_file(
            CTX, file, into=self.chat, exact=True, on_conflict="replace"
        )
        self.read_lines()
        # a branch that was made of such a file may be nearer to it than the main line
        assert self.lines[report.branch_id or ""] == [text for _name, text in rows]
        self.did()

    @precondition(lambda self: len(self.lines) < 5)
    @rule(data=st.data())
    def take_in_a_copy(self, data: st.DataObject) -> None:
        """Such a file comes back, and both are kept."""
        rows = self.told_again(data)
        before = {text for line in self.lines.values() for text in line}
        file = write_chat(self.place / "故事.jsonl", rows)
        report = self.memory.imports.import_file(CTX, file)
        assert report.chat_id == self.chat
        self.read_lines()
        wanted = [text for _name, text in rows]
        assert self.lines[report.branch_id or ""][: len(wanted)] == wanted
        assert before <= {text for line in self.lines.values() for text in line}
        self.did()

    def read_lines(self) -> None:
        """A branch follows what it shares; and some were made."""
        self.lines = {
            branch: texts_of(self.memory, Line(self.chat, branch))
            for branch in self.store.branches.ids()
        }

    def told_again(self, data: st.DataObject) -> list[tuple[str, str]]:
        rows = [(m.name, m.text) for m in self.memory.messages.slice(Line.main(self.chat), 0, 999)]
        for _ in range(data.draw(st.integers(1, 3))):
            at = data.draw(st.integers(min(4, len(rows)), len(rows)))
            match data.draw(st.sampled_from(["insert", "remove", "swipe", "append"])):
                case "remove" if len(rows) > 8 and at < len(rows) - 1:
                    del rows[at]
                case "swipe" if at < len(rows):
                    rows[at] = (rows[at][0], self.sentence())
                case "append":
                    rows.append((SPEAKERS[len(rows) % 2], self.sentence()))
                case _:
                    rows.insert(at, (SPEAKERS[at % 2], self.sentence()))
        return rows

    @precondition(lambda self: len(self.lines) < 4)
    @rule(data=st.data())
    def fork(self, data: st.DataObject) -> None:
        branch = self.branch(data)
        at = data.draw(st.integers(0, len(self.lines[branch]) - 1))
        made, _changes = self.memory.branches.fork(Line(self.chat, branch), at=at)
        self.lines[made] = self.lines[branch][: at + 1]
        self.did()

    @rule(data=st.data(), again=st.booleans())
    def summarise(self, data: st.DataObject, again: bool) -> None:
        branch = self.branch(data)
        if again:
            self.memory.pipeline.resummarise_stale(CTX, Line(self.chat, branch), "extractive")
        else:
            self.memory.pipeline.summarise(CTX, Line(self.chat, branch), (0, 10_000), "extractive")
        self.did()

    @rule(data=st.data())
    def consolidate(self, data: st.DataObject) -> None:
        self.memory.pipeline.consolidate(CTX, Line(self.chat, self.branch(data)))
        self.did()

    @rule(data=st.data(), who=st.sampled_from(SPEAKERS), place=st.sampled_from(PLACES))
    def move_house(self, data: st.DataObject, who: str, place: str) -> None:
        """An archived fact that ends what was told before: two places then tell something else."""
        branch = self.branch(data)
        floor = data.draw(st.integers(0, len(self.lines[branch]) - 1))
        told = PlotExtraction(
            summary=f"{who}搬进了{place}。",
            entities=(ExtractedEntity(who, "char"), ExtractedEntity(place, "loc")),
            relations=(ExtractedRelation(who, "住在", place),),
        )
        span = SourceRange(floor, floor)
        key, _changes = self.memory.events.add(Line(self.chat, branch), told, span)
        self.did()
        self.memory.events.set_archived(CTX, self.chat, [key], archived=True)
        self.did()

    @rule(data=st.data(), limit=st.sampled_from([40, 120]))
    def trim(self, data: st.DataObject, limit: int) -> None:
        self.memory.pipeline.trim(CTX, Line(self.chat, self.branch(data)), limit, "extractive")
        self.did()

    @rule(data=st.data())
    def take_an_outline_apart(self, data: st.DataObject) -> None:
        keys = self.memory.events.find(self.chat, EventQuery(level=1, branch_id=self.branch(data)))
        if keys:
            self.memory.pipeline.untrim(self.chat, data.draw(st.sampled_from(list(keys))))
            self.did()

    @rule(data=st.data())
    def merge(self, data: st.DataObject) -> None:
        found = self.memory.graph.find_entities(Line(self.chat, self.branch(data)))
        if len(found) > 1:
            source, target = data.draw(st.permutations([e.id for e in found]))[:2]
            self.memory.graph.merge_entities(self.chat, [source], target)
            self.did()

    @rule(data=st.data())
    def note(self, data: st.DataObject) -> None:
        branch = self.branch(data)
        first = data.draw(st.integers(0, len(self.lines[branch]) - 1))
        last = data.draw(st.integers(first, len(self.lines[branch]) - 1))
        self.said += 1
        text = f"第{self.said}号心事：铜钥匙{self.said}该还给谁？"
        self.noted[text] = self.lines[branch][first : last + 1]
        patch = LogPatch("爱丽丝", text, source_range=SourceRange(first, last))
        self.memory.logs.add(Line(self.chat, branch), patch)
        self.did()

    @rule(data=st.data(), muted=st.booleans())
    def mute(self, data: st.DataObject, muted: bool) -> None:
        refs = sorted({r for (r,) in self.store.database.rows("SELECT ref FROM memory_item")})
        if refs:
            self.memory.recall.set_muted(self.chat, [data.draw(st.sampled_from(refs))], muted=muted)
            self.did()

    @rule(data=st.data(), left=st.integers(1, 4), after=st.booleans())
    def kill(self, data: st.DataObject, left: int, after: bool) -> None:
        """The program is killed at its work; what the files hold then is opened again."""
        branch, dying = self.branch(data), DyingContext(left, after=after)
        work = {
            "summarise": lambda: self.memory.pipeline.summarise(
                dying, Line(self.chat, branch), (0, 10_000), "extractive"
            ),
            "consolidate": lambda: self.memory.pipeline.consolidate(dying, Line(self.chat, branch)),
            "trim": lambda: self.memory.pipeline.trim(
                dying, Line(self.chat, branch), 40, "extractive"
            ),
            "embed": lambda: self.memory.index.embed_pending(dying, self.chat),
        }[data.draw(st.sampled_from(["summarise", "consolidate", "trim", "embed"]))]
        with contextlib.suppress(Killed):
            work()
        self.opened += 1
        left_behind = self.place / f"library{self.opened}"
        shutil.copytree(self.memory.folder, left_behind)  # with journals, as a kill leaves them
        self.memory.close()
        self.memory = Memory.open(left_behind, clock=self.clock, environ={})
        self.store = self.memory.session.chat(self.chat)
        self.did()

    @precondition(lambda self: self.past)
    @rule()
    def undo(self) -> None:
        self.memory.history.undo(self.chat)
        self.future.append(self.now)
        self.now = self.past.pop()
        self.back()

    @precondition(lambda self: self.future)
    @rule()
    def redo(self) -> None:
        self.memory.history.redo(self.chat)
        self.past.append(self.now)
        self.now = self.future.pop()
        self.back()

    def back(self) -> None:
        self.lines = {branch: list(texts) for branch, texts in self.now[1].items()}
        assert self.snapshot() == self.now[0]

    @rule()
    def embed(self) -> None:
        self.memory.index.embed_pending(CTX, self.chat)

    @rule(data=st.data())
    def recall(self, data: st.DataObject) -> None:
        branch = self.branch(data)
        may = {i for (i,) in self.store.database.rows(ALLOWED, (branch,))}
        said = data.draw(st.integers(1, max(1, self.said)))
        for text in (f"铜钥匙{said}在哪里", f"第{said}号 {PLACES[said % 4]}"):
            query = RecallQuery(text, 200, branch_id=branch)
            hits = self.memory.recall.ask(CTX, self.chat, query).hits
            assert {h.item.id for h in hits} <= may
            told = {h.item.content.partition(": ")[2] for h in hits if h.item.kind == "turn"}
            made = self.memory.inject.compose(CTX, self.chat, query)
            assert {h.item.id for h in made.hits} <= may
            assert told <= set(self.lines[branch])

    @invariant()
    def every_line_is_what_it_should_be(self) -> None:
        for branch, texts in getattr(self, "lines", {}).items():
            messages = self.memory.messages.slice(Line(self.chat, branch), 0, 999)
            assert [m.text for m in messages] == texts
            assert [m.seq for m in messages] == list(range(len(texts)))

    @invariant()
    def items_agree(self) -> None:
        if not hasattr(self, "store"):
            return
        assert repair_items(self.store, repair=False) == 0
        query = self.store.database.rows
        assert not query("SELECT * FROM entity_due")
        assert not query(
            "SELECT 1 FROM memory_item i JOIN message m ON i.kind = 'turn' AND m.id = i.ref"
            " WHERE i.start_index <> m.seq OR i.end_index <> m.seq OR i.branch_id <> m.branch_id"
            " UNION SELECT 1 FROM memory_item i JOIN event e ON i.kind = 'event' AND e.id = i.ref"
            " WHERE i.start_index <> e.start_index OR i.end_index <> e.end_index"
            " UNION SELECT 1 FROM event WHERE is_deleted = 0 AND start_index > end_index"
        )

    @invariant()
    def fresh_events_tell_what_is_said(self) -> None:
        """What is not marked stale was made of messages as they are."""
        for branch in getattr(self, "lines", {}):
            for start, end, key, _extractor in self.store.blocks(branch):
                read = self.store.messages.hashes(branch)[start : end + 1]
                assert content_hash(*read) == key
            own = "SELECT start_index, end_index, display_text FROM event WHERE branch_id = ?"
            rows = self.store.database.rows(f"{own} AND NOT is_deleted AND NOT is_stale", (branch,))
            for start, end, text in rows:
                held = "".join(self.lines[branch][start : end + 1])
                for number in _numbers(text):
                    assert f"第{number}号" in held

    @invariant()
    def fresh_logs_tell_of_what_is_said(self) -> None:
        for branch in getattr(self, "lines", {}):
            rows = self.store.database.rows(
                "SELECT content, start_index, end_index FROM private_log"
                " WHERE branch_id = ? AND NOT is_deleted AND NOT is_stale",
                (branch,),
            )
            for content, start, end in rows:
                assert self.lines[branch][start : end + 1] == self.noted[content]

    @override
    def teardown(self) -> None:
        self.memory.close()
        self._folder.cleanup()


def _numbers(text: str) -> set[str]:
    return {part.partition("号")[0] for part in text.split("第")[1:] if "号" in part}


TestStory = Story.TestCase
TestStory.settings = settings(
    max_examples=30,
    stateful_step_count=20,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)


# Whatever a story tells, in whatever order it is read: validity follows the tellings alone.

WHO = ("爱丽丝", "凯尔")
WHERE = ("酒馆", "集市", "港口")
floors = st.lists(st.integers(0, 30), min_size=1, max_size=4, unique=True)


@st.composite
def stories(draw):
    """Relations of presence, of a stage, and free ones; an event for each floor told on."""
    kinds = st.sampled_from(["位于", "信任", "朋友", "敌人"])
    chosen = draw(
        st.lists(
            st.tuples(st.sampled_from(WHO), kinds, st.sampled_from(WHERE)), unique=True, max_size=8
        )
    )
    made = []
    for n, (src, predicate, dst) in enumerate(chosen):
        tellings = tuple(Telling(f, f + 2, f, f"e{f}") for f in draw(floors))
        ended = draw(st.none() | st.integers(0, 40))
        kind: EntityType = "loc" if predicate == "位于" else "char"
        made.append(DatedRelation(f"r{n}", src, predicate, dst, "char", kind, tellings, ended))
    return made


@given(stories(), st.integers(0, 40))
def test_the_future_changes_nothing_of_what_was_true_then(story, at):
    short = [
        DatedRelation(
            r.id,
            r.src,
            r.predicate,
            r.dst,
            r.src_type,
            r.dst_type,
            tuple(t for t in r.tellings if t.last <= at),
            r.ended_at if r.ended_at is not None and r.ended_at <= at else None,
        )
        for r in story
        if any(t.last <= at for t in r.tellings)
    ]
    assert spans(story, at) == spans(short)


@given(stories(), st.randoms(use_true_random=False))
def test_the_order_of_reading_does_not_matter(story, dice: random.Random):
    mixed = list(story)
    dice.shuffle(mixed)
    one, other = spans(story), spans(mixed)
    assert {k: [(s.first, s.last) for s in v] for k, v in one.items()} == {
        k: [(s.first, s.last) for s in v] for k, v in other.items()
    }


@given(stories())
def test_only_what_one_event_tells_together_is_true_together(story):
    found = spans(story)
    assert set(found) == {r.id for r in story}
    for who in WHO:
        here = [r for r in story if r.src == who and r.predicate == "位于"]
        now = [r for r in here if found[r.id][-1].last is None]
        newest = [max(r.tellings) for r in now]
        assert len({t.event_id for t in newest}) <= 1 or len(now) == 0
    for spans_of in found.values():
        for before, after in pairwise(spans_of):
            assert before.last is not None
            assert before.first is not None
            assert after.first is not None
            assert before.first <= before.last <= after.first


# The extraction parser takes any JSON value; what it keeps survives being stored.

scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.text(alphabet=st.characters(categories=["Cs", "Cc", "Lo"]), max_size=5)
)
anything = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=12,
)
KEYS = tuple(PlotExtraction("x").to_json())
kv = st.dictionaries(st.sampled_from(tuple(StructuredKv().to_json())), anything, max_size=6)
rows = st.lists(
    st.dictionaries(
        st.sampled_from(("name", "type", "subject", "predicate", "object")), anything, max_size=5
    ),
    max_size=4,
)
likely = st.dictionaries(st.sampled_from(KEYS), anything | kv | rows, max_size=len(KEYS))
answers = anything | likely | st.builds(lambda e: {"events": e}, st.lists(likely, max_size=4))


@given(answers)
def test_any_json_value_is_read_without_raising(value):
    parsed = parse_extraction(value)
    assert len(parsed.events) <= MAX_EVENTS
    assert parsed.events or parsed.faults or value in ([], {"events": []})
    assert all(fault.path and fault.message for fault in parsed.faults)
    for event in parsed.events:
        assert 0 < len(event.summary) <= MAX_SUMMARY
        assert 0.0 <= event.significance_score <= 1.0
        assert all(0 < len(word) <= MAX_NAME for word in event.keywords)
        assert all(e.name for e in event.entities)
        assert all(r.subject and r.predicate and r.object for r in event.relations)


@given(answers)
def test_what_is_kept_can_be_stored_and_read_back(value):
    for event in parse_extraction(value).events:
        stored = json.dumps(event.to_json(), ensure_ascii=False, allow_nan=False).encode()
        assert PlotExtraction.from_json(json.loads(stored)) == event
        again = parse_extraction(json.loads(stored))
        assert again.events == (event,)
        assert again.faults == ()
