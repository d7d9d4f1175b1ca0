"""Which plugins for input methods Qt is asked for; `packaging/linux/try-input-method` types."""

import pytest

from engram_desktop.app.main import with_fallback


@pytest.mark.parametrize("asked", ["fcitx", "fcitx5"])
def test_where_only_fcitx_is_asked_for_the_protocol_it_shares_is_tried_next(asked):
    assert with_fallback({"QT_IM_MODULE": asked}) == {"QT_IM_MODULES": f"{asked};ibus"}


def test_a_list_of_plugins_keeps_its_order():
    environment = {"QT_IM_MODULES": "wayland;fcitx", "QT_IM_MODULE": "fcitx"}
    assert with_fallback(environment) == {"QT_IM_MODULES": "wayland;fcitx;ibus"}


@pytest.mark.parametrize(
    "environment",
    [
        {},
        {"QT_IM_MODULE": ""},
        {"QT_IM_MODULE": "ibus"},
        {"QT_IM_MODULE": "compose"},
        {"QT_IM_MODULES": "wayland;fcitx;ibus"},
        {"QT_IM_MODULES": "compose", "QT_IM_MODULE": "fcitx"},  # Qt reads the list alone
    ],
)
def test_whatever_else_was_chosen_is_left_alone(environment):
    assert with_fallback(environment) == {}
