from __future__ import annotations

import json

import pytest

from engram_desktop.domain.errors import InputError, NotFound
from engram_desktop.domain.worldbooks.worldbook import Entry, mode_flags
from engram_desktop.jobs.context import NullContext

CTX = NullContext()
WORLDBOOK = """{
    "entries": {
        "0": {"uid": 0, "key": ["酒馆"], "comment": "酒馆", "content": "月光酒馆。", "mine": 1e-7},
        "1": {"uid": 1, "key": [], "constant": true, "content": "雨一直下。"}
    }
}"""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "月光.json"
    path.write_bytes(WORLDBOOK.encode())
    return path


def test_a_worldbook_is_stored_once_and_written_out_as_it_came(memory, file, tmp_path):
    assert memory.imports.preview(CTX, file).entries == 2
    first = memory.imports.import_file(CTX, file)
    again = memory.imports.import_file(CTX, file)
    assert (first.kind, first.name, first.added, first.skipped) == ("worldbook", "月光", 2, 0)
    assert (again.name, again.added, again.skipped) == ("月光", 0, 2)
    assert memory.imports.preview(CTX, file).chat_name == "月光"
    assert memory.chats.all() == []
    target = tmp_path / "out.json"
    assert memory.worldbooks.export(CTX, "月光", target) == 2
    assert target.read_bytes() == file.read_bytes()
    with pytest.raises(InputError, match="exists already"):
        memory.worldbooks.export(CTX, "月光", target)


def test_a_worldbook_of_another_program_is_written_for_sillytavern_or_as_it_came(memory, tmp_path):
    file = tmp_path / "灰港.json"
    rows = [{"keywords": ["灰港"], "entry": "一座港口。", "weight": 3, "enabled": True}]
    file.write_text(json.dumps({"kind": "memory", "name": "灰港", "entries": rows}), "utf-8")
    name = memory.imports.import_file(CTX, file).name
    memory.worldbooks.export(CTX, name, tmp_path / "st.json")
    written = json.loads((tmp_path / "st.json").read_text("utf-8"))["entries"]["0"]
    assert (written["key"], written["content"], written["order"]) == (["灰港"], "一座港口。", 3)
    memory.worldbooks.change_entries(memory.worldbooks.find(name).id, [0], mode_flags("constant"))
    assert memory.worldbooks.export(CTX, name, tmp_path / "own.json", original=True) == 1
    assert (tmp_path / "own.json").read_bytes() == file.read_bytes()


def test_a_worldbook_of_the_same_bytes_under_another_name_is_another_worldbook(memory, file):
    """Chats and cards call a worldbook by the name of its file: one that is left out is missed."""
    memory.imports.import_file(CTX, file)
    twin = file.with_name("星光.json")
    twin.write_bytes(file.read_bytes())
    assert memory.imports.preview(CTX, twin).chat_name is None
    report = memory.imports.import_file(CTX, twin)
    assert (report.name, report.added, report.skipped) == ("星光", 2, 0)
    again = memory.imports.import_file(CTX, twin)
    assert (again.name, again.added, again.skipped) == ("星光", 0, 2)
    assert {row.name for row in memory.worldbooks.all()} == {"月光", "星光"}


def test_another_worldbook_of_the_same_name_is_kept_beside_it(memory, file):
    memory.imports.import_file(CTX, file)
    file.write_bytes(WORLDBOOK.replace("雨", "雪").encode())
    report = memory.imports.import_file(CTX, file)
    assert report.name == "月光 (2)"
    assert "“月光 (2)”" in report.warnings[0].message
    assert [row.name for row in memory.worldbooks.all()] == ["月光", "月光 (2)"]


def test_entries_are_changed_together_and_nothing_else_is(memory, file, tmp_path):
    worldbook_id = memory.worldbooks.find(memory.imports.import_file(CTX, file).name).id
    changes = memory.worldbooks.change_entries(worldbook_id, [0, 1], mode_flags("disabled"))
    assert changes.worldbooks
    assert [entry.mode for entry in memory.worldbooks.read(worldbook_id).entries] == [
        "disabled",
        "disabled",
    ]
    memory.worldbooks.change_entries(worldbook_id, [1], mode_flags("constant"))
    made, _changes = memory.worldbooks.add_entry(worldbook_id, Entry(0, keys=("雨",), content="伞"))
    assert made.uid == 2
    assert memory.worldbooks.find("月光").entries == 3
    memory.worldbooks.delete_entries(worldbook_id, [0, 2])
    assert [entry.uid for entry in memory.worldbooks.read(worldbook_id).entries] == [1]
    target = tmp_path / "out.json"
    memory.worldbooks.export(CTX, worldbook_id, target)
    assert json.loads(target.read_text("utf-8"))["entries"]["1"]["disable"] is False
    with pytest.raises(NotFound):
        memory.worldbooks.change_entries(worldbook_id, [7], mode_flags("disabled"))


def test_a_broken_json_file_is_named_with_its_line_and_stored_nowhere(memory, tmp_path):
    file = tmp_path / "kaputt.json"
    file.write_text('{"entries": {\n"0": {"key": [}}}', "utf-8")
    with pytest.raises(InputError, match="line 2"):
        memory.imports.import_file(CTX, file)
    assert memory.worldbooks.all() == []


def test_faulty_entries_are_told_and_the_rest_is_used(memory, tmp_path):
    file = tmp_path / "n.json"
    rows = {str(n): {"uid": n, "key": ["k"], "order": []} for n in range(30)}
    file.write_text(json.dumps({"entries": rows}), "utf-8")
    report = memory.imports.import_file(CTX, file)
    assert report.added == 30
    assert len(report.warnings) == 21
    assert report.warnings[-1].message == "10 more warnings like these"


def test_worldbooks_are_bound_to_every_chat_or_deleted(memory, file):
    worldbook_id = memory.worldbooks.find(memory.imports.import_file(CTX, file).name).id
    memory.worldbooks.set_global(worldbook_id, is_global=True)
    assert memory.worldbooks.all()[0].is_global
    memory.worldbooks.delete(worldbook_id)
    with pytest.raises(NotFound):
        memory.worldbooks.read(worldbook_id)
    assert file.exists()


def test_of_a_book_nothing_is_said_that_only_a_chat_has(memory, tmp_path):
    file = tmp_path / "书.json"
    file.write_text(json.dumps({"entries": {"0": {"key": ["海"]}, "1": {"key": ["山"]}}}), "utf-8")
    told = memory.imports.preview(CTX, file)
    assert (told.messages, told.new_messages, told.changed, told.removed) == (0, 0, 0, 0)
    assert (told.branch_id, told.fork_floor, told.chats, told.warnings) == (None, None, 1, ())
    assert told.entries == 2
