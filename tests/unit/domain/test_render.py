"""Cards are labelled in the language of their chat, and only built-in ones are relabelled."""

from __future__ import annotations

import pytest

from engram_desktop.domain.pipeline.prompt_template import (
    CARD_EN,
    CARD_ZH,
    StoryRenderer,
    relabelled,
    renderer_like,
)
from tests.factories import make_extraction

DATA = make_extraction("爱丽丝关了门。", details="门外有人。")


@pytest.mark.parametrize(("old", "new"), [(CARD_EN, CARD_ZH), (CARD_ZH, CARD_EN)])
def test_a_built_in_card_gets_the_other_labels(old, new):
    card = StoryRenderer(old).render(DATA)
    assert relabelled(card, DATA, new) == StoryRenderer(new).render(DATA)
    assert relabelled(card, DATA, old) == card


def test_a_card_that_no_built_in_template_made_stays():
    own = StoryRenderer(CARD_EN).render(DATA) + "\nP.S."
    assert relabelled(own, DATA, CARD_ZH) == own


@pytest.mark.parametrize("template", [CARD_EN, CARD_ZH])
def test_a_card_is_made_again_with_the_labels_it_had(template):
    assert renderer_like(StoryRenderer(template).render(DATA)).template == template
