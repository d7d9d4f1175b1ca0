"""The companion's side of the server."""

from __future__ import annotations

import json
import re
import shutil
import threading
from pathlib import Path

import pytest

from engram_desktop.domain.memory.event import SourceRange
from engram_desktop.domain.memory.extraction import PlotExtraction
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.recall.query import ANSWERS
from engram_desktop.domain.text.tokens import estimate_tokens
from engram_desktop.jobs.context import NullContext
from engram_desktop.places import resource
from engram_desktop.services.memory import Memory
from engram_desktop.services.recall import engine
from tests.companion_server import serving
from tests.factories import counting_clock
from tests.programs import run_program

# The companion's routes over real sockets: paired, told, asked, and whatever is odd refused.

CTX = NullContext()
CHAT = {"tavern": "0f3a", "owner": "爱丽丝.png", "file": "月光", "is_group": False, "slip": "s"}
SAID = [
    "旅人走进月光酒馆，爱丽丝从柜台后抬起头。",
    "“我来找铜钥匙。”",
    "爱丽丝把铜钥匙放在桌上，说它能打开北塔的门。",
    "“北塔在哪里？”",
    "“过了石桥，一直往北。”她指向窗外。",
]


@pytest.fixture
def memory(tmp_path):
    made = Memory.open(tmp_path / "library", clock=counting_clock(), environ={})
    for key, value in (
        ("embed.local", "hash"),
        ("index.backend", "exact"),
        ("keys.storage", "session"),
        ("serve.allowance", 10_000),
    ):
        made.settings.set(key, value)
    yield made
    made.close()


@pytest.fixture
def caller(memory):
    with serving(memory) as running:
        yield running


def rows(texts=SAID):
    return [
        json.dumps({"name": "旅人" if n % 2 else "爱丽丝", "is_user": bool(n % 2), "mes": text})
        for n, text in enumerate(texts)
    ]


def tell_whole(caller, texts=SAID, chat=CHAT):
    piece = {"what": "piece", "upload": "1", "number": 0, "count": 1, "rows": rows(texts)}
    header = json.dumps({"chat_metadata": {"integrity": "s"}, "user_name": "unused"})
    return caller.ask("told", {"chat": chat, "header": header, **piece})


def question(**over):
    said = [{"name": "旅人", "is_user": True, "text": "铜钥匙能打开什么？"}]
    return {
        "chat": CHAT,
        "type": "normal",
        "speaker": "爱丽丝",
        "until": 5,
        "said": said,
        "visible_from": None,
    } | over


def test_a_chat_that_is_told_or_opened_is_made_ready_before_a_reply_waits_for_it(caller, memory):
    told = tell_whole(caller)
    line = Line.main(memory.chats.all()[0].chat_id)
    assert caller.state.ahead.lines == [line]
    other = CHAT | {"file": "别的", "slip": "o"}
    tell_whole(caller, ["另一个故事开始了。", *SAID[3:]], other)
    assert caller.state.ahead.lines[-1] != line
    opened = {"chat": CHAT, "what": "offer", "revision": told["revision"]}
    assert caller.ask("told", opened)["state"] == "kept"
    assert caller.state.ahead.lines[-1] == line


def add_event(memory, line, summary="爱丽丝说铜钥匙能打开北塔的门。"):
    pk, _changes = memory.events.add(line, PlotExtraction(summary=summary), SourceRange(2, 2))
    return memory.events.fetch(line.chat_id, [pk])[pk]


def test_hello_says_who_this_is_and_how_long_a_reply_waits(caller):
    answer = caller.ask("hello")
    assert (answer["program"], answer["protocol"], answer["allowance_ms"]) == ("engram", 1, 10_000)
    assert answer["place"] == {"at": "apart", "depth": 4}


def test_what_is_told_is_a_chat_and_the_window_hears_of_it(memory, caller):
    answer = tell_whole(caller)
    assert (answer["state"], answer["floors"]) == ("kept", 5)
    chat = memory.chats.all()[0]
    assert caller.seen.grown == [Line.main(chat.chat_id)]
    assert any(changes.messages for changes in caller.seen.changed)
    change = {"what": "rows", "revision": answer["revision"], "first": 5, "removed": 0}
    change |= {"rows": rows([*SAID, "“谢谢。”"])[5:], "total": 6}
    assert caller.ask("told", {"chat": CHAT, **change})["floors"] == 6
    assert caller.ask("status", {"chat": CHAT})["floors"] == 6


def test_a_generation_is_told_what_its_speaker_knows(memory, caller):
    tell_whole(caller)
    line = Line.main(memory.chats.all()[0].chat_id)
    add_event(memory, line)
    answer = caller.ask("recall", question())
    assert answer["outcome"] == "filled"
    assert answer["summaries"].startswith("<engram_summaries>")
    assert "北塔" in answer["summaries"]
    assert answer["memories"].startswith("<relevant_memories>")
    assert answer["tokens"] > 0
    assert answer["items"]
    assert all(item["why"] and item["text"] and item["floors"] for item in answer["items"])


def test_memory_leaves_the_newest_messages_their_room_in_the_prompt(memory, caller):
    texts = [
        f"{'我问' if n % 2 else '她说'}：第{n}天，铜钥匙在北塔的{n}层。" * 4 for n in range(400)
    ]
    tell_whole(caller, texts)
    asked = {"until": 399, "visible_from": 390}
    wanted = memory.settings.read().inject_tokens
    for room, used, most in (
        (8_000, 8_000, 2_000),  # full: a quarter
        (8_000, 5_000, 3_000),  # what is left
        (100_000, 90_000, wanted),
    ):
        answer = caller.ask("recall", question(**asked, room=room, used=used))
        assert most * 0.8 <= answer["tokens"] <= most
        assert answer["room"] == (most if most < wanted else None)  # its panel says so
        assert answer["wanted"] == wanted
    answer = caller.ask("recall", question(**asked))  # a companion of before says nothing of it
    assert answer["tokens"] > 3_000


def test_what_the_prompt_holds_already_is_not_recalled(caller):
    tell_whole(caller)
    answer = caller.ask("recall", question(visible_from=0))
    assert (answer["outcome"], answer["items"]) == ("empty", [])


def test_a_chat_nobody_told_of_gets_nothing(caller):
    answer = caller.ask("recall", question())
    assert (answer["outcome"], answer["summaries"], answer["memories"]) == ("unknown", "", "")


def test_a_quiet_generation_gets_nothing(memory, caller):
    tell_whole(caller)
    add_event(memory, Line.main(memory.chats.all()[0].chat_id))
    assert caller.ask("recall", question(type="quiet"))["outcome"] == "quiet"


def test_what_takes_too_long_is_answered_without_memory(memory, caller):
    tell_whole(caller)
    memory.settings.set("serve.allowance", 50)
    free = threading.Event()
    caller.seen.before = lambda: free.wait(20)
    try:
        assert caller.ask("recall", question())["outcome"] == "late"
    finally:
        free.set()


def test_a_lamp_turns_green_and_blue_again(memory, caller):
    tell_whole(caller)
    event = add_event(memory, Line.main(memory.chats.all()[0].chat_id))
    (shown,) = caller.ask("events", {"chat": CHAT})["events"]
    assert (shown["ref"], shown["lamp"], shown["floors"]) == (event.id, "blue", [2, 2])
    assert caller.ask("lamp", {"chat": CHAT, "ref": event.id, "lamp": "green"})["lamp"] == "green"
    assert caller.ask("events", {"chat": CHAT})["events"] == []
    caller.ask("lamp", {"chat": CHAT, "ref": event.id, "lamp": "blue"})
    assert len(caller.ask("events", {"chat": CHAT})["events"]) == 1
    assert len(caller.seen.changed) >= 3


def test_a_memory_that_is_not_to_be_used_again_is_not(caller):
    tell_whole(caller)
    (item, *_rest) = caller.ask("recall", question())["items"]
    ref = item["ref"]
    assert caller.ask("mute", {"chat": CHAT, "ref": ref})["muted"] is True
    assert ref not in {item["ref"] for item in caller.ask("recall", question())["items"]}
    caller.ask("mute", {"chat": CHAT, "ref": ref, "muted": False})
    assert ref in {item["ref"] for item in caller.ask("recall", question())["items"]}


def test_tidying_runs_on_and_says_how_far_it_is(memory, caller):
    tell_whole(caller)
    line = Line.main(memory.chats.all()[0].chat_id)
    for n in range(3):
        add_event(memory, line, f"第{n}件事：铜钥匙换了主人。")
    one = caller.ask("tidy", {"chat": CHAT})
    while one["state"] == "running":
        one = caller.ask("tidying", {"number": one["number"]})
    assert (one["state"], one["archived"]) == ("done", 3)
    assert memory.events.counts(line).archived == 3
    assert caller.answer("tidying", {"number": 99})[0] == 400


def test_the_window_is_raised_at_the_chat(memory, caller):
    tell_whole(caller)
    assert caller.ask("show", {"chat": CHAT}) == {"shown": True}
    assert caller.seen.shown == [Line.main(memory.chats.all()[0].chat_id)]


@pytest.mark.parametrize(
    ("name", "raw", "status"),
    [
        ("hello", b"", 200),
        ("told", b"", 400),
        ("told", b"[1]", 400),
        ("told", b"\xff\xfe", 400),
        ("told", b"[" * 200_000, 400),
        ("told", b'{"chat": 5}', 400),
        ("told", json.dumps({"chat": CHAT}).encode(), 400),
        ("told", json.dumps({"chat": CHAT, "what": "rows", "first": True}).encode(), 400),
        ("told", json.dumps({"chat": CHAT | {"file": "../x"}, "what": "gone"}).encode(), 400),
        ("recall", json.dumps({"chat": CHAT, "until": "5"}).encode(), 400),
        ("recall", json.dumps({"chat": CHAT, "until": 10**40}).encode(), 400),
        ("lamp", json.dumps({"chat": CHAT, "ref": "x", "lamp": "green"}).encode(), 404),
        ("mute", json.dumps({"chat": CHAT, "ref": "\ud83d"}).encode(), 404),
        ("tidy", json.dumps({"chat": CHAT}).encode(), 404),
        ("events", json.dumps({"chat": CHAT}).encode(), 404),
        ("tidying", b'{"number": true}', 400),
    ],
)
def test_an_odd_body_is_answered_in_words(caller, tmp_path, name, raw, status):
    code, answer = caller.answer(name, raw=raw)
    assert code == status
    assert "error" in answer or status == 200
    assert str(tmp_path) not in json.dumps(answer)


def test_a_body_beyond_all_measure_is_not_read_to_its_end(caller):
    code, answer = caller.answer("told", raw=b"{}", **{"Content-Length": str(10**9)})
    assert (code, answer["error"]["code"]) == (413, "too_large")


def test_without_the_key_nothing_is_told(caller):
    code, answer = caller.answer("hello", Authorization="Bearer guessed")
    assert (code, answer["error"]["code"]) == (401, "invalid_api_key")


def test_trouble_with_the_library_names_no_path(caller, tmp_path):
    tell_whole(caller)
    folder = tmp_path / "library" / "companion" / "0f3a" / "chats" / "Mira"
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.write_text("in the way")  # a file where a folder has to be
    chat = CHAT | {"owner": "Mira.png"}
    code, answer = caller.answer(
        "told",
        {"chat": chat, "what": "piece", "upload": "1", "number": 0, "count": 1, "rows": rows()},
    )
    assert code == 400
    assert str(tmp_path) not in json.dumps(answer)


# The companion's own modules against the server, in node: paired, told, asked, and left alone.

PAGE = Path(__file__).parents[2] / "companion_page.mjs"
STORY = "爱丽丝说，铜钥匙能打开北塔的门。{{setvar::x::1}}"


def modules(folder):
    """The companion's sources, named as node wants modules named."""
    for path in resource("companion").glob("*.js"):
        source = path.read_text("utf-8").replace(".js';", ".mjs';")
        (folder / path.with_suffix(".mjs").name).write_text(source, "utf-8")
    return folder


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """What the page answers, and the library afterwards."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not here to run JavaScript")
    folder = tmp_path_factory.mktemp("page")
    memory = Memory.open(folder / "library", clock=counting_clock(), environ={})
    for key, value in (
        ("embed.local", "hash"),
        ("index.backend", "exact"),
        ("keys.storage", "session"),
        ("serve.allowance", 10_000),
    ):
        memory.settings.set(key, value)
    (folder / "modules").mkdir()
    try:
        with serving(memory) as caller:

            def remember(line):
                if len(caller.seen.grown) == 1:
                    memory.events.add(line, PlotExtraction(summary=STORY), SourceRange(1, 2))

            caller.seen.then = remember
            run = run_program(node, PAGE, modules(folder / "modules"), caller.url, caller.key)
            assert run.returncode == 0, run.stderr
            yield json.loads(run.stdout), memory
    finally:
        memory.close()


def test_it_pairs_and_says_what_is_missing(played):
    answers, _memory = played
    assert answers["unpaired"] == "NotPaired"
    assert answers["wrongKey"] == "Refused"
    assert answers["paired"] == "engram"


def test_a_chat_is_told_whole_and_then_what_changes(played):
    answers, memory = played
    assert answers["whole"] == [True, True]
    assert answers["change"] == [True, [{"name": "told", "what": "rows", "rows": 38}]]
    line = Line.main(memory.chats.find("月光"))
    messages = memory.messages.slice(line, 0, 100)
    assert len(messages) == 41
    assert [m.seq for m in messages if m.is_hidden] == [3]


def test_a_generation_gets_memory_where_the_window_says(played):
    answers, _memory = played
    assert answers["recall"]["outcome"] == "filled"
    prompt = answers["recall"]["prompt"]
    assert "北塔的门" in prompt["value"]
    assert "{{" not in prompt["value"]
    assert (prompt["position"], prompt["role"], prompt["scan"]) == (0, 0, False)
    sent, said = answers["recall"]["sent"], answers["recall"]["said"]
    assert sent["room"] == 8000
    assert sent["used"] == pytest.approx(sum(estimate_tokens(text) + 4 for text in said), rel=0.05)


def test_what_is_hidden_since_the_last_prompt_is_not_taken_for_shown(played):
    answers, _memory = played
    # floor 3 is hidden throughout: a floor or two between others are not told again for it
    assert answers["shown"] == [0, 0, 13, 41]


def test_a_macro_takes_the_place_of_the_extension_prompt(played):
    answers, _memory = played
    assert "北塔的门" in answers["macro"]["value"]
    assert answers["macro"]["prompt"] == ""


def test_a_quiet_generation_of_the_page_gets_nothing(played):
    answers, _memory = played
    assert answers["quiet"] == ""


def test_a_chat_that_is_opened_again_and_is_the_same_is_not_told_again(played):
    answers, memory = played
    assert answers["other"] is True
    assert answers["again"] == [True, ["offer"]]
    assert len(memory.chats.all()) == 2


def test_a_page_knows_which_floors_of_its_chat_were_kept_apart(played):
    answers, memory = played
    is_taken, conflict = answers["apart"]
    assert is_taken
    assert (conflict["gone"], conflict["branch_holds"]) == ([[12, 40]], "copy")
    chat_id = memory.chats.find("月光")
    assert memory.messages.count(Line(chat_id, conflict["branch"])) == 12


def test_what_a_page_still_holds_of_another_chat_is_not_told(played):
    answers, _memory = played
    assert answers["loading"] == []


def test_a_change_is_the_smallest_stretch_and_prints_differ(played):
    answers, _memory = played
    assert answers["differences"] is True
    assert answers["prints"] == 200_000


def test_a_server_that_is_not_there_is_asked_once_and_leaves_no_memory(played):
    answers, _memory = played
    assert (answers["away"]["state"], answers["away"]["prompt"]) == ("away", "")
    assert answers["refused"] == "Away"


# The companion's texts: all languages say everything that its modules ask for.

FOLDER = resource("companion")
LANGUAGES = [file.stem for file in sorted((FOLDER / "texts").glob("*.json"))]
# say('name', and the families that end in something the server names
_NAMED = re.compile(r"""say\((?:is\w+ \? )?['"](\w+)['"](?: : ['"](\w+)['"])?""")


def texts(language):
    return json.loads((FOLDER / "texts" / f"{language}.json").read_text("utf-8"))


def asked():
    sources = [path.read_text("utf-8") for path in FOLDER.glob("*.js")]
    pairs = (names for source in sources for names in _NAMED.findall(source))
    return {name for names in pairs for name in names if name}


def test_the_script_reads_each_of_the_files():
    source = (FOLDER / "texts.js").read_text("utf-8")
    assert {"en", "ja-jp", "zh-cn"} == set(LANGUAGES)
    assert all(f"'{language}'" in source for language in LANGUAGES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_languages_have_the_same_texts(language):
    assert texts("en").keys() == texts(language).keys()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_that_is_asked_for_is_there(language):
    assert len(asked()) > 15
    assert asked() <= texts(language).keys()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_reason_of_a_memory_has_a_name(language):
    source = Path(engine.__file__).read_text("utf-8")
    legs = [*re.findall(r'tally\.add\("(\w+)"', source), ANSWERS]
    names = {f"leg_{leg}" for leg in legs}
    assert names == {key for key in texts(language) if key.startswith("leg_")}


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_languages_fill_in_the_same(language):
    for key, text in texts("en").items():
        holes = re.findall(r"\{(\w+)\}", text)
        assert sorted(set(holes)) == sorted(set(re.findall(r"\{(\w+)\}", texts(language)[key]))), (
            key
        )


def test_findings_are_listed_and_answered(memory, caller):
    tell_whole(caller, [*SAID, "“明天我一定还你。”旅人说。"])
    [promise] = caller.ask("findings", {"chat": CHAT, "kind": "promise"})["findings"]
    assert promise["status"] == "open"
    said = {"chat": CHAT, "ref": promise["id"], "answer": "kept"}
    assert caller.ask("finding", said)["answer"] == "kept"
    [promise] = caller.ask("findings", {"chat": CHAT, "kind": "promise"})["findings"]
    assert promise["status"] == "kept"
    assert caller.seen.changed[-1].knowledge
    line = Line.main(memory.chats.all()[0].chat_id)
    memory.history.undo(line.chat_id)
    [promise] = caller.ask("findings", {"chat": CHAT, "kind": "promise"})["findings"]
    assert promise["status"] == "open"
