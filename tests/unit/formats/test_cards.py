"""Character cards, their worldbooks, headings and dates."""

from __future__ import annotations

import base64
import io
import json
import zipfile
import zlib
from dataclasses import fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram_desktop.domain.errors import InputError
from engram_desktop.domain.worldbooks.worldbook import (
    CharacterFilter,
    Entry,
)
from engram_desktop.formats import world_info
from engram_desktop.formats.cards import (
    as_charx,
    as_png,
    card_of,
    picture_of,
    stored_form,
    with_worldbook,
    worldbook_in,
)
from engram_desktop.formats.chats.chat_jsonl import parse_sent_at
from engram_desktop.formats.png_chunks import SIGNATURE, chunks, keyword
from engram_desktop.formats.world_info import added, edited, parse_worldbook, without
from tests.cards import PIXELS, V1, V2, V3, charx, chunk, itxt, packed, png, text, ztxt
from tests.worldbooks import EVERY_FIELD

# Cards made by hand, good and hostile. No real picture is needed: pixels are never decoded.


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


# An edited worldbook goes back into its card: what was touched changes, every other byte stays.

CARD = """{
\t"spec":"chara_card_v2", "x" : 1e-7,
\t"data": {"name": "爱丽丝", "character_book": {"name":"书","y":[1.0],"entries": [
\t\t{"keys":["门"],"content":"甲","mine":{"z":1e-7},"extensions":{"own":true},"enabled":true},
\t\t"no entry",
\t\t{"id":7,"keys":["/a,b/i"],"content":"乙","insertion_order":5,"name":"N"},
\t\t{"keys":["c.t"],"use_regex":true,"content":"丙","extensions":null,"case_sensitive":true}
\t]}, "tail": "\\ud83d"}
}"""


def card_bytes():
    return CARD.encode()


def content_of(card=None):
    worldbook = json.loads(card or card_bytes())["data"]["character_book"]
    return stored_form(worldbook, "x").content


def entries_of(content):
    return parse_worldbook(content, "x").worldbook.entries


def change(uid, **new):
    content = content_of()
    one = next(e for e in entries_of(content) if e.uid == uid)
    return edited(content, [(one, replace(one, **new))])


def written(content):
    return with_worldbook(card_bytes(), content, "x")


def test_an_unchanged_worldbook_keeps_every_byte_of_its_card():
    assert written(content_of()) == card_bytes()
    assert with_worldbook(b'{"data":{"name":"x"}}', b"", "x") == b'{"data":{"name":"x"}}'


def test_only_the_field_that_was_touched_is_other():
    made = written(change(0, content="新"))
    assert made == CARD.replace('"甲"', '"新"').encode()
    made = written(change(1, order=6, is_disabled=True, sticky=3))
    before = '"insertion_order":5,"name":"N"}'
    after = '"insertion_order":6,"name":"N","enabled":false,"extensions":{"sticky":3}}'
    assert json.loads(made) == json.loads(CARD.replace(before, after))
    assert made.startswith(CARD.split('"insertion_order"', maxsplit=1)[0].encode())


# a card has no place for a character filter
NAMES = [f.name for f in fields(Entry) if f.name not in ("uid", "character_filter")]


@pytest.mark.parametrize("uid", [0, 1, 2])
@pytest.mark.parametrize("name", NAMES)
def test_every_field_comes_back_as_it_was_set(uid, name):
    value = getattr(EVERY_FIELD, name)
    made = written(change(uid, **{name: value}))
    (one,) = [e for e in entries_of(content_of(made)) if e.uid == uid]
    assert getattr(one, name) == value
    others = [e for e in entries_of(content_of()) if e.uid != uid]
    assert [e for e in entries_of(content_of(made)) if e.uid != uid] == others
    for field in fields(Entry):
        if field.name not in (name, "uid"):
            old = getattr(entries_of(content_of())[uid], field.name)
            assert getattr(one, field.name) == old, field.name


def test_a_choice_taken_back_is_left_open_again():
    made = written(change(2, case_sensitive=None))
    assert entries_of(content_of(made))[2].case_sensitive is None
    kept = written(change(0, character_filter=CharacterFilter(("x",))))
    assert kept == card_bytes()


def test_bare_patterns_stay_patterns_when_keys_are_added():
    before = entries_of(content_of())[2]
    assert before.keys == ("/c.t/",)
    made = written(change(2, keys=("/c.t/", "门")))
    assert entries_of(content_of(made))[2].keys == ("/c.t/", "门")


def test_entries_are_added_and_deleted():
    content, new = added(content_of(), replace(EVERY_FIELD, comment="新的"))
    made = written(content)
    assert made.startswith(CARD.rsplit("\n\t]}", 1)[0].encode())
    assert entries_of(content_of(made))[3] == replace(new, uid=3)
    row = json.loads(made)["data"]["character_book"]["entries"][4]
    assert (row["use_regex"], row["position"], row["enabled"]) == (True, "after_char", False)
    assert row["extensions"]["match_scenario"] is True
    entries = entries_of(content_of())
    less = written(without(content_of(), entries[:2]))
    assert [e.content for e in entries_of(content_of(less))] == ["丙"]
    assert json.loads(less)["data"]["character_book"]["entries"][0] == "no entry"
    none = json.loads(written(without(content_of(), entries)))
    assert none["data"]["character_book"] == {"name": "书", "y": [1.0], "entries": ["no entry"]}


def test_a_new_entry_under_a_number_that_was_used_takes_nothing_over():
    content = without(content_of(), entries_of(content_of())[:1])
    content, new = added(content, Entry(0, ("窗",), content="新"))
    assert new.uid == 0
    rows = json.loads(written(content))["data"]["character_book"]["entries"]
    assert [row["content"] for row in rows if isinstance(row, dict)] == ["乙", "丙", "新"]
    assert "mine" not in rows[-1]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "gb18030"])
def test_a_card_of_another_encoding_and_line_ends_keeps_them(encoding):
    text = CARD.replace('"\\ud83d"', '"尾"').replace("\n", "\r\n")
    card = text.encode(encoding)
    worldbook = json.loads(text)["data"]["character_book"]
    content = stored_form(worldbook, "x").content
    assert with_worldbook(card, content, "x") == card
    one = entries_of(content)[0]
    made = with_worldbook(card, edited(content, [(one, replace(one, content="新"))]), "x")
    assert made == text.replace('"甲"', '"新"').encode(encoding)


# A card of any kind as CHARX, told by reading it again.

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


def written_charx(original):
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
    made, files = written_charx(original)
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
    card = json.loads(written_charx(png(text(b"chara", value)))[1]["card.json"])
    assert (card["fav"], card["data"]["mine"]) == (True, [1e-7])
    flat = json.loads(written_charx(json.dumps(V1 | {"mine": {"a": 1}}).encode())[1]["card.json"])
    assert flat.keys() == {"spec", "spec_version", "data"}
    assert flat["data"]["mine"] == {"a": 1}


def test_files_that_a_picture_hides_are_files_of_the_archive():
    bad = chunk(b"tEXt", b"chara-ext-asset_:gone\0!!!")
    original = png(text(b"ccv3", RISU), asset(b"smile", HIDDEN), asset(b"1", b"two"), bad)
    _made, files = written_charx(original)
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


# Headings of entries: kept through every file, seen by nobody else.

ENTRIES = {
    "0": {"uid": 0, "key": ["海"], "comment": "海", "content": "海。", "x": 1e-7, "group": "水"},
    "1": {"uid": 1, "comment": "山", "extensions": {"other": {"a": 1}, "engram": {"b": 2}}},
    "2": {"uid": 2, "comment": "坏", "extensions": {"engram": {"heading": 7}}},
}


def read(content):
    return {e.uid: e for e in world_info.parse_worldbook(content, "书").worldbook.entries}


def headed(content, uid, heading):
    entry = read(content)[uid]
    return world_info.edited(content, [(entry, replace(entry, heading=heading))])


def test_a_heading_is_added_changed_and_emptied_and_nothing_else_is_touched():
    content = json.dumps({"entries": ENTRIES}, ensure_ascii=False, indent=4).encode()
    assert [e.heading for e in read(content).values()] == ["", "", ""]
    once = headed(headed(content, 0, "地方"), 1, "地方")
    assert [e.heading for e in read(once).values()] == ["地方", "地方", ""]
    value = json.loads(once)["entries"]
    assert value["0"] == ENTRIES["0"] | {"extensions": {"engram": {"heading": "地方"}}}
    assert value["1"]["extensions"] == {"other": {"a": 1}, "engram": {"b": 2, "heading": "地方"}}
    assert read(once)[0].group == "水", "the inclusion group of SillyTavern's is another thing"
    assert "1e-07" in once.decode(), "numbers stay as they were written"
    assert headed(once, 0, "") != once
    assert read(headed(once, 0, ""))[0].heading == ""
    assert headed(once, 2, "山")


def test_a_new_entry_can_have_one():
    content = json.dumps({"entries": {}}).encode()
    added, entry = world_info.added(content, Entry(0, comment="海", heading="地方"))
    assert read(added)[entry.uid] == entry
    assert entry.heading == "地方"


def test_a_card_takes_it_along_and_gives_it_back():
    theirs = {"keys": ["海"], "content": "海。", "extensions": {"depth": 3}, "insertion_order": 5}
    bare = {"keys": ["山"], "content": "山。", "insertion_order": 5}
    card = json.dumps(
        {"data": {"name": "她", "character_book": {"entries": [theirs, bare]}}}
    ).encode()
    form = stored_form(json.loads(card)["data"]["character_book"], "她.json")
    content = headed(headed(form.content, 0, "地方"), 1, "地方")
    out = with_worldbook(card, content, "她.json")
    held = json.loads(out)["data"]["character_book"]["entries"]
    assert held[0] == theirs | {"extensions": {"depth": 3, "engram": {"heading": "地方"}}}
    assert held[1] == bare | {"extensions": {"engram": {"heading": "地方"}}}
    again = worldbook_in(json.loads(out))
    assert again is not None
    entries = stored_form(again[1], "她.json").parsed.worldbook.entries
    assert [entry.heading for entry in entries] == ["地方", "地方"]


def test_what_was_made_here_takes_no_field_of_the_deleted_one_whose_number_it_has():
    theirs = {"keys": ["海"], "content": "海。", "extensions": {"depth": 3, "x": 1}, "y": 2}
    card = json.dumps({"data": {"character_book": {"entries": [theirs]}}}).encode()
    form = stored_form(json.loads(card)["data"]["character_book"], "她.json")
    empty = world_info.without(form.content, form.parsed.worldbook.entries)
    content, _entry = world_info.added(empty, Entry(0, comment="新", heading="地方"))
    out = json.loads(with_worldbook(card, content, "她.json"))
    (held,) = out["data"]["character_book"]["entries"]
    assert "y" not in held
    assert "x" not in held["extensions"]
    assert held["extensions"]["engram"] == {"heading": "地方"}


# Every way a chat has written its times.

NOON = 1_687_184_400_000  # 2023-06-19 14:20 UTC


@pytest.mark.parametrize(
    "value",
    [
        "June 19, 2023 2:20pm",
        "June 19, 2023 2:20 PM",
        "Jun 19, 2023 14:20",
        "2023-06-19T14:20:00.000Z",
        "2023-06-19T14:20:00",
        "2023-06-19 14:20:00",
        "2023-06-19T16:20:00+02:00",
        "2023-6-19@14h20m00s",
        "2023-06-19@14h20m00s000ms",
        "2023-6-19 @14h 20m 0s 0ms",
        NOON,
        float(NOON),
        str(NOON),
        NOON // 1000,
        str(NOON // 1000),
        f"{NOON // 1000}.0",
    ],
)
def test_every_form_is_the_same_moment(value):
    assert parse_sent_at(value) == NOON


def test_midnight_noon_and_milliseconds():
    assert parse_sent_at("March 5, 2024 12:00am") == parse_sent_at("2024-03-05T00:00:00Z")
    assert parse_sent_at("March 5, 2024 12:00pm") == parse_sent_at("2024-03-05T12:00:00Z")
    assert parse_sent_at("2024-07-12@01h31m37s123ms") == parse_sent_at("2024-07-12T01:31:37.123Z")


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        "",
        "yesterday",
        "Juny 40, 2023 2:20pm",
        "March 5, 2024 13:00pm",
        [],
        {},
        -1,
        0,
        float("nan"),
        float("inf"),
        1e30,
        "9" * 5000,
        "2024-13-01@00h00m00s",
        "9999-12-31T23:59:59Z",
    ],
)
def test_nonsense_is_no_time(value):
    assert parse_sent_at(value) is None


@given(st.text(max_size=60) | st.integers() | st.floats())
def test_never_raises(value):
    found = parse_sent_at(value)
    assert found is None or 0 <= found <= 7_258_118_400_000
