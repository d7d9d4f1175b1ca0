"""The model of the omniscience set tells what stands on the floors it is shown, and no more."""

from __future__ import annotations

import json

import pytest

from tests.omniscience.reader import read_story
from tests.omniscience.truth import tellings
from tests.omniscience.truthful_model import TruthfulModel

STORIES = {language: read_story(language) for language in ("zh", "en")}


@pytest.fixture(params=sorted(STORIES))
def story(request):
    return STORIES[request.param]


def asked(story, first, last, branch=""):
    """What the model answers about some floors."""
    rows = "\n".join(
        f"[{floor}] {line.name}: {line.text}"
        for floor, line in enumerate(story.lines(branch))
        if first <= floor <= last
    )
    model = TruthfulModel(story)
    body = {
        "messages": [
            {"role": "user", "content": f"第 {first} 楼\n<chat_history>\n{rows}\n</chat_history>\n"}
        ]
    }
    answer = json.loads(model(body))
    assert model.asked == [list(range(first, last + 1))]
    return answer


@pytest.mark.parametrize("size", [1, 7, 25])
def test_every_floor_has_those_who_are_there(story, size):
    for branch in ("", *story.branches):
        lines = story.lines(branch)
        for first in range(0, len(lines), size):
            last = min(first + size, len(lines)) - 1
            spans = asked(story, first, last, branch)["presence"]
            for floor in range(first, last + 1):
                here = [span["present"] for span in spans if span["from"] <= floor <= span["to"]]
                assert here[0] == list(lines[floor].there)
                assert here[1:] == [list(part.audience) for part in lines[floor].parts]


def test_each_telling_is_an_event_with_those_who_perceive_it(story):
    for branch in ("", *story.branches):
        lines = story.lines(branch)
        for secret in story.secrets:
            for telling in tellings(story, secret, branch):
                events = asked(story, telling.floor, telling.floor, branch)["events"]
                assert any(
                    event["witnesses"] == list(telling.audience)
                    and any(key in event["summary"] for key in secret.keys)
                    for event in events
                )
        for event in asked(story, 0, len(lines) - 1, branch)["events"]:
            for secret in story.secrets:
                if any(key in event["summary"] for key in secret.keys):
                    knowing = {
                        name
                        for telling in tellings(story, secret, branch)
                        if telling.floor <= event["to"]
                        for name in telling.audience
                    }
                    assert set(event["witnesses"]) <= knowing


def test_what_is_no_summary_gets_an_empty_object(story):
    assert TruthfulModel(story)({"messages": [{"role": "user", "content": "hi"}]}) == "{}"
