"""A chat as its companion tells it."""

from __future__ import annotations

import contextlib
import copy
import json
from pathlib import Path, PurePath

import pytest

from engram_desktop.domain.errors import InputError, NothingToUndo
from engram_desktop.domain.memory.event import EventQuery, SourceRange
from engram_desktop.domain.memory.extraction import PlotExtraction
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.serving.companion import UploadChange, UploadOffer, UploadPiece
from engram_desktop.domain.tavern.folder import MOST_DELETED
from engram_desktop.jobs.context import NullContext
from tests.companion import Teller
from tests.front_ends import shapes
from tests.front_ends.shapes import Front
from tests.oracle.acts import states_of
from tests.oracle.acts_expected import File
from tests.oracle.report import recorded
from tests.stored import texts_of
from tests.tavern import TavernChatFile, make_tavern, told

# A chat that is told of by a companion is what its followed file would be.

CTX = NullContext()
OWNER = "爱丽丝.png"


@pytest.fixture
def teller(memory):
    return Teller(lambda event: memory.serving.receive(CTX, event))


@pytest.fixture
def file(tmp_path):
    made = TavernChatFile(tmp_path / "elsewhere" / "爱丽丝" / "月光 - 2026-11-21.jsonl")
    made.say(*(f"第{n}天，铜钥匙还在月光酒馆。" for n in range(30)))
    return made


def tell(teller, file, owner=OWNER, **more):
    slip = file.metadata.get("integrity", "")
    chat = teller.chat(owner, file.path.stem, slip=slip, **more)
    header = {"chat_metadata": file.metadata, "user_name": "unused", "character_name": "unused"}
    return teller.tell(chat, header, file.rows)


def fresh(open_memory, folder, file):
    memory = open_memory(folder)
    return told(memory, memory.imports.import_file(CTX, file.path).chat_id)


def test_a_whole_chat_in_pieces_is_the_chat_of_its_file(
    memory, open_memory, teller, file, tmp_path
):
    report = tell(teller, file)
    assert (report.state, report.floors) == ("kept", 30)
    assert report.changes.messages
    assert told(memory, report.line.chat_id) == fresh(open_memory, tmp_path / "fresh", file)
    assert memory.chats.name(report.line.chat_id) == file.path.stem


def test_what_happens_in_a_chat_is_told_in_little_and_can_be_undone(memory, teller, file):
    line = tell(teller, file).line
    before = told(memory, line.chat_id)
    file.say("“我们明天就走。”")
    file.swipe("“我们今晚就走。”")
    file.edit(3, "第3天，铜钥匙不见了。")
    file.hide(4)
    file.delete(10, 11)
    report = tell(teller, file)
    assert (report.state, teller.wholes) == ("kept", 1)
    assert texts_of(memory, line) == [r["mes"] for r in file.rows]
    assert [m.is_hidden for m in memory.messages.slice(line, 3, 5)] == [False, True, False]
    with contextlib.suppress(NothingToUndo):
        for _step in range(10):
            memory.history.undo(line.chat_id)
    assert told(memory, line.chat_id) == before


def test_a_reroll_keeps_its_readings(memory, teller, file):
    line = tell(teller, file).line
    file.swipe("另一种说法。", floor=28)
    tell(teller, file)
    message = memory.messages.slice(line, 28, 28)[0]
    assert message.text == "另一种说法。"
    store = memory.session.chat(line.chat_id)
    _id, _hash, raw = next(iter(store.messages.raws(line.branch_id, 28, 28)))
    assert len(json.loads(raw)["swipes"]) == 2


def test_a_branch_is_a_branch_of_what_it_was_made_from(memory, teller, file):
    line = tell(teller, file).line
    branch = file.branch(20, "月光 - Branch #1")
    branch.metadata["integrity"] = "1"
    branch.say("“你走另一条路。”")
    tell(teller, file)
    report = tell(teller, branch)
    assert report.line.chat_id == line.chat_id
    assert report.line.branch_id != line.branch_id
    made = next(b for b in memory.branches.all(line.chat_id) if b.id == report.line.branch_id)
    assert (made.name, made.fork_seq) == ("月光 - Branch #1", 20)


def test_a_chat_is_found_again_after_a_restart(open_memory, tmp_path, file):
    folder = tmp_path / "library"
    first = open_memory(folder)
    teller = Teller(lambda event: first.serving.receive(CTX, event))
    line = tell(teller, file).line
    first.close()
    second = open_memory(folder)
    teller._tell = lambda event: second.serving.receive(CTX, event)
    file.say("“还在吗？”")
    report = tell(teller, file)
    assert (report.line, teller.wholes) == (line, 1)
    assert second.messages.count(line) == 31


def test_an_offer_of_what_is_known_asks_for_nothing(memory, teller, file):
    report = tell(teller, file)
    chat = teller.chat(OWNER, file.path.stem, slip="0")
    assert memory.serving.receive(CTX, UploadOffer(chat, report.revision)).state == "kept"
    assert memory.serving.receive(CTX, UploadOffer(chat, "other")).state == "whole"


def test_a_renamed_chat_stays_the_same_line(memory, teller, file):
    line = tell(teller, file).line
    file.path = file.path.with_name("满月.jsonl")
    report = tell(teller, file)  # nobody said that the old name is gone: the slip says so
    assert report.line == line
    assert memory.chats.name(line.chat_id) == "满月"


def test_a_chat_that_went_on_elsewhere_before_it_is_told_for_the_first_time_is_still_the_chat(
    memory, teller, file
):
    chat_id = memory.imports.import_file(CTX, file.path).chat_id
    for text in ("“只有服务器听过。”", "“这一句也是。”"):
        memory.messages.append(Line.main(chat_id), "旅人", "user", text)
    before = texts_of(memory, Line.main(chat_id))
    file.say("“没有服务器时说的。”")
    report = tell(teller, file)
    assert report.line == Line.main(chat_id)
    told_texts = [row["mes"] for row in file.rows]
    assert texts_of(memory, report.line) == told_texts
    kept = Line(chat_id, report.conflict.branch)
    assert texts_of(memory, kept) == before
    file.path = file.path.with_name("满月.jsonl")
    tell(teller, file)
    assert memory.chats.name(chat_id) == "满月"


@pytest.mark.parametrize("why", ["another slip", "many floors"])
def test_what_may_be_another_copy_of_a_chat_is_told_as_a_branch(memory, teller, file, why):
    chat_id = memory.imports.import_file(CTX, file.path).chat_id
    lost = MOST_DELETED + 1 if why == "many floors" else 1
    for n in range(lost):
        memory.messages.append(Line.main(chat_id), "旅人", "user", f"“服务器听过{n}。”")
    before = texts_of(memory, Line.main(chat_id))
    file.say("“没有服务器时说的。”")
    if why == "another slip":
        file.metadata["integrity"] = "another"
    report = tell(teller, file)
    assert report.line != Line.main(chat_id)
    assert texts_of(memory, Line.main(chat_id)) == before


def test_a_chat_that_was_deleted_there_is_left_alone_here(memory, teller, file):
    line = tell(teller, file).line
    teller.gone(teller.chat(OWNER, file.path.stem))
    assert memory.messages.count(line) == 30
    file.say("“我又来了。”")
    assert tell(teller, file).line == line


def test_a_chat_whose_file_is_followed_is_left_to_its_file(memory, teller, tmp_path):
    handle = make_tavern(tmp_path / "SillyTavern")
    file = TavernChatFile(handle / "chats" / "爱丽丝" / "月光.jsonl")
    file.say(*(f"第{n}天。" for n in range(10)))
    followed = memory.tavern.sync_chat(CTX, file.path)
    before = told(memory, followed.chat_id)
    file.say("“只有页面知道的话。”")
    report = tell(teller, file)
    assert (report.state, report.line) == ("followed", Line(followed.chat_id, "main"))
    assert told(memory, followed.chat_id) == before
    assert len(memory.chats.all()) == 1


def test_a_folder_that_is_followed_later_takes_over(memory, teller, tmp_path):
    handle = make_tavern(tmp_path / "SillyTavern")
    file = TavernChatFile(handle / "chats" / "爱丽丝" / "月光.jsonl")
    file.say(*(f"第{n}天。" for n in range(10)))
    line = tell(teller, file).line
    synced = memory.tavern.sync_chat(CTX, file.path)
    assert Line(synced.chat_id, synced.branch_id) == line
    assert tell(teller, file).state == "followed"
    assert len(memory.chats.all()) == 1


def test_a_chat_that_is_to_be_let_be_is_let_be(memory, teller, file):
    line = tell(teller, file).line
    path = next(row.path for row in memory.tavern.followed())
    memory.tavern.unfollow(Path(path))
    file.say("“有人听见吗？”")
    assert tell(teller, file).state == "let_be"
    assert memory.messages.count(line) == 30


def test_nothing_is_kept_where_the_server_keeps_nothing(memory, teller, file):
    memory.settings.set("serve.keep", False)
    assert tell(teller, file).state == "off"
    assert memory.chats.all() == []


def test_a_group_is_named_and_each_speaker_is_who_it_is(memory, teller, tmp_path):
    file = TavernChatFile(tmp_path / "2026-11-21.jsonl")
    file.group = ("爱丽丝", "凯尔")
    file.say(*(f"第{n}句。" for n in range(12)))
    report = tell(
        teller,
        file,
        owner="1763700000000",
        is_group=True,
        group_name="酒馆里的人",
        members=("爱丽丝.png", "凯尔.png"),
    )
    assert memory.chats.name(report.line.chat_id) == "酒馆里的人 – 2026-11-21"
    assert {m.name for m in memory.messages.slice(report.line, 0, 11)} == {"旅人", "爱丽丝", "凯尔"}


@pytest.mark.parametrize(
    ("first", "removed", "total"), [(31, 0, 31), (29, 5, 30), (0, 0, 40), (2, 1, 30)]
)
def test_a_change_that_does_not_fit_asks_for_the_whole_chat(
    memory, teller, file, first, removed, total
):
    report = tell(teller, file)
    chat = teller.chat(OWNER, file.path.stem)
    rows = (json.dumps({"name": "爱丽丝", "mes": "嗯。"}),)
    change = UploadChange(chat, report.revision, first, removed, rows, total + 5)
    assert memory.serving.receive(CTX, change).state == "whole"
    assert memory.messages.count(report.line) == 30
    assert tell(teller, file).state == "kept"


def test_pieces_out_of_order_ask_for_the_whole_chat(memory, teller):
    chat = teller.chat(OWNER, "月光")
    row = (json.dumps({"name": "爱丽丝", "mes": "嗯。"}),)
    assert memory.serving.receive(CTX, UploadPiece(chat, "a", 1, 3, row)).state == "whole"
    assert memory.serving.receive(CTX, UploadPiece(chat, "b", 0, 3, row)).state == "more"
    assert memory.serving.receive(CTX, UploadPiece(chat, "c", 1, 3, row)).state == "whole"
    assert memory.serving.receive(CTX, UploadPiece(chat, "b", 1, 3, row)).state == "whole"
    assert memory.chats.all() == []


@pytest.mark.parametrize(
    "name",
    [
        "",
        ".",
        "..",
        "../../library",
        "a/b",
        "a\\b",
        "C:x",
        "x\n",
        "con",
        "NUL.txt",
        "end. ",
        "x" * 300,
        "月" * 80,
        "\ud83d/..",
    ],
)
@pytest.mark.parametrize("place", ["file", "owner"])
def test_a_name_that_leads_elsewhere_is_refused(teller, tmp_path, name, place):
    chat = teller.chat(OWNER, name) if place == "file" else teller.chat(name, "月光")
    before = sorted(path.as_posix() for path in tmp_path.rglob("*"))
    with pytest.raises(InputError):
        teller.tell(chat, {}, [{"name": "爱丽丝", "mes": "嗯。"}])
    assert sorted(path.as_posix() for path in tmp_path.rglob("*")) == before


def test_a_tavern_that_names_itself_like_a_path_is_refused(memory):
    teller = Teller(lambda event: memory.serving.receive(CTX, event), tavern="../up")
    with pytest.raises(InputError):
        teller.tell(teller.chat(OWNER, "月光"), {}, [{"name": "爱丽丝", "mes": "嗯。"}])


@pytest.mark.parametrize("row", ['{"mes": "a"}\n{"mes": "b"}', "", "  ", '{"mes":\r"a"}'])
def test_a_row_that_is_not_one_line_is_refused(teller, row):
    with pytest.raises(InputError):
        teller.tell(teller.chat(OWNER, "月光"), {}, [row])


def test_hostile_rows_are_read_as_an_import_reads_them(memory, open_memory, teller, tmp_path):
    rows = [
        '{"name": "爱丽丝", "mes": "第一句。"}',
        "no json at all",
        '{"name": 5, "mes": {"a": 1}}',
        "[" * 100_000,
        '{"name": "爱丽丝", "mes": "半个 \\ud83d 表情", "swipes": "x", "swipe_id": 9}',
        '{"name": "<img src=x onerror=alert(1)>", "is_user": "true", "mes": "<b>第二句。</b>"}',
        '{"mes": "' + "长" * 400_000 + '"}',
    ]
    report = teller.tell(teller.chat(OWNER, "月光"), {}, rows)
    path = tmp_path / "月光.jsonl"
    path.write_text("\n".join(["", *rows]), "utf-8")
    other = open_memory(tmp_path / "other")
    chat_id = other.imports.import_file(CTX, path).chat_id
    assert told(memory, report.line.chat_id) == told(other, chat_id)


def test_what_was_played_in_a_real_sillytavern_is_told_as_it_stands_there(open_memory, tmp_path):
    """After each recorded act the open chat is told of; the library has it word for word."""
    memory = open_memory(tmp_path / "acts")
    teller = Teller(lambda event: memory.serving.receive(CTX, event))
    checked = 0
    before = ""
    for state in states_of(recorded("acts")):
        if not state.is_whole or state.open_file not in state.files:
            continue
        if before and before not in state.files:  # renamed or deleted: the page hears of it
            teller.gone(chat_of(teller, before))
        before = state.open_file
        lines = state.files[state.open_file].split("\n")
        header = json.loads(lines[0])
        chat = chat_of(teller, before, header["chat_metadata"].get("integrity", ""))
        report = teller.tell(chat, header, [line for line in lines[1:] if line])
        expected = File.of(state.files[state.open_file]).said
        if report.line is None:  # a copy that says nothing of its own yet
            continue
        messages = memory.messages.slice(report.line, 0, 10_000)
        assert [(m.name, m.text, m.is_hidden, m.role) for m in messages] == expected, state.act
        checked += 1
    assert checked > 50


def chat_of(teller, path, slip=""):
    parts = PurePath(path)
    is_group = parts.parts[0] == "group chats"
    owner = "group" if is_group else f"{parts.parent.name}.png"
    return teller.chat(owner, parts.stem, is_group=is_group, slip=slip)


# A companion that tells of a chat no more: its chat is kept by its requests, until it is back.

FRONT = Front("旅人", "爱丽丝")


@pytest.fixture
def silent_file(tmp_path):
    made = TavernChatFile(tmp_path / "elsewhere" / "爱丽丝" / "月光.jsonl")
    made.say(*(f"第{n}天，铜钥匙还在月光酒馆的柜台后面。" for n in range(10)))
    return made


def silent_chat(teller, file):
    return teller.chat(OWNER, file.path.stem, slip=file.metadata.get("integrity", ""))


def tell_rows(teller, file):
    header = {"chat_metadata": file.metadata, "user_name": "unused", "character_name": "unused"}
    return teller.tell(silent_chat(teller, file), header, file.rows)


def texts(memory, line):
    return texts_of(memory, line)


def ask(memory, story, reply):
    """Ask as another front end does, and return what it shows then."""
    request = memory.serving.read(shapes.lobe(FRONT, story))
    identity = memory.serving.identify(CTX, request)
    kept = memory.serving.keep_request(CTX, request, identity)
    memory.serving.keep_reply(CTX, kept, reply)
    return [*story, FRONT.reply(reply)]


def shown(memory, line):
    messages = memory.messages.slice(line, 0, 1000)
    return [FRONT.user(m.text) if m.role == "user" else FRONT.reply(m.text) for m in messages]


def fall_silent(memory, line):
    """Play two turns that no companion tells of."""
    story = [*shown(memory, line), FRONT.user("我们去钟楼看看吧，天快黑了。")]
    story = ask(memory, story, "她点了灯，走在前面。")
    return ask(memory, [*story, FRONT.user("门是锁着的吗？")], "她把铜钥匙插进锁孔。")


def test_what_a_companion_tells_is_not_kept_twice(memory, teller, silent_file):
    line = tell_rows(teller, silent_file).line
    for n in range(3):
        said, reply = f"第{n}次，我推开了酒馆的木门。", f"她第{n}次抬起头来。"
        story = [*shown(memory, line), FRONT.user(said)]
        ask(memory, story, reply)  # the companion tells of both a moment later
        silent_file.say(said, reply)
        assert tell_rows(teller, silent_file).state == "kept"
        assert texts(memory, line) == [row["mes"] for row in silent_file.rows]
    assert len(memory.branches.all(line.chat_id)) == 1


def test_a_chat_goes_on_when_its_companion_is_gone(open_memory, tmp_path, silent_file):
    memory = open_memory(tmp_path / "library")
    line = tell_rows(Teller(lambda event: memory.serving.receive(CTX, event)), silent_file).line
    story = fall_silent(memory, line)
    assert texts(memory, line) == [said.text for said in story]
    memory.close()
    again = open_memory(tmp_path / "library")
    story = ask(again, [*story, FRONT.user("里面有什么？")], "只有风。")
    assert texts(again, line) == [said.text for said in story]


def test_a_companion_that_is_back_takes_nothing_away(memory, teller, silent_file):
    report = tell_rows(teller, silent_file)
    line = report.line
    story = fall_silent(memory, line)
    offer = UploadOffer(silent_chat(teller, silent_file), report.revision)
    assert memory.serving.receive(CTX, offer).state == "whole", "it asks what stands there now"

    silent_file.say("我们还是回房间去吧。")
    assert tell_rows(teller, silent_file).state == "kept"
    assert texts(memory, line) == [row["mes"] for row in silent_file.rows]
    branches = [b for b in memory.branches.all(line.chat_id) if b.parent_id]
    lines = [texts(memory, Line(line.chat_id, b.id)) for b in branches]
    assert [said.text for said in story] in lines

    # It tells again: requests add nothing.
    before = texts(memory, line)
    ask(memory, [*shown(memory, line), FRONT.user("晚安。")], "晚安。")
    assert texts(memory, line) == before


def test_a_companion_that_was_only_away_makes_no_branch(memory, teller, silent_file):
    line = tell_rows(teller, silent_file).line
    story = fall_silent(memory, line)
    silent_file.say(*(said.text for said in story[10:]))
    assert tell_rows(teller, silent_file).state == "kept"
    assert texts(memory, line) == [said.text for said in story]
    assert len(memory.branches.all(line.chat_id)) == 1


# A chat that the server began from requests, and whose file is seen later: it is one chat.

FILE = "月光 - 2026-11-21"


@pytest.fixture
def begun_file(tmp_path):
    made = TavernChatFile(tmp_path / "elsewhere" / "爱丽丝" / f"{FILE}.jsonl")
    made.say("“欢迎来到月光酒馆。”她擦着杯子说。")
    return made


def play_by_address(memory, file, turns, *, most=1000, begin=0):
    """Play in SillyTavern with nothing but the server's address: it sends the newest messages."""
    for number in range(begin, begin + turns):
        file.say(f"第{number}天的早晨，我问她铜钥匙在哪里？")
        story = [FRONT.user(r["mes"]) if r["is_user"] else FRONT.reply(r["mes"]) for r in file.rows]
        request = memory.serving.read(shapes.tavern_chat(FRONT, story[-most:]))
        identity = memory.serving.identify(CTX, request)
        kept = memory.serving.keep_request(CTX, request, identity)
        reply = f"她第{number}次摇了摇头，说钥匙在北塔{number}层。"
        memory.serving.keep_reply(CTX, kept, reply)
        file.say(reply)


def remember_floors(memory, line, *spans):
    for first, last in spans:
        data = PlotExtraction(summary=f"第{first}层的事")
        memory.events.add(line, data, SourceRange(first, last))


def fresh_spans(memory, line):
    pks = memory.events.find(line.chat_id, EventQuery(branch_id=line.branch_id))
    events = memory.events.fetch(line.chat_id, pks).values()
    spans = [e.source_range for e in events if not e.is_stale]
    return sorted((span.start_index, span.end_index) for span in spans)


def narrate(file):
    file.insert(5, "风停了。")
    file.hide(5)


def cut_and_go_on(file):
    file.delete(-1, -2)
    file.say("我们走吧。", "她披上斗篷。")


@pytest.mark.parametrize(
    ("change", "spans"),
    [
        (lambda _file: None, [(1, 2), (9, 10)]),
        (lambda file: file.swipe("她点了点头，说钥匙丢了。"), [(1, 2), (9, 10)]),
        (lambda file: file.edit(1, "第0天的早晨，我问她银钥匙在哪里？"), [(9, 10)]),
        (lambda file: file.edit(0, "“欢迎。”她擦着杯子说。"), [(1, 2), (9, 10)]),
        (lambda file: file.delete(-1, -2), [(1, 2), (9, 10)]),
        (lambda file: file.delete(5, 6), [(1, 2), (7, 8)]),
        (narrate, [(1, 2), (10, 11)]),
        (cut_and_go_on, [(1, 2), (9, 10)]),
    ],
    ids=["as it is", "swipe", "edit", "greeting", "deleted", "cut", "narrated", "played on"],
)
def test_a_chat_begun_by_address_is_the_chat_its_companion_tells_of(
    memory, teller, begun_file, change, spans
):
    play_by_address(memory, begun_file, 8)
    line = Line.main(memory.chats.all()[0].chat_id)
    remember_floors(memory, line, (1, 2), (9, 10))
    before = set(texts(memory, line))
    change(begun_file)
    report = tell(teller, begun_file)
    assert report.line == line
    assert [(chat.chat_id, chat.name) for chat in memory.chats.all()] == [(line.chat_id, FILE)]
    assert texts(memory, line) == [row["mes"] for row in begun_file.rows]
    assert {m.name for m in memory.messages.slice(line, 0, 3)} == {"旅人", "爱丽丝"}
    assert fresh_spans(memory, line) == spans
    lines = [Line(line.chat_id, branch.id) for branch in memory.branches.all(line.chat_id)]
    swipes = {text for row in begun_file.rows for text in row.get("swipes", ())}
    assert before <= {text for one in lines for text in texts(memory, one)} | swipes

    begun_file.path = begun_file.path.with_name("满月.jsonl")
    begun_file.say("“换了名字，还是我们。”")
    assert tell(teller, begun_file).line == line
    assert [chat.name for chat in memory.chats.all()] == ["满月"]
    assert texts(memory, line) == [row["mes"] for row in begun_file.rows]


def test_of_a_long_chat_the_server_knew_the_end_and_its_companion_tells_the_rest(
    memory, teller, begun_file
):
    begun_file.say(*(f"很久以前第{n}句，雨一直在下。" for n in range(40)))
    play_by_address(memory, begun_file, 5, most=9)
    line = Line.main(memory.chats.all()[0].chat_id)
    remember_floors(memory, line, (8, 9))
    assert tell(teller, begun_file).line == line
    assert texts(memory, line) == [row["mes"] for row in begun_file.rows]
    assert fresh_spans(memory, line) == [(41, 42)]
    assert len(memory.branches.all(line.chat_id)) == 1


@pytest.mark.parametrize("is_branch_first", [True, False])
def test_a_branch_played_by_address_is_the_branch_its_companion_tells_of(
    memory, teller, begun_file, is_branch_first
):
    play_by_address(memory, begun_file, 6)
    branch = begun_file.branch(6, "月光 - Branch #1")
    branch.metadata["integrity"] = "1"
    play_by_address(memory, branch, 2, begin=20)
    for file in (branch, begun_file) if is_branch_first else (begun_file, branch):
        line = tell(teller, file).line
        assert texts(memory, line) == [row["mes"] for row in file.rows]
    (chat,) = memory.chats.all()
    assert chat.name == FILE
    names = {one.name: one.fork_seq for one in memory.branches.all(chat.chat_id)}
    assert names == {"main": None, "月光 - Branch #1": 6}


def test_a_chat_begun_by_address_is_the_one_that_is_imported_and_then_told(
    memory, teller, begun_file
):
    play_by_address(memory, begun_file, 5, most=5)
    line = Line.main(memory.chats.all()[0].chat_id)
    report = memory.imports.import_file(CTX, begun_file.path)
    assert (report.chat_id, report.branch_id) == (line.chat_id, "main")
    assert [chat.name for chat in memory.chats.all()] == [FILE]
    begun_file.edit(1, "第0天的早晨，我问她银钥匙在哪里？")
    assert tell(teller, begun_file).line == line
    assert texts(memory, line) == [row["mes"] for row in begun_file.rows]


def test_a_chat_that_somebody_named_keeps_its_name(memory, teller, begun_file):
    play_by_address(memory, begun_file, 4)
    (chat,) = memory.chats.all()
    memory.chats.rename(chat.chat_id, "我们的故事")
    tell(teller, begun_file)
    begun_file.path = begun_file.path.with_name("满月.jsonl")
    tell(teller, begun_file)
    assert [chat.name for chat in memory.chats.all()] == ["我们的故事"]


def test_a_name_before_a_text_is_no_part_of_it_once_the_companion_tells_who_speaks(
    memory, teller, begun_file
):
    play_by_address(memory, begun_file, 3)
    said = ("“房间在楼上。”", "“早饭在楼下。”")
    for floor, text in enumerate(said, 7):
        begun_file.insert(floor, f"店主: {text}")
    play_by_address(memory, begun_file, 2, begin=10)
    line = Line.main(memory.chats.all()[0].chat_id)
    assert texts(memory, line)[7:9] == [f"店主: {text}" for text in said]
    remember_floors(memory, line, (7, 9))
    for row, text in zip(begun_file.rows[7:], said, strict=False):
        row |= {"name": "店主", "mes": text, "swipes": [text]}
    narrate(begun_file)
    assert tell(teller, begun_file).line == line
    assert texts(memory, line) == [row["mes"] for row in begun_file.rows]
    assert memory.messages.slice(line, 8, 8)[0].name == "店主"
    assert fresh_spans(memory, line) == [(8, 10)]
    assert len(memory.branches.all(line.chat_id)) == 1


@pytest.mark.parametrize("is_group", [True, False], ids=["group", "copy"])
def test_a_chat_and_what_was_made_of_it_do_not_take_each_others_place(
    memory, teller, file, is_group
):
    """A group made of a chat, and an imported copy, have the slip of the chat, which goes on."""
    line = tell(teller, file).line
    made = TavernChatFile(file.path.with_name("另一份.jsonl"))
    made.rows, made.metadata = copy.deepcopy(file.rows), dict(file.metadata)
    more = {"owner": "17637", "is_group": True, "group_name": "酒馆里的人"} if is_group else {}
    made.say("“这边说的第一句。”", "“这边说的第二句。”")
    made.metadata["integrity"] = file.metadata["integrity"]
    first = tell(teller, made, **more).line
    for number in range(3):
        file.say(f"“那边说的第{number}句。”", f"“第{number}句回答。”")
        other = tell(teller, file).line
        made.say(f"“这边又说了{number}次。”", f"“听见{number}次了。”")
        assert tell(teller, made, **more).line == first
        assert first.chat_id == other.chat_id == line.chat_id
        assert texts(memory, first) == [row["mes"] for row in made.rows]
        assert texts(memory, other) == [row["mes"] for row in file.rows]
    assert len(memory.branches.all(line.chat_id)) == 2


def test_another_chat_with_the_same_greeting_is_another_chat(memory, teller, begun_file, tmp_path):
    play_by_address(memory, begun_file, 4)
    other = TavernChatFile(tmp_path / "elsewhere" / "爱丽丝" / "别的.jsonl")
    other.say(begun_file.rows[0]["mes"], "“今晚有房间吗？”", "“楼上第二间。”", "“谢谢。”")
    tell(teller, other)
    assert len(memory.chats.all()) == 2


def test_who_speaks_in_a_chat_begun_by_address_is_read_in_sillytaverns_main_prompt(
    memory, begun_file
):
    prompt = "Write {0}'s next reply in a fictional chat between {0} and {1}."
    front = Front("旅人", "爱丽丝", system=prompt.format("爱丽丝", "旅人"))
    story = [front.reply(begun_file.rows[0]["mes"]), front.user("“有人吗？”")]
    request = memory.serving.read(shapes.tavern_chat(front, story))
    identity = memory.serving.identify(CTX, request)
    kept = memory.serving.keep_request(CTX, request, identity)
    memory.serving.keep_reply(CTX, kept, "“请进。”")
    (chat,) = memory.chats.all()
    names = [m.name for m in memory.messages.slice(Line.main(chat.chat_id), 0, 9)]
    assert (chat.name, names) == ("爱丽丝", ["爱丽丝", "旅人", "爱丽丝"])
