"""What is true in a story: who knows a secret, since when, and how."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from typing_extensions import override

from tests.omniscience.reader import Secret, Story


@dataclass(frozen=True)
class Telling:
    """A place where a secret is told, thought or read: on which floor, to whom, and how."""

    floor: int
    audience: tuple[str, ...]
    how: str
    overhearing: tuple[str, ...] = ()


def tellings(story: Story, secret: Secret, branch: str = "") -> list[Telling]:
    """Find where the key words of a secret stand, and who perceives each place."""
    return list(_tellings(_ByIdentity(story), secret.keys, branch))


def known(story: Story, actor: str, secret: Secret, floor: int, branch: str = "") -> bool:
    """Whether somebody has perceived a secret by a floor, that floor with it."""
    since = known_since(story, actor, secret, branch)
    return since is not None and since <= floor


def known_since(story: Story, actor: str, secret: Secret, branch: str = "") -> int | None:
    """The floor on which somebody first perceives a secret, None for never."""
    floors = [
        telling.floor for telling in tellings(story, secret, branch) if actor in telling.audience
    ]
    return min(floors, default=None)


def who_knows(story: Story, secret: Secret, floor: int, branch: str = "") -> set[str]:
    """All who know a secret on a floor."""
    return {name for name in story.people if known(story, name, secret, floor, branch)}


def leaks(story: Story, actor: str, text: str, floor: int, branch: str = "") -> list[str]:
    """Of what somebody is shown: the ids of secrets whose key words they cannot know by a floor."""
    return [
        secret.id
        for secret in story.secrets
        if any(key in text for key in secret.keys)
        and not known(story, actor, secret, floor, branch)
    ]


@cache
def _tellings(story: _ByIdentity, keys: tuple[str, ...], branch: str) -> tuple[Telling, ...]:
    return tuple(
        Telling(floor, part.audience, part.how, line.overhearing)
        for floor, line in enumerate(story.story.lines(branch))
        for text, part in line.pieces
        if any(key in text for key in keys)
    )


class _ByIdentity:
    """A story as a key of the cache."""

    def __init__(self, story: Story) -> None:
        self.story = story

    @override
    def __eq__(self, other: object) -> bool:
        return isinstance(other, _ByIdentity) and other.story is self.story

    @override
    def __hash__(self) -> int:
        return id(self.story)
