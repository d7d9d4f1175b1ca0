"""What the rules of presence alone make of the stories: hardly a leak, and most is found.

Asked is what each person perceives as text, message by message: the open text where they are there
by the rules, without the private parts that are not theirs.
"""

from __future__ import annotations

import pytest

from engram_desktop.domain.knowledge.knowing import heard_text
from engram_desktop.domain.knowledge.presence import perceive
from engram_desktop.domain.knowledge.thoughts import Cast, Member
from tests.omniscience.reader import messages_of, read_story
from tests.omniscience.truth import known, leaks


def heard_by(story, branch):
    """Of each person, what they perceive on each floor by the rules."""
    characters = tuple(Member(name, others) for name, others in story.characters.items())
    cast = Cast(characters, story.player, is_group=True)
    lines = story.lines(branch)
    perceptions = perceive(messages_of(lines), cast)
    return {
        name: [
            heard(line.text, perception, name)
            for line, perception in zip(lines, perceptions, strict=True)
        ]
        for name in story.people
    }


def heard(text, perception, name):
    numbers = [
        number
        for number, part in enumerate(perception.parts)
        if name in {some.name for some in part.audience}
    ]
    if name in {some.name for some in perception.audience}:
        return heard_text(text, perception.parts, numbers)
    return " ".join(
        text[perception.parts[number].start : perception.parts[number].end] for number in numbers
    )


@pytest.mark.parametrize("language", ["zh", "en"])
def test_rules_leak_hardly_anything_and_find_most(language):
    story = read_story(language)
    for branch in ("", *story.branches):
        leaking: set[tuple[str, str]] = set()
        missing = knowing = unknowing = 0
        for name, texts in heard_by(story, branch).items():
            for floor, text in enumerate(texts):
                leaking.update((name, some) for some in leaks(story, name, text, floor, branch))
            for secret in story.secrets:
                if known(story, name, secret, len(texts), branch):
                    knowing += 1
                    missing += not any(key in text for text in texts for key in secret.keys)
                else:
                    unknowing += 1
        assert len(leaking) <= 0.02 * (knowing + unknowing), leaking
        assert missing <= 0.25 * knowing
