"""Every error a user may meet says what happened, in one line."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import string
from pathlib import Path

import pytest

import engram_desktop
from engram_desktop.domain.errors import Ambiguous, BadAnswer, BadSetting, KnownError, NotFound

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
    plain = []
    for path in package.rglob("*.py"):
        if path.is_relative_to(package / "cli"):
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
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
