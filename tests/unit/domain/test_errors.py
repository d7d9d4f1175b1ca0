"""Every error a user may meet says what happened, in one line."""

from __future__ import annotations

import importlib
import pkgutil
import string

import pytest

import engram_desktop
from engram_desktop.domain.errors import BadAnswer, BadSetting, KnownError, NotFound

for module in pkgutil.walk_packages(engram_desktop.__path__, "engram_desktop."):
    if module.name != "engram_desktop.__main__":
        importlib.import_module(module.name)


def kinds(base=KnownError):
    yield base
    for kind in base.__subclasses__():
        yield from kinds(kind)


def raised(kind):
    """An instance as its raisers make it."""
    if kind is NotFound:
        return NotFound("chat", "月光酒馆")
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
