"""A file is read after its mark only while everything before the mark is as it was."""

import json

import pytest

from engram_desktop.formats.chats.chat_snapshot import Mark, take

HEAD = {"user_name": "小明", "character_name": "爱丽丝", "chat_metadata": {"n": 1}}
COUNT = 40


def row(n: int) -> str:
    return json.dumps({"name": "爱丽丝", "mes": f"第{n}天，钥匙在抽屉里。"}, ensure_ascii=False)


def lines(count: int = COUNT) -> list[str]:
    return [json.dumps(HEAD, ensure_ascii=False), *(row(n) for n in range(count))]


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "chat.jsonl"
    path.write_text("\n".join(lines()) + "\n", "utf-8")
    return path


@pytest.fixture
def mark(file) -> Mark:
    whole = take(file)
    made = whole.mark(whole.messages())
    assert made is not None
    assert 0 < made.floor < COUNT
    return made


def test_what_comes_after_the_mark_is_told_as_a_whole_file_tells_it(file, mark):
    file.write_text("\n".join(lines(COUNT + 20)) + "\n", "utf-8")
    part, whole = take(file, mark), take(file)
    assert part.known == mark
    assert len(part.data) == len(whole.data) - mark.offset
    assert part.holds(mark)
    assert whole.holds(mark)
    told = part.messages_after(mark)
    assert told == whole.messages_after(mark)
    assert [m.text for m in told] == [m.text for m in whole.messages()][mark.floor :]
    assert part.mark(told, mark) == whole.mark(told, mark) == whole.mark(whole.messages())
    assert part.header == whole.header
    assert part.is_half == whole.is_half


def test_another_header_changes_nothing_before_the_mark(file, mark):
    told = lines()
    told[0] = json.dumps(HEAD | {"chat_metadata": {"n": 2, "更多": "x" * 999}}, ensure_ascii=False)
    file.write_text("\n".join(told) + "\n", "utf-8")
    assert take(file, mark).known == mark
    assert "更多" in take(file, mark).header


def test_each_changed_byte_before_the_mark_is_noticed(file, mark):
    data = file.read_bytes()
    body = data.index(b"\n") + 1
    for place in range(body, body + mark.offset):
        file.write_bytes(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :])
        found = take(file, mark)
        assert found.known is None
        assert not found.holds(mark)


@pytest.mark.parametrize("change", ["cut", "empty", "removed", "swapped", "headless", "gb18030"])
def test_a_file_that_begins_otherwise_is_read_whole(file, mark, change):
    told = lines()
    changed = {
        "cut": told[:5],
        "empty": [],
        "removed": told[:3] + told[4:],
        "swapped": [told[0], told[2], told[1], *told[3:]],
        "headless": told[1:],
        "gb18030": told,
    }[change]
    text = "".join(f"{line}\n" for line in changed)
    file.write_bytes(text.encode("gb18030" if change == "gb18030" else "utf-8"))
    found = take(file, mark)
    assert found.known is None
    assert found.data == file.read_bytes()
    assert change == "headless" or not found.holds(mark)


def test_half_a_line_after_the_mark_is_seen(file, mark):
    with file.open("a", encoding="utf-8") as end:
        end.write(row(COUNT)[:20])
    assert take(file, mark).is_half
