"""JavaScript in its process: V8's own semantics, limits that hold, and a program that goes on."""

import itertools
import json
import multiprocessing
import os
import shutil
import signal
import subprocess
import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engram_desktop.domain.errors import ScriptFailed, ScriptStopped
from engram_desktop.formats.javascript.engine import MAX_HELD, JavaScript, mended
from engram_desktop.formats.javascript.worker import serve

CASES = [
    ("(?<y>\\d{4})-(?<m>\\d\\d)", "g", "2024-05, 1999-12."),
    ("(?<=他)说", "g", "他说，她说，他说"),
    ("^\\s*\\*(.+?)\\*$", "gm", "*a*\n *b*\nc"),
    ("<(update(?:variable)?)>\\s*((?:(?!<\\1>).)*)\\s*<\\/\\1>", "gsi", "x<Update>\n1\n</Update>y"),
    (".", "", "😀b"),
    (".", "gu", "😀b"),
    ("(a)|(b)", "g", "ab"),
    ("", "g", "ab"),
    ("\\bword\\b", "gi", "a Word, sword"),
    ("(?:)", "", "x"),
]


@pytest.fixture(scope="module")
def javascript():
    made = JavaScript()
    yield made
    made.close()


def told(scan):
    if scan is None:
        return None
    rows = [[m.before, list(m.groups), m.named or None] for m in scan.matches]
    return [rows, scan.rest]


@pytest.mark.parametrize(("source", "flags", "text"), CASES)
def test_finds_what_node_finds(javascript, source, flags, text):
    node = shutil.which("node")
    if node is None:
        pytest.skip("there is no Node here to compare with")
    program = """
      const [source, flags, text] = JSON.parse(process.argv[1]);
      const found = []; let at = 0;
      text.replace(new RegExp(source, flags), (...a) => {
        const named = typeof a[a.length - 1] === "object" ? a[a.length - 1] : null;
        const n = a.findIndex((x) => typeof x === "number");
        found.push([text.slice(at, a[n]), a.slice(0, n).map((g) => g ?? null), named]);
        at = a[n] + a[0].length;
        return "";
      });
      console.log(JSON.stringify(found.length ? [found, text.slice(at)] : null));
    """
    done = subprocess.run(
        [node, "-e", program, json.dumps([source, flags, text])],
        capture_output=True,
        check=True,
        encoding="utf-8",
    )
    assert told(javascript.scan(source, flags, [text])[0]) == json.loads(done.stdout)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.text(alphabet="ab<>\n😀\ud83d龙", max_size=20), max_size=5))
def test_matches_and_what_is_between_make_up_the_text(javascript, texts):
    for text, scan in zip(texts, javascript.scan("a+|<.", "g", texts), strict=True):
        if scan is None:
            assert "a" not in text
            continue
        pieces = [piece for m in scan.matches for piece in (m.before, m.groups[0] or "")]
        assert mended("".join([*pieces, scan.rest])) == mended(text)


def test_a_text_is_tested_from_its_beginning_each_time(javascript):
    assert javascript.test("a", "g", ["ba", "ba", "b"]) == [True, True, False]


@pytest.mark.parametrize("source", ["(", "[", "(?<n>a)(?<n>b)", "a{2,1}"])
def test_what_is_no_pattern_is_said(javascript, source):
    with pytest.raises(ScriptFailed, match="SyntaxError"):
        javascript.check(source, "g")


def test_a_catastrophic_pattern_is_stopped_while_others_go_on():
    javascript = JavaScript(0.2)
    assert not javascript.is_running  # nothing is started before it is needed
    ticks = itertools.count()
    is_over = threading.Event()

    def tick():
        while not is_over.wait(0.005):
            next(ticks)

    thread = threading.Thread(target=tick)
    thread.start()
    try:
        with pytest.raises(ScriptStopped):
            javascript.scan("^(a+)+$", "", ["a" * 40 + "b"])
    finally:
        is_over.set()
        thread.join()
    assert next(ticks) > 5
    assert javascript.scan("a", "", ["a"])[0] is not None  # another context answers
    javascript.close()
    assert not javascript.is_running


def test_a_program_that_takes_its_process_down_takes_only_that():
    javascript = JavaScript(3.0)
    with pytest.raises(ScriptStopped):
        javascript.run("() => { const all = []; for (;;) all.push('x'.repeat(1e6) + all.length); }")
    assert javascript.run("(a, b) => a + b", 2, 3) == 5
    javascript.close()


def test_a_program_sees_nothing_of_the_host(javascript):
    names = "['require','process','fetch','XMLHttpRequest','Deno','std','os','load','import']"
    seen = javascript.run(f"() => {names}.filter((n) => typeof globalThis[n] !== 'undefined')")
    assert seen == []
    with pytest.raises(ScriptFailed):
        javascript.run("() => (0).constructor.constructor('return process')()")


def test_programs_do_not_see_each_other(javascript):
    javascript.run("() => { globalThis.left = 1; Array.prototype.map = null; return 0; }")
    assert javascript.run("() => typeof globalThis.left + typeof [].map") == "undefinedfunction"


def test_a_long_text_is_sent_once_for_many_patterns():
    javascript = JavaScript()
    text = "第一句\x01😀\ud83d" + "路过。" * 800_000 + "最后的钥匙"
    assert javascript.test_held("钥匙$", "", text)
    assert not javascript.test_held("没有", "", text)
    assert javascript.test_held("^第一句.\\u{1F600}", "su", text)
    with pytest.raises(ScriptFailed):
        javascript.test_held("(", "", text)
    with pytest.raises(ScriptStopped):
        javascript.test_held("(过。|路过。)+[^过路。]*x", "", text)
    assert javascript.test_held("钥匙$", "", text), "it is sent again after its context was lost"
    others = [f"{n}{'字' * 60_000}" for n in range(6)]
    assert all(javascript.test_held(f"^{n}", "", other) for n, other in enumerate(others))
    assert javascript.test_held("钥匙$", "", text)
    assert len(javascript._numbers_of) <= MAX_HELD
    javascript.close()
    assert javascript.test_held("钥匙$", "", text)
    javascript.close()


def test_what_a_program_runs_in_is_made_before_its_time_begins():
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=serve, args=(theirs,), daemon=True)
    process.start()
    try:
        assert ours.recv() == ("ok", None)
        for kind, what, arguments, answers in (
            ("program", "(a) => a + 1", (1,), [("begun", None), ("ok", 2)]),
            ("program", "(a) => a + 1", (2,), [("begun", None), ("ok", 3)]),
            ("call", "engramTest", ("a", "", ["a"]), [("begun", None), ("ok", [True])]),
            ("call", "engramTest", ("b", "", ["a"]), [("ok", [False])]),
        ):
            ours.send((kind, what, arguments, 5.0))
            assert [ours.recv() for _ in answers] == answers
    finally:
        process.kill()
        process.join(5)


def test_patterns_and_programs_in_turn_answer_after_a_stop():
    javascript = JavaScript(0.2)
    try:
        for _turn in range(2):
            assert javascript.test("a", "", ["cat"]) == [True]
            assert javascript.run("(a) => a", 1) == 1
            with pytest.raises(ScriptStopped):
                javascript.run("() => { for (;;); }")
            with pytest.raises(ScriptStopped):
                javascript.test("(x+x+)+y", "", ["x" * 40])
    finally:
        javascript.close()


@pytest.mark.parametrize("program", ["() => undefined", "() => () => 1", "() => Symbol()"])
def test_a_program_that_gives_nothing_readable_fails_and_the_worker_lives(javascript, program):
    javascript.run("() => 1")
    process = javascript._process
    with pytest.raises(ScriptFailed) as caught:
        javascript.run(program)
    assert not isinstance(caught.value, ScriptStopped)
    assert javascript._process is process


@pytest.mark.skipif(os.name == "nt", reason="a signal cannot be sent to one process there")
def test_ctrl_c_in_the_terminal_leaves_the_worker_to_who_started_it(javascript):
    assert javascript.run("() => 1") == 1
    process = javascript._process
    os.kill(process.pid, signal.SIGINT)  # a terminal sends it to all that run in it
    assert javascript.run("() => 2") == 2
    assert javascript._process is process


@pytest.mark.parametrize(
    ("stopped", "seconds", "why"),
    [
        (("call", "engramTest", ("^(a+)+$", "", ["a" * 40 + "b"])), 0.2, "time"),
        (("program", "() => { for (;;); }", ()), 0.2, "time"),
        (("program", "() => { const a = []; for (;;) a.push(new Array(99)); }", ()), 20, "memory"),
    ],
)
def test_after_a_stop_patterns_run_in_a_context_made_anew(stopped, seconds, why):
    """What was stopped may have left anything behind, and its memory with it."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=serve, args=(theirs,), daemon=True)
    process.start()
    plain = ("call", "engramTest", ("a", "", ["a"]), 5.0)
    try:
        assert ours.recv() == ("ok", None)
        for request, answers in (
            (plain, ["begun", "ok"]),
            (plain, ["ok"]),
            ((*stopped, seconds), [*(["begun"] * (stopped[0] == "program")), why]),
            (plain, ["begun", "ok"]),
        ):
            ours.send(request)
            for answer in answers:
                assert ours.poll(20), answer
                assert ours.recv()[0] == answer
    finally:
        process.kill()
        process.join(5)
