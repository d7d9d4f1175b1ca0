"""How well do the rules alone tell who is there, and how fast?

    python -m benchmarks.presence [FOLDER] [--wrong]

Counted on the bundled story against labels made by reading it: of the (floor, name) pairs that the
rules grant, how many are wrong, and of those that are so, how many are found; and so on the stories
of the omniscience set, by the truth written in them. With a folder, each
group chat in it (three speakers or more) is judged too. Nobody labelled those: the one thing their
files say is who speaks. Printed is how often the rules already expected a speaker who has spoken
before (recall of returning speakers), and how many are granted per floor.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from engram_desktop.domain.knowledge.presence import follow, perceive
from engram_desktop.domain.knowledge.thoughts import Cast, Member
from tests.labelled_presence import LABELS, ROOT, cast_of, messages_of, truth_of
from tests.omniscience.reader import messages_of as story_messages
from tests.omniscience.reader import read_story

FEW = 3  # speakers from which a chat is a group's
SPEED = 20_000  # messages of the speed figure


def judge(path: Path, is_told: bool) -> dict[str, float]:
    labels = json.loads(path.read_text("utf-8"))
    messages = messages_of(ROOT / labels["story"])
    truth = truth_of(labels)
    granted = wrong = right = there = 0
    for floor, perception in enumerate(perceive(messages, cast_of(messages))):
        present, may = truth[floor]
        names = {some.name for some in perception.audience} - may
        granted += len(names)
        right += len(names & present)
        wrong += len(names - present)
        there += len(present)
        if is_told and names != present:
            print(f"  {floor}: wrong {sorted(names - present)}, missing {sorted(present - names)}")
    return {
        "granted": granted,
        "wrong": wrong,
        "precision": right / granted,
        "recall": right / there,
    }


def judge_story(language: str) -> dict[str, float]:
    """The same of a story of the omniscience set, by the truth that is written in it."""
    story = read_story(language)
    characters = tuple(Member(name, others) for name, others in story.characters.items())
    cast = Cast(characters, story.player, is_group=True)
    granted = wrong = there = 0
    for line, perception in zip(
        story.main, perceive(story_messages(story.main), cast), strict=True
    ):
        names = {some.name for some in perception.audience}
        granted += len(names)
        wrong += len(names - set(line.there))
        there += len(line.there)
    return {
        "granted": granted,
        "wrong": wrong,
        "precision": 1 - wrong / granted,
        "recall": (granted - wrong) / there,
    }


def returning(messages: Sequence[Any]) -> tuple[int, int, float]:
    """Of speakers who spoke before: how many the rules had there a message earlier."""
    cast = cast_of(messages)
    expected = returns = granted = 0
    known: set[str] = set()
    before: set[str] = set()
    for message, (perception, scene, _) in zip(messages, follow(messages, cast), strict=True):
        if message.name in known:
            returns += 1
            expected += message.name in before
        known.add(message.name)
        before = set(scene.names)
        granted += len(perception.audience)
    return expected, returns, granted / max(1, len(messages))


def speed(cast: Cast, short: Sequence[Any]) -> float:
    """Messages a second of processor time: what else the machine does is not counted."""
    many = [short[number % len(short)] for number in range(SPEED)]
    start = time.process_time()
    perceive(many, cast)
    return SPEED / (time.process_time() - start)


def main(arguments: Sequence[str]) -> None:
    folders = [Path(each) for each in arguments if not each.startswith("--")]
    for path in sorted(LABELS.glob("*.json")):
        figures = judge(path, "--wrong" in arguments)
        print(path.stem, {name: round(value, 4) for name, value in figures.items()})
    for language in ("zh", "en"):
        figures = judge_story(language)
        print("story", language, {name: round(value, 4) for name, value in figures.items()})
    for folder in folders:
        for path in sorted(folder.rglob("*.jsonl")):
            messages = messages_of(path)
            if len({message.name for message in messages}) < FEW:
                continue
            expected, returns, each = returning(messages)
            print(path.name, f"{expected}/{returns} returning speakers, {each:.1f} granted a floor")
    short = [
        SimpleNamespace(
            name="爱丽丝", text="*她笑了笑。*“今天的苹果热饮，多放了肉桂。”", role="assistant"
        ),
        SimpleNamespace(name="旅人", text="“谢谢，我正好有点冷。”*我接过杯子。*", role="user"),
        SimpleNamespace(name="凯尔", text="（他不会知道的。）“晚上好，爱丽丝。”", role="assistant"),
        SimpleNamespace(name="Bob", text='*He nods.* "Fine, I will see to it."', role="assistant"),
    ]
    people = tuple(Member(name) for name in ("爱丽丝", "凯尔", "莉莉丝", "Bob"))
    for is_group in (True, False):
        some = Cast(people if is_group else people[:1], "旅人", is_group)
        print("group" if is_group else "pair", f"{speed(some, short):,.0f} messages/s")


if __name__ == "__main__":
    main(sys.argv[1:])
