"""Reads the stories of the omniscience set: messages, and of each who perceives which part of it.

A story is a text of lines:

    ! player NAME / ! character NAME OTHER_NAMES     the cast, in the order of the file
    ! narrator NAME                                  a card that tells of all the others
    == PLACE | NAMES                                 a scene begins, with those who are there
    == branch NAME from LABEL | NAMES                so does a branch, after the message so labelled
    > +NAME, > -NAME, > ~NAME                        comes, goes, overhears from now on
    #LABEL NAME: TEXT                                a message; the label is optional
    ~ COUNT                                          so many messages of small talk

In a text, `[[A,B|…]]` is a part that only A and B perceive; `[[t:A|…]]` is thought by A,
`[[r:A|…]]` read by A (and others). The narrator is nobody, and perceives nothing.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

FOLDER = Path(__file__).parent
NARRATORS = frozenset(("旁白", "Narrator"))
_PART = re.compile(r"\[\[(?:([tr]):)?([^|\]]+)\|(.*?)\]\]", re.DOTALL)
_LINE = re.compile(r"(?:#(\w+) )?([^:#]{1,20}): (.*)")
_BRANCH = re.compile(r"== branch (\S+) from (\w+)")
_HOW = {"t": "thought", "r": "read", None: "whispered"}


@dataclass(frozen=True)
class Part:
    """A stretch of a message, and who perceives it; ``how`` is open, whispered, thought or read."""

    start: int
    end: int
    audience: tuple[str, ...]
    how: str = "open"


@dataclass(frozen=True)
class Line:
    """A message with its truth: ``parts`` are private, ``overhearing`` are in ``there``."""

    name: str
    text: str
    role: str
    scene: int
    there: tuple[str, ...]
    parts: tuple[Part, ...] = ()
    overhearing: tuple[str, ...] = ()
    label: str = ""

    @property
    def pieces(self) -> Iterator[tuple[str, Part]]:
        """All of the text, what is open and each private part, with who perceives it."""
        at = 0
        for part in self.parts:
            if part.start > at:
                yield self.text[at : part.start], Part(at, part.start, self.there)
            yield self.text[part.start : part.end], part
            at = part.end
        if at < len(self.text):
            yield self.text[at:], Part(at, len(self.text), self.there)


@dataclass(frozen=True)
class Branch:
    """Another way the story goes after floor ``fork``: ``lines`` come in place of the rest."""

    name: str
    fork: int
    lines: tuple[Line, ...]


@dataclass(frozen=True)
class Secret:
    """What only some know: ``keys`` are the words that give it away.

    ``knows``: for a branch ("" for the main one) who knows it, since the message with which label,
    and how. A lie is a secret of its own, ``lie_of`` the one it hides.
    """

    id: str
    fact: str
    keys: tuple[str, ...]
    questions: tuple[str, ...]
    knows: dict[str, dict[str, tuple[str, str]]]
    lie_of: str = ""


@dataclass(frozen=True)
class Story:
    """A story with its branches and secrets."""

    language: str
    player: str
    characters: dict[str, tuple[str, ...]]
    main: tuple[Line, ...]
    branches: dict[str, Branch] = field(default_factory=dict)
    secrets: tuple[Secret, ...] = ()

    @property
    def people(self) -> tuple[str, ...]:
        return (*self.characters, self.player)

    def lines(self, branch: str = "") -> tuple[Line, ...]:
        """All messages of a branch, from the first floor on."""
        if not branch:
            return self.main
        other = self.branches[branch]
        return (*self.main[: other.fork + 1], *other.lines)

    def floor_of(self, label: str, branch: str = "") -> int:
        floors = [n for n, line in enumerate(self.lines(branch)) if line.label == label]
        assert len(floors) == 1, f"{label!r} on branch {branch!r}: {floors}"
        return floors[0]


def read_story(language: str) -> Story:
    """Read a story: ``zh`` or ``en``."""
    source = (FOLDER / f"story_{language}.txt").read_text("utf-8")
    small_talk = (FOLDER / f"filler_{language}.txt").read_text("utf-8").splitlines()
    secrets = json.loads((FOLDER / f"secrets_{language}.json").read_text("utf-8"))
    reading = _Reading(language, small_talk)
    for line in source.splitlines():
        reading.read(line.strip())
    return reading.story(tuple(_secret(one) for one in secrets))


def read_told_story(name: str) -> Story:
    """Read a story of `told`, in which one card speaks for several persons."""
    source = (FOLDER / "told" / f"{name}.txt").read_text("utf-8")
    table = tomllib.loads((FOLDER / "told" / f"{name}.toml").read_text("utf-8"))
    reading = _Reading(table["language"], [])
    for line in source.splitlines():
        reading.read(line.strip())
    rows = [{"fact": "", "knows": {}} | one for one in table["secret"]]
    return reading.story(tuple(_secret(one) for one in rows))


def told_stories(*, held_back: bool) -> list[str]:
    """Return the names of the stories that rules are tuned on, or of those kept aside."""
    names = sorted(path.stem for path in (FOLDER / "told").glob("*.txt"))
    return [name for name in names if name.startswith("held_") == held_back]


def _secret(one: dict[str, Any]) -> Secret:
    knows = {
        branch: {name: (some["from"], some["how"]) for name, some in people.items()}
        for branch, people in one["knows"].items()
    }
    return Secret(
        one["id"],
        one["fact"],
        tuple(one["keys"]),
        tuple(one["questions"]),
        knows,
        one.get("lie_of", ""),
    )


class _Reading:
    def __init__(self, language: str, small_talk: Sequence[str]) -> None:
        self.language = language
        self._small_talk = small_talk
        self._said = 0
        self._player = ""
        self._narrators = set(NARRATORS)
        self._characters: dict[str, tuple[str, ...]] = {}
        self._scene = -1
        self._there: list[str] = []
        self._overhearing: list[str] = []
        self._main: list[Line] = []
        self._branches: list[tuple[str, str, list[Line]]] = []

    def read(self, line: str) -> None:
        if line.startswith("! "):
            kind, name, *others = line[2:].split()
            if kind == "player":
                self._player = name
            elif kind == "narrator":
                self._narrators.add(name)
            else:
                self._characters[name] = tuple(others)
        elif line.startswith("== "):
            self._begin(line)
        elif line.startswith("> "):
            self._move(line[2], line[3:])
        elif line.startswith("~ "):
            for _ in range(int(line[2:])):
                self._talk()
        elif line:
            match = _LINE.fullmatch(line)
            assert match is not None, line
            self._say(match[2], match[3].replace("\\n", "\n"), match[1] or "")

    def story(self, secrets: tuple[Secret, ...]) -> Story:
        story = Story(self.language, self._player, self._characters, tuple(self._main))
        branches = {
            name: Branch(name, story.floor_of(label), tuple(lines))
            for name, label, lines in self._branches
        }
        return Story(self.language, self._player, self._characters, story.main, branches, secrets)

    def _begin(self, line: str) -> None:
        branch = _BRANCH.match(line)
        if branch is not None:
            self._branches.append((branch[1], branch[2], []))
        self._scene += 1
        self._overhearing = []
        self._there = line.rsplit("|", 1)[1].split()
        self._check(*self._there)

    def _move(self, mark: str, name: str) -> None:
        self._check(name)
        if mark == "-":
            self._there.remove(name)
            self._overhearing = [some for some in self._overhearing if some != name]
            return
        self._there.append(name)
        if mark == "~":
            self._overhearing.append(name)

    def _talk(self) -> None:
        """Say something that matters to nobody; who overhears keeps still."""
        people = [name for name in self._there if name not in self._overhearing]
        name = people[self._said % len(people)]
        me = {"zh": "我", "en": "I"}[self.language] if name == self._player else name
        text = self._small_talk[(self._said * 7) % len(self._small_talk)].replace("{me}", me)
        self._said += 1
        self._say(name, text, "")

    def _say(self, name: str, marked: str, label: str) -> None:
        text, parts, at = "", [], 0
        for match in _PART.finditer(marked):
            text += marked[at : match.start()]
            names = tuple(some.removeprefix("w:") for some in match[2].split(","))
            self._check(*names)
            parts.append(Part(len(text), len(text) + len(match[3]), names, _HOW[match[1]]))
            text += match[3]
            at = match.end()
        text += marked[at:]
        if name not in self._narrators:
            self._check(name)
            assert name in self._there, f"{name} is not there: {text}"
        role = "user" if name == self._player else "assistant"
        lines = self._branches[-1][2] if self._branches else self._main
        lines.append(
            Line(
                name,
                text,
                role,
                self._scene,
                tuple(self._there),
                tuple(parts),
                tuple(self._overhearing),
                label,
            )
        )

    def _check(self, *names: str) -> None:
        for name in names:
            assert name == self._player or name in self._characters, name


def messages_of(lines: Sequence[Line]) -> list[Any]:
    """The messages as the rules of presence read them."""
    return [SimpleNamespace(name=line.name, text=line.text, role=line.role) for line in lines]


def write_chat(story: Story, path: Path, branch: str = "") -> Path:
    """Write a branch as a SillyTavern group chat, and return where."""
    rows: list[dict[str, Any]] = [
        {"chat_metadata": {}, "user_name": "unused", "character_name": "unused"}
    ]
    rows += [
        {"name": line.name, "is_user": line.role == "user", "is_system": False, "mes": line.text}
        for line in story.lines(branch)
    ]
    text = "\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    path.write_text(text + "\n", "utf-8")
    return path
