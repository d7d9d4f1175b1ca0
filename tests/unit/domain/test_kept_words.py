"""Promises that are kept by deeds or kept silent, and lies that a reproach cites."""

from __future__ import annotations

import pytest

from benchmarks.findings import read_all
from engram_desktop.domain.claims.wording import stem_of

STYLE = [
    ("Mina", '*Mina looks up from her book. She has a cold.* "Come in."'),
    ("Jo", '"Thanks." I sit down beside her.'),
    ("Mina", '*Mina pours the tea. She coughs.* "Milk?"'),
    ("Jo", '"No, black." I take the cup from her.'),
]


def findings(*messages, kind="promise"):
    read = read_all([*STYLE, *messages], "Jo")[1]
    return [
        (f.status, f.quotes[0].text.strip(), f.quotes[-1].floor) for f in read if f.kind == kind
    ]


@pytest.mark.parametrize(
    ("word", "stem"),
    [("called", "call"), ("killed", "kill"), ("sealed", "seal"), ("travelled", "travel")],
)
def test_the_past_of_a_verb_in_l_has_the_stem_of_the_verb(word, stem):
    assert stem_of(word) == stem_of(stem)


def test_a_call_that_was_promised_is_kept_when_somebody_made_it():
    promised = ("Mina", '*She nods.* "I\'ll call him before Easter, I promise."')
    waits = ("Jo", '"Good."')
    kept = ("Jo", "Later I hear her voice through the door. She really called him.")
    assert findings(promised, waits, kept)[0][0] == "kept"
    other = ("Jo", '"Did you call the plumber?" I ask.')
    assert findings(promised, waits, other)[0][0] == "open"


def test_what_is_carried_to_somebody_is_handed_over_and_not_when_it_is_taken():
    found = ("Mina", '*Under the stairs lies a silver comb.* "I\'ll bring it to your aunt."')
    rows = [found, ("Jo", '"She will cry."'), ("Mina", "*Mina slides the comb from the dust.*")]
    assert findings(*rows)[0][0] == "open"
    given = ("Mina", "*Mina takes the comb from her bag and lays it in her hand.*")
    assert findings(*rows, ("Jo", '"There she is."'), given)[0][0] == "kept"


def test_who_says_that_they_are_even_has_given_what_was_owed():
    owed = ("Mina", '"I\'ll get you the map. I swear."')
    even = ("Mina", '*Mina drops something on the table.* "There. We\'re even."')
    assert findings(owed, ("Jo", '"You had better."'), ("Jo", '"Well?"'), even)[0][0] == "kept"
    odd = ("Mina", '*Mina drops something on the table.* "The odds are even."')
    assert findings(owed, ("Jo", '"You had better."'), ("Jo", '"Well?"'), odd)[0][0] == "open"


def test_silence_is_not_given_up_by_who_cannot_tell():
    vow = ("Jo", '"I won\'t tell anyone, Mina. I promise."')
    asked = ("Mina", '*The bell rings.* "Somebody wants to know who was here."')
    keeps = ("Jo", '"No, I can\'t tell you who it was."')
    assert findings(vow, asked, keeps)[0][0] == "open"


def test_who_does_not_know_how_they_will_pay_promises_nothing():
    assert findings(("Mina", "\"I don't know how we'll pay you back for this.\"")) == []
    assert findings(("Mina", '"I\'ll pay you back by Friday, I promise."'))


def test_i_lied_takes_back_what_the_reproach_before_it_cites():
    rows = [
        ("Mina", '*She folds the letter.* "It is from my brother in Leeds."'),
        ("Jo", '"And the money?"'),
        ("Mina", '"The money is in the bank, where else?"'),
        ("Jo", '"You said the letter was from your brother."'),
        ("Mina", '*She looks away.* "I lied. It is from the bank."'),
    ]
    assert [quote for _s, quote, _f in findings(*rows, kind="lie")] == [
        "It is from my brother in Leeds."
    ]


def test_who_was_promised_something_says_that_it_was_kept():
    vow = ("Jo", '"Mina, I promise I\'ll be home before the first snow."')
    waits = ("Mina", '*Mina counts the days.* "We will see."')
    told = ("Mina", '*Mina opens the door.* "You kept your word."')
    assert findings(vow, waits, told) == [
        ("kept", "Mina, I promise I'll be home before the first snow.", 6)
    ]
    for words in ("Did you keep your word?", "I hope you keep your word.", "He kept his word."):
        open_ = ("Mina", f'*Mina opens the door.* "{words}"')
        assert findings(vow, waits, open_)[0][0] == "open"
