"""Every road by which memory leaves a chat is known, and says for whom it is.

The roads are taken from the services: a method that hands on something remembered and is not in
the table fails, until somebody has decided who may go that way.
"""

from __future__ import annotations

import inspect
import re
from functools import cached_property

import pytest

from engram_desktop.services import memory as memory_module
from engram_desktop.services.memory import Memory

# What a method hands on, where it hands on something that is remembered.
REMEMBERED = re.compile(
    r"EventNode|Message|RecallResult|SearchResult|Injection|GraphView|EntityNode|\bRelation\b|PrivateLog"
    r"|StateHistory|MemoryItem|Explanation|PastRecall|Knower|Secret|PresentFloor|MemoryWorldbook"
    r"|Suggestion|DraftComparison|SentenceSource"
    r"|Turn\b|TurnNote|dict\[str, Any\]|Mapping\[str, str\]|\bstr$"
)
# By the parameter that names who asks: what these give has been through the rule of access.
GUARDED = {
    "graph.entity_events": "actors",
    "graph.find_entities": "actors",
    "graph.graphml": "actors",
    "graph.neighbourhood": "actors",
    "graph.node_link": "actors",
    "graph.path": "actors",
    "graph.picture": "actors",
    "graph.relations_of": "actors",
    "events.find": "query",
    "logs.find": "query",
    "knowledge.heard": "actor",
    "knowledge.state": "names",
    "state.perceived": "floors",
    "recall.ask": "query",
    "inject.compose": "query",
    "care.export": "actors",
    "_searcher.search": "query",
    "search.find": "actors",
}
# Replies are written as the character who speaks; what reaches the prompt is what it knows.
AS_THE_SPEAKER = {"play.go_on", "play.reply", "play.reroll", "play.send", "serving.fill"}
# For the human curator alone, who sees everything: pages and verbs that curate, not prompts.
FOR_THE_CURATOR = {
    "drafts.ask_other",
    "drafts.compare",
    "drafts.sources",
    "events.deleted",
    "events.at_floors",
    "events.fetch",
    "events.find_one",
    "events.render_card",
    "graph.find_entity",
    "graph.find_relation",
    "graph.hidden_entities",
    "graph.named",
    "graph.suggestions",
    "kept.memory_worldbook",
    "knowledge.present",
    "knowledge.secrets",
    "knowledge.who",
    "logs.fetch",
    "logs.find_one",
    "messages.heads",
    "messages.slice",
    "play.notes",
    "prompts.as_text",
    "recall.explanation",
    "recall.muted",
    "recall.past",
    "state.history",
    "state.initial",
}
# Nothing of what is remembered: names, settings, what the user or a card wrote outside of the chat.
NO_MEMORY = {
    "branches.find",
    "care.stats",
    "characters.tag_names",
    "chats.find",
    "chats.name",
    "endpoints.test",
    "graph.entity_names",
    "kept.title",
    "prompts.difference",
    "settings.chosen",
    "worldbooks.context",
    "worldbooks.outlets",
}


def service_methods():
    """Yield (attribute.method, function) of all that an open library offers."""
    modules = [m for m in vars(memory_module).values() if inspect.ismodule(m)]
    for attribute, made in vars(Memory).items():
        if not isinstance(made, cached_property):
            continue
        name = made.func.__annotations__["return"]
        [service] = {getattr(m, name) for m in modules if hasattr(m, name)}
        for method, function in inspect.getmembers(service, inspect.isfunction):
            if not method.startswith("_"):
                yield f"{attribute}.{method}", function


METHODS = dict(service_methods())
TABLE = [set(GUARDED), AS_THE_SPEAKER, FOR_THE_CURATOR, NO_MEMORY]


def test_every_road_is_in_the_table_once():
    roads = {
        name
        for name, function in METHODS.items()
        if REMEMBERED.search(str(function.__annotations__.get("return", "")))
    }
    known = set.union(*TABLE)
    assert roads - known == set(), "who may go these ways? see GUARDED"
    assert known - METHODS.keys() == set(), "these are no more"
    assert sum(map(len, TABLE)) == len(known)


@pytest.mark.parametrize(("road", "asker"), sorted(GUARDED.items()))
def test_a_guarded_road_is_told_who_asks(road, asker):
    assert asker in inspect.signature(METHODS[road]).parameters
