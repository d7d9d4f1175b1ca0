"""Who says a sentence of a card that speaks for others too, in pairs that differ little."""

from __future__ import annotations

import pytest

from engram_desktop.domain.claims.claim import Claim
from engram_desktop.domain.claims.people import story_names
from engram_desktop.domain.claims.reading import read_message
from engram_desktop.domain.claims.speech import Context, MessageSender

EN = ("Rowan", "Lord Vane", "Mrs. Tull", "Nell", "Captain Orme")
EN_GENDERS = {"Rowan": "f", "Lord Vane": "m", "Nell": "f", "Captain Orme": "m"}
ZH = ("林溪", "陈默", "宋晚", "赵川")
ZH_GENDERS = {"林溪": "f", "陈默": "m", "宋晚": "f", "赵川": "m"}


def lines(people, genders, *messages):
    """Return the sentences of the last message; the player writes as the first of ``people``.

    Each message is of the card, who is the second of them, but one that begins with ``>``.
    """
    names, context = story_names(people, people[0]), Context()
    found: tuple[Claim, ...] = ()
    for text in messages:
        sender = people[0] if text.startswith(">") else people[1]
        read, context = read_message(
            1, text.removeprefix(">"), MessageSender(sender), names, context, genders
        )
        found = read.lines
    return found


def told(people, genders, *messages):
    return [(line.how, line.speaker) for line in lines(people, genders, *messages)]


def said(people, genders, *messages):
    found = lines(people, genders, *messages)
    return [(line.speaker, line.quote) for line in found if line.how == "said"]


def speakers(people, genders, *messages):
    return list(dict.fromkeys(who for who, _words in said(people, genders, *messages)))


def english(*messages):
    return speakers(EN, EN_GENDERS, *messages)


def chinese(*messages):
    return speakers(ZH, ZH_GENDERS, *messages)


@pytest.mark.parametrize("who", ["Nell", "Mrs. Tull"])
def test_a_title_that_is_cut_short_ends_no_sentence_before_a_speech(who):
    assert english(f'{who} curtsies at the gate. "Such a fine house!"') == [who]
    assert english(f'*Upstairs, {who} shuts a door.* "I could not wait."') == [who]


@pytest.mark.parametrize(
    ("text", "is_term"),
    [
        ('Captain "Brick" Orme ducks in.', True),
        ('They called it a "gift" back then.', True),
        ('They called it a "gift."', True),
        ('A sign says "No Entry" and Nell reads it.', True),
        ('Nell nods. "Fine" was all she said.', False),
        ('Nell shouts "Run" and bolts.', False),
        ('Nell tells her "Go home" and steps back.', False),
    ],
)
def test_a_nickname_or_a_term_in_quotes_is_nothing_said(text, is_term):
    assert (said(EN, EN_GENDERS, text) == []) is is_term


def test_a_line_that_tells_of_somebody_by_a_nickname_leads_in_the_line_below():
    assert english('*Captain "Brick" Orme ducks in.*\n"Nell! You have it?"') == ["Captain Orme"]
    assert chinese("*“铁手”赵川走进来。*\n“东西呢？”") == ["赵川"]
