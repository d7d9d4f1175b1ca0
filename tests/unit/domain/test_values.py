"""Values, settings and errors."""

from __future__ import annotations

import ast
import copy
import dataclasses
import importlib
import inspect
import math
import pickle
import pkgutil
import re
import string
from dataclasses import field, fields
from pathlib import Path
from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typing_extensions import override

import engram_desktop
from engram_desktop.domain import changes
from engram_desktop.domain.changes import Changes, StepLabel
from engram_desktop.domain.errors import Ambiguous, BadAnswer, BadSetting, KnownError, NotFound
from engram_desktop.domain.graph.entity import entity_type, is_entity_name, norm_name
from engram_desktop.domain.memory.event import is_visible
from engram_desktop.domain.memory.line import content_hash, id_of_time
from engram_desktop.domain.memory.message import swipe_hash
from engram_desktop.domain.serving.identity import (
    Upstream,
    host_of,
    is_known_origin,
    parse_origins,
    parse_upstreams,
)
from engram_desktop.domain.settings import DECLARED, FIELD_OF, Settings, declared
from engram_desktop.domain.values import dataclass
from tests.factories import make_event

# Names, scopes, labels, changes, the order of a story: the small rules everything rests on.


@pytest.mark.parametrize(
    "name", ["她", "我们", "妈妈", "老师", "I", "Her", "SOMEONE", "…", " ", ""]
)
def test_words_that_stand_for_somebody_name_nobody(name):
    assert not is_entity_name(name)


@pytest.mark.parametrize("name", ["爱丽丝", "Alice", "她乡旅店", "妈妈桑", "R2", "第三夜"])
def test_names_are_names(name):
    assert is_entity_name(name)


def test_one_name_in_many_spellings_is_one_name():
    assert {
        norm_name(n) for n in ("Alice  Vale", " alice vale", "ＡＬＩＣＥ Vale", "alice\tVALE")
    } == {"alice vale"}
    assert norm_name("が") == norm_name("か\u3099")  # composed and not


@given(st.text())
def test_a_normalised_name_is_its_own_normal_form(name):
    assert norm_name(norm_name(name)) == norm_name(name)


def test_models_words_for_types():
    told = ["Person", " 地点 ", "道具", "organization", "char", "dragon", ""]
    expected = ["char", "loc", "item", "concept", "char", "unknown", "unknown"]
    assert [entity_type(word) for word in told] == expected


TEMPLATES = [
    text for name, text in vars(changes).items() if name.isupper() and isinstance(text, str)
]


@pytest.mark.parametrize("text", TEMPLATES)
def test_a_step_label_formats_and_survives_being_stored(text):
    names = [name for _text, name, _spec, _how in string.Formatter().parse(text) if name]
    label = StepLabel(text, dict.fromkeys(names, "“{count}” 走了"))
    assert StepLabel.from_json(label.to_json()) == label
    assert str(label).count("“{count}” 走了") == len(names)


def test_changes_add_up():
    one = Changes("c", frozenset({1}), messages=True)
    other = Changes("c", frozenset({2}), frozenset({"e"}), settings=True, rows=True)
    both = one | other
    assert (both.events, both.entities) == (frozenset({1, 2}), frozenset({"e"}))
    assert both.messages
    assert both.settings
    assert both.rows
    assert not both.library
    assert one | Changes() == one == Changes() | one


def test_hashes_keep_their_parts_apart():
    assert content_hash("ab", "c") != content_hash("a", "bc")
    assert swipe_hash("甲", "乙") != swipe_hash("甲乙", "")
    assert len(content_hash("\ud800")) == len(swipe_hash("\ud800", "")) == 32


def test_what_is_always_in_context():
    blue, green = make_event(id="b"), make_event(id="g", is_archived=True)
    outline = make_event(id="o", is_archived=True, level=1)
    assert is_visible(blue)
    assert is_visible(outline)
    assert not is_visible(green)


# A class of values is what the standard library makes of it, only later.


class Place:
    """Two fields, one of which has a default of its own for each instance."""

    name: str
    tags: list[str] = field(default_factory=list)
    count: int = field(default=1, compare=False)
    kept: str = field(default="", init=False, repr=False, compare=False)
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
    kept: str = field(default="", init=False, repr=False, compare=False)


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
    assert [f.name for f in dataclasses.fields(ours)] == ["name", "tags", "count", "kept"]
    assert ours.__match_args__ == theirs.__match_args__
    assert (ours.__hash__ is None) == (theirs.__hash__ is None)
    for made in (ours, theirs):
        one, same = made("a"), made("a", [], 2)
        assert repr(one) == "Place(name='a', tags=['a'], count=1)"
        assert (one == same) == options.get("eq", True)
        assert dataclasses.replace(one, name="b", tags=[]).tags == ["b"]
        told = {"name": "a", "tags": ["a"], "count": 1, "kept": ""}
        assert dataclasses.asdict(one) == told
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


@dataclass(frozen=True)
class Near:
    name: str = "a"
    size: int = 1


@dataclass(frozen=True)
class Far(Near):
    size: int = 5
    depth: int = 0


def test_fields_of_a_base_are_those_of_the_class_below():
    assert [f.name for f in dataclasses.fields(Far)] == ["name", "size", "depth"]
    assert repr(Far(depth=2)) == "Far(name='a', size=5, depth=2)"
    assert (Far(), hash(Far())) == (Far("a", 5), hash(("a", 5, 0)))
    assert Near("b") == Near("b", 1) != Far("b", 1)
    with pytest.raises(dataclasses.FrozenInstanceError):
        Far().name = "c"  # type: ignore[misc]


@dataclass(frozen=True, slots=True, order=True)
class Step:
    floor: int
    name: str = field(default="", compare=False)


def test_values_are_ordered_by_their_fields():
    assert Step(1, "b") < Step(2, "a") >= Step(2) > Step(1)
    assert [one.floor for one in sorted((Step(3), Step(1), Step(2)))] == [1, 2, 3]
    assert Step.__dataclass_params__.order  # type: ignore[attr-defined]
    with pytest.raises(TypeError):
        assert Step(1) < 2  # type: ignore[operator]


def test_frozen_value_survives_a_pickle_and_a_copy():
    for value in (Kept("a", 2), Wider("a", 2, 3)):
        kept = pickle.loads(pickle.dumps(value))  # noqa: S301 - our own
        assert kept == value == copy.deepcopy(value)


def test_field_that_is_not_handed_in_has_its_default():
    assert Loose("a").kept == ""


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


# Every error a user may meet says what happened, in one line.

for module in pkgutil.walk_packages(engram_desktop.__path__, "engram_desktop."):
    if module.name != "engram_desktop.__main__":
        vars(importlib.import_module(module.name))  # reads it: `engram_desktop.late`


def kinds(base=KnownError):
    yield base
    for kind in base.__subclasses__():
        yield from kinds(kind)


def raised(kind):
    """An instance as its raisers make it."""
    if kind is NotFound:
        return NotFound("chat", "月光酒馆")
    if kind is Ambiguous:
        return Ambiguous("月光酒馆", ["1a", "2b"])
    if kind is BadSetting:
        return BadSetting("summary.interval", "many\nlines", "it must be a whole number")
    names = {
        name
        for template in (kind.text, kind.hint)
        for _text, name, _spec, _conversion in string.Formatter().parse(template)
        if name
    }
    detail = "what the\nserver said"
    return kind(detail, **dict.fromkeys(names - {"detail"}, "a\nvalue"))


@pytest.mark.parametrize("kind", list(kinds()), ids=lambda kind: kind.__name__)
def test_an_error_is_one_line_and_names_everything(kind):
    said = str(raised(kind))
    assert said
    assert "\n" not in said
    assert "{" not in said
    assert "  " not in said


def test_the_words_of_a_server_are_not_taken_for_a_template():
    assert str(KnownError("{url} {0} {")) == "{url} {0} {"


def test_a_bad_answer_keeps_what_the_model_said():
    error = BadAnswer("no JSON", raw="当然可以！\n")
    assert error.raw == "当然可以！\n"
    assert "当然" not in str(error)


def test_no_error_of_the_window_speaks_english_only():
    """Words of our own in an error are a `Phrase`; only the command line may say them plainly."""
    package = Path(engram_desktop.__file__).parent
    ours = {kind.__name__ for kind in kinds()}
    raises = re.compile(rf"\b({'|'.join(ours)})\(")
    plain = []
    for path in package.rglob("*.py"):
        if path.is_relative_to(package / "cli"):
            continue
        text = path.read_text("utf-8")
        for node in ast.walk(ast.parse(text)) if raises.search(text) else ():
            match node:
                case ast.Call(func=ast.Name(id=name), args=args) if name in ours - {"NotFound"}:
                    plain += [f"{path.name}:{node.lineno}" for arg in args if has_plain_words(arg)]
    assert plain == []


def has_plain_words(said):
    """Whether an argument is a text with blanks, or may be one."""
    match said:
        case ast.Constant(value=str(text)):
            return " " in text
        case ast.JoinedStr():
            return True
        case ast.BoolOp(values=values):
            return any(map(has_plain_words, values))
        case ast.IfExp(body=body, orelse=other):
            return has_plain_words(body) or has_plain_words(other)
        case _:
            return False


# Every setting is declared once, and its declaration holds for itself.

BOUNDED = [key for key, setting in DECLARED.items() if setting.low is not None]
CHOSEN = [key for key, setting in DECLARED.items() if setting.choices]


@pytest.mark.parametrize("key", DECLARED)
def test_a_default_is_a_value_its_setting_takes(key):
    setting = declared(key)
    for told in (setting.default, str(setting.default)):
        parsed = setting.parse(told)
        assert parsed == setting.default
        assert type(parsed) is type(setting.default)
    assert Settings().get(key) == setting.default
    assert setting.title


def test_keys_and_fields_are_one_to_one():
    assert len(FIELD_OF) == len(fields(Settings)) == len(set(FIELD_OF.values()))
    for key, name in FIELD_OF.items():
        assert key.replace(".", "_") == name


@pytest.mark.parametrize("key", BOUNDED)
def test_bounds_are_kept_and_said(key):
    setting = declared(key)
    for value in (setting.low, setting.high):
        assert setting.parse(value) == value
    assert setting.low is not None
    assert setting.high is not None
    beyond = (setting.low - 1, setting.high + 1)
    others: tuple[object, ...] = ("many", "", None, [], math.nan, math.inf)
    for odd in (*beyond, *others):
        with pytest.raises(BadSetting) as refused:
            setting.parse(odd)
        assert key in str(refused.value)


def test_a_whole_number_is_neither_a_fraction_nor_a_truth_value():
    for value in (12.5, True, "12.5"):
        with pytest.raises(BadSetting, match="a whole number"):
            declared("summary.interval").parse(value)
    assert declared("summary.interval").parse(12.0) == 12


@pytest.mark.parametrize("key", CHOSEN)
def test_a_choice_is_one_of_those_declared(key):
    setting = declared(key)
    assert [setting.parse(choice) for choice in setting.choices] == list(setting.choices)
    with pytest.raises(BadSetting, match=setting.choices[0]):
        setting.parse("something else")


def test_replaced_leaves_the_rest_and_ignores_what_a_newer_version_wrote():
    changed = Settings().replaced({"summary.interval": "30", "of.the.future": {"x": 1}})
    assert changed.summary_interval == 30
    assert changed.replaced({"summary.interval": 25}) == Settings()
    with pytest.raises(BadSetting):
        Settings().replaced({"summary.interval": 4})


def test_an_unknown_key_is_told():
    for look in (declared, Settings().get):
        with pytest.raises(NotFound, match=r"no\.such"):
            look("no.such")


# Names and pages: hostile spellings too. What is let in is tested over sockets.


@pytest.mark.parametrize(
    ("header", "host"),
    [
        ("LocalHost.:80", "localhost"),
        ("[::1]", "::1"),
        ("a:b", ""),
        ("a:99999", ""),
        ("[::1", ""),
        ("a b", ""),
        ("a@b", ""),
        ("", ""),
        (":80", ""),
        ("x" * 400, ""),
    ],
)
def test_the_name_of_a_host_header_is_read_strictly(header, host):
    assert host_of(header) == host


@pytest.mark.parametrize("origin", ["", "null", "http://[::1", "http://", "localhost", "a" * 9_999])
def test_what_is_no_origin_is_of_no_page(origin):
    assert not is_known_origin(origin, frozenset(), "localhost", network=True)


def test_origins_are_read_one_a_line():
    assert parse_origins(" https://A.example/ \n\nhttp://b:1\n") == {
        "https://a.example",
        "http://b:1",
    }


def test_endpoints_are_read_one_a_line_and_faults_are_told():
    good = "or = https://or.example/api/v1/ deepseek/ qwen"
    text = f"{good}\n\nbad\nor = http://x\n名 = http://x\nz = ftp://x\ny ="
    upstreams, faults = parse_upstreams(text)
    assert upstreams == (Upstream("or", "https://or.example/api/v1", ("deepseek/", "qwen")),)
    assert len(faults) == 5
    assert all(isinstance(fault, BadSetting) and str(fault) for fault in faults)


def test_a_models_name_asks_for_the_endpoint_whose_it_is():
    upstream = Upstream("or", "http://x", ("qwen",))
    assert upstream.asked_as("or/a/b") == "a/b"
    assert upstream.asked_as("qwen-3") == "qwen-3"
    assert upstream.asked_as("or/") is None
    assert upstream.asked_as("orange/a") is None
    assert upstream.asked_as("") is None
    assert upstream.offered_as("qwen-3") == "qwen-3"
    assert upstream.offered_as("a/b") == "or/a/b"
    assert Upstream("or", "http://x").asked_as("a") is None
    assert Upstream("or", "http://x").offered_as("a") == "or/a"


def test_ids_of_events_sort_by_when_they_were_made():
    now = 1_764_500_000_000
    ids = [id_of_time(time) for time in (0, 1, now, now + 1)]
    assert sorted(ids) == ids
    assert {len(one) for one in ids} == {32}
    assert id_of_time(now) != id_of_time(now)
