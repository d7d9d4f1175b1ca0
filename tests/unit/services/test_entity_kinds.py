"""Which names without a model are people or places, and of whom a family name is."""

from __future__ import annotations

from engram_desktop.domain.memory.message import Message, swipe_hash
from engram_desktop.services import extractive


def kinds(*rows):
    messages = [
        Message(f"m{n}", "main", n, name, "assistant", text, False, swipe_hash(name, text), None)
        for n, (name, text) in enumerate(rows)
    ]
    known = extractive.background(messages)
    events = [event for event, _source in extractive.extract(messages, background=known)]
    return {(e.name, e.type) for event in events for e in event.entities}


def test_games_films_shops_and_bands_are_neither_people_nor_places():
    played = [
        ("Ann", "Last night a man looked sick in a game called Star Wardens, with Bo watching."),
        ("Ben", "Oh, and Star Wardens looks great on your screen."),
        ("Ann", "We saw the Duke of Laughter. I order at Food Hopper now."),
        ("Ben", "You work at Food Hopper? My playlist has Silver Park and Joy on it."),
        ("Ann", "I include Silver Park, too."),
    ]
    found = {name for name, _kind in kinds(*played)}
    assert found.isdisjoint({"Star Wardens", "Duke of Laughter", "Food Hopper", "Silver Park"})


def test_people_with_such_names_and_real_places_stay():
    told = [
        ("Ann", "I met Sam Waters in Silver Park, and Sam Waters said hello."),
        ("Ben", "Was Sam Waters in Silver Park again? He walks through Silver Park a lot."),
        ("Ann", "We asked the Duke of Vey. The Duke of Vey nodded. I flew to Oslo, then to Oslo."),
        ("Ben", "You flew to Oslo? Sam Waters laughed in Oslo."),
    ]
    assert {("Sam Waters", "char"), ("Silver Park", "loc"), ("Oslo", "loc")} <= kinds(*told)


def test_a_family_name_alone_is_of_its_only_member():
    rows = [
        ("Ann", '*She frowns.* "Marty Doyle paid." *Doyle nods. Marty Doyle smiles at Doyle.*'),
        ("Ben", '"I met Marty Doyle. Doyle said so. I asked Doyle." *Doyle laughs.*'),
    ]
    named = {name for name, kind in kinds(*rows * 2) if kind == "char"}
    assert not {"Doyle", "Marty Doyle"} <= named
