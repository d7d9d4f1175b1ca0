"""Cards made by hand, good and hostile. No real picture is needed: pixels are never decoded."""

from __future__ import annotations

import base64
import json
import zlib

import pytest

from engram_desktop.domain.errors import InputError
from engram_desktop.formats.cards import as_png, card_of
from engram_desktop.formats.png_chunks import SIGNATURE, chunks, keyword
from tests.cards import PIXELS, V1, V2, V3, charx, chunk, itxt, packed, png, text, ztxt


@pytest.mark.parametrize(
    "data",
    [
        png(text(b"chara", V2)),
        png(ztxt(b"Chara", V2)),
        png(itxt(b"chara", V2, 0)),
        png(itxt(b"chara", V2, 1)),
        json.dumps(V2).encode("utf-8-sig"),
        charx(card_json=json.dumps(V2)),
        b"MZ some program in front" + charx(card_json=json.dumps(V2)),
    ],
    ids=["tEXt", "zTXt", "iTXt", "iTXt-packed", "json-bom", "charx", "self-extracting"],
)
def test_a_card_is_read_wherever_it_hides(data):
    found = card_of(data, "a.png")
    character = found.character
    assert (character.name, character.world, character.depth_prompt) == ("爱丽丝", "月光", "夜")
    assert character.alternate_greetings == ("你好",)
    assert found.worldbook == V2["data"]["character_book"]
    assert found.spec == "chara_card_v2"


def test_the_third_version_wins_over_the_second():
    found = card_of(png(text(b"chara", V2), text(b"ccv3", V3)), "a.png")
    assert (found.character.name, found.character.called) == ("新版", "小新")


def test_cards_of_the_first_version_and_of_older_programs():
    assert card_of(json.dumps(V1).encode(), "a.json").character.first_mes == "f"
    old = {"char_name": "乙", "char_persona": "p", "char_greeting": "g", "world_scenario": "w"}
    character = card_of(json.dumps(old).encode(), "a.json").character
    assert (character.name, character.description, character.first_mes) == ("乙", "p", "g")


def test_a_written_card_has_both_versions_and_the_same_picture():
    data = png(text(b"Comment", V1), ztxt(b"CHARA", V1), text(b"chara", V2))
    card = json.dumps(V2, ensure_ascii=False).encode()
    made = as_png(data, card, "a.png")
    found = chunks(made, "a.png")
    assert [keyword(c) or c.name for c in found] == [
        b"IHDR",
        "comment",
        b"IDAT",
        "chara",
        "ccv3",
        b"IEND",
    ]
    assert found[2].raw == PIXELS
    texts = {keyword(c): base64.b64decode(c.data.partition(b"\0")[2]) for c in found if keyword(c)}
    assert texts["chara"] == card
    third = json.loads(texts["ccv3"])
    assert (third["spec"], third["spec_version"]) == ("chara_card_v3", "3.0")
    assert third["data"] == V2["data"]
    with pytest.raises(InputError, match="without a picture"):
        as_png(card, card, "a.json")


ARCHIVE = charx(card_json=json.dumps(V2))
BOMB = base64.b64encode(b" " * 70_000_000)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (png(), "holds no character card"),
        (png(text(b"chara", V2))[:-30], "cut off"),
        (png(text(b"chara", V2), tail=b""), "ends before its last chunk"),
        (png(chunk(b"tEXt", b"chara\0" + packed(V2), checksum=1)), "checksum of its chunk tEXt"),
        (SIGNATURE + b"\x7f\xff\xff\xffIHDR" + bytes(100), "cut off in its chunk IHDR"),
        (SIGNATURE + bytes(100), "no chunk at byte 8"),
        (b"\x89PNG\r\r\n" + bytes(20), "first bytes"),
        (png(chunk(b"zTXt", b"chara\0\0" + zlib.compress(BOMB))), "unpacks to more than"),
        (png(chunk(b"zTXt", b"chara\0\0nonsense")), "cannot be unpacked"),
        (png(chunk(b"iTXt", b"chara\0\0\0")), "has no end"),
        (png(chunk(b"tEXt", b"chara\0abc")), "no base64"),
        (png(text(b"chara", ["no", "card"])), "holds no character card"),
        (png(chunk(b"tEXt", b"chara\0" + base64.b64encode(b'{"data": '))), "no valid JSON"),
        (b'{"name": "x"}', "holds no character card"),
        (b'{"data": {"name": " "}}', "holds no character card"),
        (b"PK\x03\x04 and then nothing", "the archive is damaged"),
        (charx(other_json="{}"), "holds no character card"),
        (charx(card_json=json.dumps(V2), **{"..__x": "1"}), "outside of itself"),
        (charx(card_json=json.dumps(V2), **{"C:\\x": "1"}), "outside of itself"),
        (charx(card_json=" " * 70_000_000), "files of this kind are read up to 64"),
        (ARCHIVE[:60] + b"\xff" * 20 + ARCHIVE[80:], "the archive is damaged"),
    ],
    ids=range(21),
)
def test_a_hostile_or_damaged_card_is_refused_in_one_clear_line(data, said):
    with pytest.raises(InputError) as told:
        card_of(data, "a.png")
    assert said in str(told.value)
    assert "\n" not in str(told.value)
