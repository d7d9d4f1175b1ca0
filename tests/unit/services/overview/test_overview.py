"""A chat as a whole: what memory holds of it, and what is to be done next."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engram_desktop.domain.memory.event import EventCounts, EventQuery
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.overview import MemoryProgress, Overview, next_step
from engram_desktop.domain.pipeline.usage import DayUsage
from engram_desktop.jobs.context import NullContext
from engram_desktop.services.demo import run_demo
from engram_desktop.services.overview import best_spread
from engram_desktop.shipped import resource
from tests.cards import V2, png, text

CTX = NullContext()
HERE = Line.main("a")


@pytest.fixture
def line(memory):
    return Line.main(str(run_demo(memory, CTX)["chat_id"]))


def test_a_finished_chat_tells_its_story_its_moments_and_its_cast(memory, line):
    seen = memory.overview.read(CTX, line)
    assert seen.progress.floors == seen.progress.remembered == 159
    assert seen.progress.untold == 0
    floors = [(e.source_range.start_index, e.source_range.end_index) for e in seen.story]
    assert floors[0][0] == 0
    assert floors[-1][1] == 158
    assert floors == sorted(floors)
    assert len(seen.moments) == 8
    best = max(seen.moments, key=lambda e: e.significance_score)
    keys = memory.events.find(line.chat_id, _by_significance(line))
    assert best.pk == keys[0]
    assert [m.name for m in seen.cast][:3] == ["旅人", "爱丽丝", "莉莉丝"]
    assert seen.cast[0].is_user
    assert seen.cast[0].messages == 50
    assert not seen.has_model
    assert seen.here.calls == seen.library.calls == 0


def _by_significance(line):
    return EventQuery(level=0, kind="event", branch_id=line.branch_id, sort="significance")


def test_somebody_of_the_story_sees_only_what_it_knows(memory, line):
    everything = memory.overview.read(CTX, line)
    known = memory.overview.read(CTX, line, memory.knowledge.askers(CTX, line, ["凯尔"]))
    assert known.moments
    assert {e.pk for e in known.moments} <= set(
        memory.events.find(line.chat_id, _known_to(memory, line, "凯尔"))
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


def test_a_profile_says_who_somebody_is(memory, line):
    alice = memory.graph.named(line.chat_id, "爱丽丝")
    profile = {"身份": "酒馆老板娘", "特征": {"头发": "亚麻色", "年纪": 19}, "秘密": True}
    memory.graph.update_entity(line.chat_id, alice.id, profile=profile)
    seen = memory.overview.read(CTX, line)
    about = next(member.about for member in seen.cast if member.name == "爱丽丝")
    assert about == "酒馆老板娘 · 亚麻色 · 19"


def test_the_end_of_a_chat_that_automation_leaves_for_later_is_fresh(memory, line):
    for number in range(6):
        memory.messages.append(line, "旅人", "user", f"第 {number} 句。")
    progress = memory.overview.read(CTX, line).progress
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


def test_what_models_cost_is_summed_for_the_chat_and_for_the_library(memory, line):
    store = memory.session.chat(line.chat_id)
    store.ledger.add_call(0, "summary", "m", (1_000, 200), 5)
    memory.session.library.add_usage("2026-01-01", DayUsage(3, 5_000, 1_000))
    memory.settings.set("llm.price_in", 2.0)
    seen = memory.overview.read(CTX, line)
    assert (seen.here.calls, seen.here.tokens) == (1, 1_200)
    assert seen.library.tokens == 6_000
    assert seen.library.cost == pytest.approx(0.01)
