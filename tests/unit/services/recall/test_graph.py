"""The walk over entities, and the columns it lands on."""

from __future__ import annotations

import numpy as np

from engram_desktop.domain.recall.cues import named_entities
from engram_desktop.domain.recall.lexemes import query_tokens
from engram_desktop.domain.recall.query import ItemFilter, StoryLinks
from engram_desktop.services.recall.legs import StoryGraph, graph_scores
from engram_desktop.services.recall.view import RecallView
from tests.recall_reference import Line, ReferenceIndex

EVERYTHING = ItemFilter(("turn", "event", "entity", "log"), (("main", None),))


def test_aliases_are_found_in_any_spelling_longest_first():
    aliases = {"月光酒馆": "place", "酒馆": "other", "alice": "her", "a": "letter"}
    assert named_entities("ＡＬＩＣＥ在月光酒馆", aliases) == {
        "place": "月光酒馆",
        "her": "alice",
        "other": "酒馆",
    }
    assert named_entities("malice", aliases) == {}


def test_a_rare_entity_says_more_than_a_hub():
    links = StoryLinks((("hub", 1), ("hub", 2), ("hub", 3), ("hub", 4), ("rare", 3)))
    graph = StoryGraph.of(links)
    both = graph.item_scores({"hub": "", "rare": ""})
    assert int(np.argmax(both)) == 2
    assert graph.item_scores({"hub": ""}).max() < graph.item_scores({"rare": ""}).max()


def test_a_relation_leads_one_step_further():
    links = StoryLinks((("key", 1), ("tavern", 2), ("sea", 3)), (("key", "藏在", "tavern"),))
    scores = StoryGraph.of(links).item_scores({"key": ""})
    assert scores[0] > scores[1] > scores[2] == 0


def test_unknown_entities_and_empty_graphs_score_nothing():
    assert StoryGraph.of(StoryLinks()).item_scores({"x": ""}).tolist() == []
    links = StoryLinks((("key", 1),), (("key", "", "key"),))
    assert StoryGraph.of(links).item_scores({"x": ""}).tolist() == [0.0]
    assert StoryGraph.of(StoryLinks((), (("a", "", "b"),))).item_scores({"a": ""}).tolist() == []


def test_a_view_knows_rows_turns_and_days():
    index = ReferenceIndex(
        [
            Line("甲: 一", 0, speaker="甲", sent_at=86_400_000),
            Line("事件", 0, "event", 1),
            Line("乙: 二", 1, speaker="乙", sent_at=10**18),
            Line("甲: 三", 5, speaker="甲", sent_at=86_400_001),
        ]
    )
    view = RecallView(index.layout(EVERYTHING))
    assert view.rows_of(np.array([4, 99, 1])).tolist() == [3, 0]
    assert view.turns.tolist() == [0, 2, 3]
    assert view.following(np.array([0, 1, 2, 3])).tolist() == [2, 1, 3, 3]
    assert view.preceding(np.array([0, 1, 2, 3])).tolist() == [0, 1, 0, 2]
    assert view.row_of_each(np.array([4, 99, 1])).tolist() == [3, -1, 0]
    days, which = view.days
    assert [str(days[day]) for day in which] == ["1970-01-02", "None", "None", "1970-01-02"]


def test_hidden_items_take_no_part():
    index = ReferenceIndex(
        [
            Line("事件", 0, "event", 1),
            Line("甲: 一", 0, speaker="甲"),
            Line("秘密", 0, "log", 0, owner="甲"),
        ]
    )
    graph = StoryGraph.of(StoryLinks((("key", 1), ("key", 3))))
    where = ItemFilter(("turn", "event", "log"), (("main", None),), actor="乙")
    event, turn = graph_scores(graph, RecallView(index.layout(where)), {"key": ""})
    assert 0 < turn == event / 2


def test_who_is_meant_by_a_relation_the_question_names_comes_first():
    mentions = (("alice", 1), ("alice", 2), ("alice", 3), ("master", 4), ("other", 5))
    links = StoryLinks(mentions, (("alice", "师父", "master"), ("alice", "讨厌", "other")))
    graph = StoryGraph.of(links)
    asked = frozenset(query_tokens("爱丽丝的师父住在哪里？"))
    assert graph.meant({"alice": ""}, asked) == {"master"}
    hop = graph.item_scores({"alice": "爱丽丝"}, asked)
    plain = graph.item_scores({"alice": "爱丽丝"}, frozenset(query_tokens("爱丽丝住在哪里？")))
    assert hop.argmax() == 3  # what tells of the master alone
    assert plain.argmax() != 3
    assert hop[4] < hop[0]  # whom nothing of the question means stays behind her own memories


def test_a_relation_that_says_nothing_leads_nowhere():
    graph = StoryGraph.of(StoryLinks((("a", 1), ("b", 2)), (("a", "对话", "b"),)))
    assert graph.meant({"a": ""}, frozenset(query_tokens("他们对话了吗"))) == set()
