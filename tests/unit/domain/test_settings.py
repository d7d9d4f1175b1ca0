"""Every setting is declared once, and its declaration holds for itself."""

from __future__ import annotations

import math
from dataclasses import fields

import pytest

from engram_desktop.domain.errors import BadSetting, NotFound
from engram_desktop.domain.settings.settings import DECLARED, FIELD_OF, Settings, declared

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
