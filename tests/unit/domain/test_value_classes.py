"""A class of values is what the standard library makes of it, only later."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
from dataclasses import field
from typing import ClassVar

import pytest
from typing_extensions import override

from engram_desktop.domain.values import dataclass


class Place:
    """Two fields, one of which has a default of its own for each instance."""

    name: str
    tags: list[str] = field(default_factory=list)
    count: int = field(default=1, compare=False)
    known: ClassVar[int] = 3

    def __post_init__(self):
        self.tags.append(self.name)


def both(**options):
    """The class as we make it, and as the standard library does."""
    own = ("__dict__", "__weakref__")
    body = {name: value for name, value in vars(Place).items() if name not in own}
    bodies = [type("Place", (), dict(body)) for _ in range(2)]
    return dataclass(**options)(bodies[0]), dataclasses.dataclass(**options)(bodies[1])


@dataclass(frozen=True, slots=True)
class Kept:
    name: str
    size: int = 0


@dataclass(frozen=True, slots=True)
class Wider(Kept):
    depth: int = 0


@dataclass(slots=True)
class Loose:
    name: str


@dataclass(frozen=True)
class Said:
    name: str

    @override
    def __repr__(self):
        return "said"

    @override
    def __eq__(self, other):
        return True

    __hash__ = None  # type: ignore[assignment]  # how Python itself says that it has none


@pytest.mark.parametrize(
    "options",
    [{}, {"frozen": True}, {"slots": True}, {"frozen": True, "slots": True}, {"eq": False},
     {"frozen": True, "slots": True, "eq": False}, {"order": True}],
)  # fmt: skip
def test_class_behaves_as_one_of_the_standard_library(options):
    ours, theirs = both(**options)
    assert inspect.signature(ours) == inspect.signature(theirs)
    assert [f.name for f in dataclasses.fields(ours)] == ["name", "tags", "count"]
    assert ours.__match_args__ == theirs.__match_args__
    assert (ours.__hash__ is None) == (theirs.__hash__ is None)
    for made in (ours, theirs):
        one, same = made("a"), made("a", [], 2)
        assert repr(one) == "Place(name='a', tags=['a'], count=1)"
        assert (one == same) == options.get("eq", True)
        assert dataclasses.replace(one, name="b", tags=[]).tags == ["b"]
        assert dataclasses.asdict(one) == {"name": "a", "tags": ["a"], "count": 1}
        with pytest.raises(TypeError):
            made()
        if options.get("frozen"):
            with pytest.raises(dataclasses.FrozenInstanceError):
                one.name = "c"
        else:
            one.name = "c"
            assert one.name == "c"


def test_first_thing_asked_may_be_any():
    assert Kept("a") == Kept("a", 0) != Kept("a", 1)
    assert len({Kept("a"), Kept("a"), Kept("b")}) == 2
    assert hash(Wider("a")) == hash(("a", 0, 0))
    assert Wider("a", depth=2) != Wider("a")
    assert repr(Wider("a")) == "Wider(name='a', size=0, depth=0)"


def test_frozen_value_survives_a_pickle_and_a_copy():
    for value in (Kept("a", 2), Wider("a", 2, 3)):
        kept = pickle.loads(pickle.dumps(value))  # noqa: S301 - our own
        assert kept == value == copy.deepcopy(value)


def test_value_that_may_change_has_no_hash():
    with pytest.raises(TypeError):
        hash(Loose("a"))


def test_what_a_class_says_itself_stays():
    assert repr(Said("a")) == "said"
    assert Said("a") == 1
    with pytest.raises(TypeError):
        hash(Said("a"))


def test_a_method_is_written_once():
    assert not inspect.isfunction(vars(Loose)["__eq__"]) or Loose("a") == Loose("a")
    assert Loose("a") == Loose("a")
    assert inspect.isfunction(vars(Loose)["__eq__"])
    assert inspect.isfunction(vars(Loose)["__init__"])
