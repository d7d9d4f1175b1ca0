"""The characters of a library."""

from __future__ import annotations

import base64
import json
import zipfile

import pytest

from engram_desktop.domain.errors import InputError, NotFound
from engram_desktop.formats.cards import read_card
from engram_desktop.formats.png_chunks import hidden_text
from engram_desktop.jobs.context import NullContext
from tests.cards import V2, V3, chunk, png, text
from tests.factories import import_chat, story_rows

CTX = NullContext()


@pytest.fixture
def card(tmp_path):
    path = tmp_path / "Alice.png"
    path.write_bytes(png(text(b"chara", V2)))
    return path


def test_a_card_brings_its_character_and_its_worldbook(memory, card):
    assert memory.imports.preview(CTX, card).entries == 1
    report = memory.imports.import_file(CTX, card)
    assert (report.kind, report.name, report.added, report.chat_id) == ("card", "爱丽丝", 1, None)
    again = memory.imports.import_file(CTX, card)
    assert (again.added, again.skipped) == (0, 1)
    (row,) = memory.characters.all()
    assert memory.characters.sheet(CTX, row.id).character.description == "酒馆的主人。"
    (worldbook,) = memory.worldbooks.all()
    assert (worldbook.name, worldbook.owner, worldbook.kind) == (
        "爱丽丝's Lorebook",
        "爱丽丝",
        "character_book",
    )
    assert memory.worldbooks.read(worldbook.id).entries[0].keys == ("酒馆",)


def test_a_newer_card_replaces_the_older_one_and_its_untouched_worldbook(memory, card):
    memory.imports.import_file(CTX, card)
    worldbook = {"entries": [{"keys": ["门"], "content": "锁着。"}]}
    newer = V2 | {"data": V2["data"] | {"description": "换了。", "character_book": worldbook}}
    card.write_bytes(png(text(b"chara", newer)))
    memory.imports.import_file(CTX, card)
    (row,) = memory.characters.all()
    assert memory.characters.sheet(CTX, row.id).character.description == "换了。"
    assert [memory.worldbooks.read(b.id).entries[0].keys for b in memory.worldbooks.all()] == [
        ("门",)
    ]
    memory.worldbooks.change_entries(memory.worldbooks.all()[0].id, [0], {"content": "开了。"})
    card.write_bytes(png(text(b"chara", V2)))
    memory.imports.import_file(CTX, card)
    assert len(memory.worldbooks.all()) == 2, "a book that was changed here is kept"


def test_a_character_belongs_to_the_chats_it_speaks_in(memory, card, tmp_path):
    chat = import_chat(memory, tmp_path / "a.jsonl", story_rows(6))
    other = [("旅人", "你好"), ("老板", "欢迎")]
    elsewhere = import_chat(memory, tmp_path / "b.jsonl", other)
    memory.imports.import_file(CTX, card)
    assert [row.name for row in memory.characters.all(chat)] == ["爱丽丝"]
    assert memory.characters.all(elsewhere) == []


def test_a_card_is_written_with_both_versions_or_as_json(memory, card, tmp_path):
    memory.imports.import_file(CTX, card)
    memory.characters.export(CTX, "爱丽丝", tmp_path / "out.png")
    memory.characters.export(CTX, "爱丽丝", tmp_path / "out.json")
    assert json.loads((tmp_path / "out.json").read_text("utf-8")) == V2
    assert b"ccv3" in (tmp_path / "out.png").read_bytes()
    with pytest.raises(InputError, match="exists already"):
        memory.characters.export(CTX, "爱丽丝", card)
    memory.characters.delete(memory.characters.all()[0].id)
    assert memory.worldbooks.all()[0].owner == ""
    with pytest.raises(NotFound):
        memory.characters.find("爱丽丝")


def test_a_picture_with_a_worldbook_of_novelai_is_a_worldbook(memory, tmp_path):
    worldbook = {
        "lorebookVersion": 5,
        "entries": [{"keys": ["月"], "text": "月亮", "enabled": True}],
    }
    hidden = chunk(b"tEXt", b"naidata\0" + base64.b64encode(json.dumps(worldbook).encode()))
    file = tmp_path / "nai.png"
    file.write_bytes(png(hidden))
    report = memory.imports.import_file(CTX, file)
    assert (report.kind, report.added) == ("worldbook", 1)


def test_a_card_of_the_third_version_as_json(memory, tmp_path):
    file = tmp_path / "v3.json"
    file.write_text(json.dumps(V3), "utf-8")
    memory.imports.import_file(CTX, file)
    assert memory.characters.all()[0].nickname == "小新"


def test_an_edited_worldbook_goes_into_both_copies_of_the_written_card(memory, tmp_path):
    path = tmp_path / "Alice.png"
    second = json.loads(json.dumps(V2))
    second["data"]["character_book"]["entries"][0]["own"] = 1e-7
    third = second | {"spec": "chara_card_v3"}
    path.write_bytes(png(text(b"chara", V2), text(b"ccv3", third)))
    memory.imports.import_file(CTX, path)
    memory.characters.export(CTX, "爱丽丝", tmp_path / "same.png")
    assert (tmp_path / "same.png").read_bytes() == path.read_bytes()
    (worldbook,) = memory.worldbooks.all()
    memory.worldbooks.change_entries(worldbook.id, [0], {"content": "锁着的酒馆。", "sticky": 2})
    memory.characters.export(CTX, "爱丽丝", tmp_path / "new.png")
    memory.characters.export(CTX, "爱丽丝", tmp_path / "new.json")
    found = {
        name: json.loads(hidden_text((tmp_path / "new.png").read_bytes(), (name,), "x") or "")
        for name in ("chara", "ccv3")
    }
    row = {"keys": ["酒馆"], "content": "锁着的酒馆。", "extensions": {"sticky": 2}}
    assert found["chara"]["data"]["character_book"]["entries"] == [row]
    assert found["ccv3"]["data"]["character_book"]["entries"] == [row | {"own": 1e-7}]
    assert json.loads((tmp_path / "new.json").read_text("utf-8")) == found["ccv3"]
    assert found["chara"]["data"]["extensions"] == V2["data"]["extensions"]
    again = memory.imports.preview(CTX, tmp_path / "new.png")
    assert again.entries == 1


SCRIPT = {"scriptName": "换字", "findRegex": "/a/g", "replaceString": "b", "placement": [2]}


@pytest.fixture
def whole(memory, tmp_path):
    """A character with a worldbook, a script and a chat."""
    data = V2["data"] | {"extensions": {"regex_scripts": [SCRIPT]}, "tags": ["酒馆"]}
    path = tmp_path / "Alice.png"
    path.write_bytes(png(text(b"chara", V2 | {"data": data})))
    chat = import_chat(memory, tmp_path / "a.jsonl", story_rows(6))
    memory.imports.import_file(CTX, path)
    return memory.characters.all()[0].id, chat


def test_all_there_is_of_a_character_is_put_together(memory, whole):
    character_id, chat = whole
    sheet = memory.characters.sheet(CTX, character_id)
    assert sheet.character.tags == ("酒馆",)
    assert [worldbook.name for worldbook in sheet.books] == ["爱丽丝's Lorebook"]
    assert [chat_id for chat_id, _name in sheet.chats] == [chat]
    assert sheet.scripts == ("换字",)
    assert sheet.has_picture
    assert memory.characters.picture(character_id).startswith(b"\x89PNG")


@pytest.mark.parametrize(("worldbooks", "scripts"), [(False, False), (True, False), (True, True)])
def test_what_came_with_a_character_goes_only_if_asked(memory, whole, worldbooks, scripts):
    changes = memory.characters.delete(whole[0], worldbooks=worldbooks, scripts=scripts)
    assert changes.worldbooks
    assert memory.characters.all() == []
    assert bool(memory.worldbooks.all()) is not worldbooks
    assert bool(memory.scripts.all()) is not scripts


def test_the_picture_of_an_archive_is_its_icon(memory, tmp_path):
    icon = [{"type": "icon", "uri": "embeded://assets/icon.png", "name": "main", "ext": "png"}]
    lost = [{"type": "icon", "uri": "embeded://nowhere.png"}, "no asset", *icon]
    card = V3 | {"data": V3["data"] | {"assets": lost}}
    with zipfile.ZipFile(tmp_path / "x.charx", "w") as archive:
        archive.writestr("card.json", json.dumps(card))
        archive.writestr("assets/icon.png", b"picture")
    memory.imports.import_file(CTX, tmp_path / "x.charx")
    row = memory.characters.all()[0]
    assert memory.characters.picture(row.id) == b"picture"
    assert not memory.characters.sheet(CTX, row.id).has_picture
    (tmp_path / "y.json").write_text(json.dumps(V2), "utf-8")
    memory.imports.import_file(CTX, tmp_path / "y.json")
    assert memory.characters.picture("爱丽丝") == b""


def test_an_archive_goes_out_as_archive_and_as_picture(memory, tmp_path):
    icon = [{"type": "icon", "uri": "embeded://assets/icon.png", "name": "main", "ext": "png"}]
    entry = {"keys": ["门"], "content": "x", "unknown": [1e-7]}
    data = V3["data"] | {"assets": icon, "character_book": {"entries": [entry]}}
    with zipfile.ZipFile(tmp_path / "x.charx", "w") as archive:
        archive.writestr("assets/icon.png", png())
        archive.writestr("card.json", json.dumps(V3 | {"data": data}))
        archive.writestr("assets/说明.txt", "一起带来的")
    memory.imports.import_file(CTX, tmp_path / "x.charx")
    row = memory.characters.all()[0]
    memory.characters.export(CTX, row.name, tmp_path / "same.charx")
    assert (tmp_path / "same.charx").read_bytes() == (tmp_path / "x.charx").read_bytes()
    memory.worldbooks.change_entries(memory.worldbooks.all()[0].id, [0], {"order": 7})
    memory.characters.export(CTX, row.name, tmp_path / "new.charx")
    with zipfile.ZipFile(tmp_path / "new.charx") as archive:
        assert archive.read("assets/icon.png") == png()
        assert archive.read("assets/说明.txt").decode() == "一起带来的"
        written = json.loads(archive.read("card.json"))["data"]["character_book"]["entries"][0]
    assert written == entry | {"insertion_order": 7}
    memory.characters.export(CTX, row.name, tmp_path / "new.png")
    worldbook = read_card(tmp_path / "new.png").worldbook
    assert worldbook is not None
    assert worldbook["entries"][0] == written


def test_a_card_that_came_otherwise_goes_out_as_an_archive_with_its_picture(memory, tmp_path):
    data = V2["data"] | {"character_book": {"entries": [{"keys": ["门"], "content": "x"}]}}
    (tmp_path / "x.png").write_bytes(png(text(b"chara", V2 | {"data": data})))
    memory.imports.import_file(CTX, tmp_path / "x.png")
    row = memory.characters.all()[0]
    memory.worldbooks.change_entries(memory.worldbooks.all()[0].id, [0], {"order": 7})
    memory.characters.export(CTX, row.name, tmp_path / "x.charx")
    again = read_card(tmp_path / "x.charx")
    assert again.character == memory.characters.sheet(CTX, row.id).character
    assert again.worldbook is not None
    assert (again.spec, again.worldbook["entries"][0]["insertion_order"]) == ("chara_card_v3", 7)
    with pytest.raises(InputError, match="exists already"):
        memory.characters.export(CTX, row.name, tmp_path / "x.charx")
    memory.characters.delete(row.id, worldbooks=True)
    memory.imports.import_file(CTX, tmp_path / "x.charx")
    row = memory.characters.all()[0]
    assert memory.characters.picture(row.id) == png()
    assert memory.characters.sheet(CTX, row.id).has_picture
