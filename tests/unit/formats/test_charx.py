"""A card of any kind as CHARX, told by reading it again."""

from __future__ import annotations

import base64
import io
import json
import zipfile

import pytest

from engram_desktop.formats.cards import as_charx, card_of, picture_of
from tests.cards import V1, V2, V3, charx, chunk, png, text, ztxt

HIDDEN = b"\x89PNG smile"
RISU = V3 | {
    "data": V3["data"]
    | {
        "assets": [
            {"type": "icon", "uri": "ccdefault:", "name": "main", "ext": "png"},
            {"type": "emotion", "uri": "__asset:Smile", "name": "微笑", "ext": "png"},
            {"type": "background", "uri": "__asset:gone", "name": "夜", "ext": "../x"},
            {"type": "x-odd", "uri": "https://example.org/a.png", "name": "远", "ext": "png"},
            {"type": "emotion", "uri": "__asset:1", "name": "e", "ext": "../x"},
            5,
        ]
    }
}


def asset(name, data):
    return chunk(b"tEXt", b"chara-ext-asset_:" + name + b"\0" + base64.b64encode(data))


def written(original):
    made = as_charx(original, card_of(original, "x").card, "x")
    assert made == as_charx(original, card_of(original, "x").card, "x")
    with zipfile.ZipFile(io.BytesIO(made)) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    return made, files


@pytest.mark.parametrize(
    "original",
    [
        png(text(b"chara", V2)),
        png(ztxt(b"chara", V2), text(b"ccv3", V3)),
        png(text(b"chara", V1)),
        json.dumps(V2).encode(),
        json.dumps(V1).encode(),
        json.dumps({"char_name": "甲", "char_persona": "d", "char_greeting": "f"}).encode(),
    ],
    ids=["v2-png", "v3-png", "v1-png", "v2-json", "v1-json", "ooba"],
)
def test_a_card_says_the_same_in_an_archive(original):
    made, files = written(original)
    before, after = card_of(original, "x"), card_of(made, "x.charx")
    assert after.character == before.character
    assert after.worldbook == before.worldbook
    card = json.loads(files["card.json"])
    assert (card["spec"], card["spec_version"]) == ("chara_card_v3", "3.0")
    wanted = {"group_only_greetings", "tags", "extensions", "creator", "character_version"}
    assert wanted <= card["data"].keys()
    has_picture = original.startswith(b"\x89PNG")
    assert picture_of(made, after.card, "x") == (png() if has_picture else b"")
    assert ("assets" in card["data"]) == has_picture


def test_what_nobody_knows_comes_along():
    value = V2 | {"fav": True, "data": V2["data"] | {"mine": [1e-7]}}
    card = json.loads(written(png(text(b"chara", value)))[1]["card.json"])
    assert (card["fav"], card["data"]["mine"]) == (True, [1e-7])
    flat = json.loads(written(json.dumps(V1 | {"mine": {"a": 1}}).encode())[1]["card.json"])
    assert flat.keys() == {"spec", "spec_version", "data"}
    assert flat["data"]["mine"] == {"a": 1}


def test_files_that_a_picture_hides_are_files_of_the_archive():
    bad = chunk(b"tEXt", b"chara-ext-asset_:gone\0!!!")
    original = png(text(b"ccv3", RISU), asset(b"smile", HIDDEN), asset(b"1", b"two"), bad)
    _made, files = written(original)
    held = json.loads(files["card.json"])["data"]["assets"]
    assert held[0]["uri"] == "embeded://assets/icon/image/main.png"
    assert [a["uri"] if isinstance(a, dict) else a for a in held[1:]] == [
        "embeded://assets/other/0.png",
        "__asset:gone",
        "https://example.org/a.png",
        "embeded://assets/other/1.bin",
        5,
    ]
    assert files["assets/other/0.png"] == HIDDEN
    assert files["assets/other/1.bin"] == b"two"
    assert files["assets/icon/image/main.png"] == png(bad)


def test_an_archive_stays_the_one_it_is():
    original = charx(card_json=json.dumps(V2), assets__icon=b"x")
    assert as_charx(original, card_of(original, "x").card, "x") == original
