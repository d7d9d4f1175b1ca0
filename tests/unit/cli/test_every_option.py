"""Every option and every setting, through the command line."""

from __future__ import annotations

import argparse
import ast
import contextlib
import functools
import io
import json
import re
import shutil
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

import engram_desktop
from engram_desktop.cli.commands import JSON_LINES
from engram_desktop.cli.main import build_parser, every_verb, main
from engram_desktop.domain.settings import DECLARED, FIELD_OF
from engram_desktop.domain.write_access import WriteAccess
from engram_desktop.services.memory import Memory
from tests.cards import V2, png, text
from tests.factories import model_at, script_json, story_rows, write_chat
from tests.fake_openai import FakeOpenAI
from tests.option_runs import RUNS
from tests.state_story import update, write_story
from tests.tavern import TavernChatFile, make_tavern
from tests.worldbooks import write_worldbook

# Every option of every verb is used once, and does what it is there for: it ends well. What it
# prints, writes and asks a model holds nothing of the private notes that everything has.
#
# The options are taken from the parser: one that is new and has no run here fails.

BLANK = "\u2420"  # of a name, in a line of words
NOTE = "密语：谁也不许看"
# What the user alone reads: what is printed or written there is for no model.
FOR_THE_USER = {("export", "--branch"), "note", "search"}  # that export is everything, as JSON
# What a model says to whatever it is asked: each reader takes what it knows.
ANSWER = {
    "events": [
        {
            "summary": "爱丽丝把铜钥匙交给旅人。",
            "entities": [
                {"name": "爱丽丝", "type": "char"},
                {"name": "旅人", "type": "char"},
                {"name": "铜钥匙", "type": "item"},
            ],
        }
    ],
    "logs": [{"owner": "爱丽丝", "content": "我不该把钥匙给他的。"}],
    "profiles": [{"name": "爱丽丝", "set": {"身份": "老板"}}],
    "queries": ["铜钥匙"],
    "level": "EVENT",
}


@functools.cache
def verbs():
    parser = build_parser(every_verb())
    (found,) = (a for a in parser._actions if isinstance(a, argparse._SubParsersAction))
    return found.choices


def options(parser):
    """The long names of a verb's own options; of those in pairs (--no-review) both."""
    shared = {"--help", "--library", "--json"}
    return {
        name
        for action in parser._actions
        for name in action.option_strings
        if name.startswith("--") and name not in shared
    }


def test_every_option_has_a_run():
    assert {verb: options(parser) for verb, parser in verbs().items() if options(parser)} == {
        verb: set(runs) for verb, runs in RUNS.items()
    }


def actions(name, parser):
    """Each option and argument, with the command or the action of one that takes it."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for part, one in action.choices.items():
                yield from actions(f"{name} {part}", one)
        else:
            yield name, action


def test_help_explains_every_option():
    unexplained = [
        f"{called} {action.option_strings or action.dest}"
        for verb, parser in verbs().items()
        for called, action in actions(verb, parser)
        if not action.help
    ]
    assert unexplained == []
    for verb, parser in verbs().items():
        assert parser.format_help().startswith(f"usage: engram {verb}")


@pytest.mark.parametrize("bad", ["名" * 120, "a\0b"])
def test_a_path_that_no_file_can_have_is_refused_before_anything_else(bad):
    every = [build_parser(every_verb()), *verbs().values()]
    taken = [
        action
        for parser in every
        for action in parser._actions
        if isinstance(action.metavar, str) and action.metavar.startswith(("FILE", "DIR"))
    ]
    assert len(taken) > 50
    for action in taken:
        with pytest.raises(argparse.ArgumentTypeError):
            action.type(bad)


@pytest.fixture(scope="module")
def server():
    with FakeOpenAI(answer=lambda _body: json.dumps(ANSWER, ensure_ascii=False)) as made:
        yield made


def engram(library, *words):
    """Run a command; returns its exit code, its rows, and what it complained of."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main([*map(str, words), "--library", str(library), "--json"])
    return code, [json.loads(line) for line in out.getvalue().splitlines()], err.getvalue()


@pytest.fixture(scope="module")
def made(tmp_path_factory, server):
    """A library with something of everything; and what the words in braces stand for."""
    folder = tmp_path_factory.mktemp("every")
    library = folder / "library"

    def do(*words):
        code, rows, error = engram(library, *words)
        assert code == 0, (words, error)
        return rows[0] if rows else None

    for key, value in {
        "embed.local": "hash",
        "index.backend": "exact",
        "keys.storage": "session",
        **model_at(server.url),
        "llm.parallel": 1,
    }.items():
        do("settings", key, value)
    files = write_files(folder)
    do("import", *(files[name] for name in ("story", "state", "gone", "book", "card", "script")))
    do("delete", "旧事")
    do("summarise", "故事", "--range", "0-39", "--extractor", "llm")
    do("consolidate", "故事", "--extractor", "extractive")
    do("summarise", "故事", "--range", "40-44", "--extractor", "extractive", "--no-review")
    do("fork", "故事", "--at", "50", "--as", "岔路")
    do("import", files["vow"])
    do("book", "设定", "--on-in", "故事")
    do("export", "故事", "--format", "engram", "-o", files["left"])
    do("export", "故事", "--format", "worldbook", "--keep", "-o", files["kept"])
    do("entities", "故事", "--entity", "铜钥匙", "--alias", "钥匙")
    do("entities", "故事", "--entity", "爱丽丝", "--alias", "爱丽丝小姐")
    do("entities", "故事", "--entity", "爱丽丝", "--split", "爱丽丝小姐")
    same = do("entities", "故事", "--find-same")
    do("log", "故事", "--owner", "爱丽丝", "--text", "我后悔了。", "--range", "1-2")
    relations = do("relation", "故事", "--add", "爱丽丝", "信任", "旅人")
    do("summarise", "故事", "--range", "45-49", "--review", "--extractor", "llm")
    hit = do("recall", "故事", "--query", "铜钥匙")["items"][0]
    ids = {
        "event": do("events", "故事", "--status", "buffer")["id"],
        "log": do("logs", "故事")["id"],
        "relation": next(row["id"] for row in relations if row["predicate"] == "信任"),
        "suggestion": same[0]["id"],
        "draft": do("drafts", "故事")[0]["id"],
        "item": hit["id"],
        "regex": do("regex", "--list")[0]["id"],
    }
    lines = "group 故事 青云门 --join 凯尔", "volume make 故事 --title 卷", "volume attach 卷 誓"
    for line in lines:
        do(*line.split())
    for thing in ([], ["#3"], [ids["event"]], ["爱丽丝"], ["铜钥匙"], ["旅人"]):
        do("note", "故事", *thing, "--set", f"{NOTE} {thing}")
    for name in ("folder", "folder_here", "folder_there"):
        do("folder", "故事", files[name])
    (clash,) = {
        file.relative_to(files["folder_here"]).as_posix()
        for file in files["folder_here"].rglob("*.md")
        if f"id: {ids['event']}" in file.read_text("utf-8")
    }
    for name in ("folder_here", "folder_there"):
        text = (files[name] / clash).read_text("utf-8")
        (files[name] / clash).write_text(f"{text}又一句。", "utf-8")
    do("event", "故事", ids["event"], "--set", "summary=两边都改。")
    ids["clash"] = clash.replace(" ", BLANK)
    ids["waiting"] = do("inbox", "故事", "--kind", "draft")[0]["id"]
    ids["finding"] = do("findings", "誓")[0]["id"]
    ids["thread"] = do("thread", "誓", "--note", "旅人说", "--floor", "0")[0]["id"]
    ids["question"] = do("lab", "故事", "--add", "钥匙在哪里", "--expect", ids["item"])[0]["id"]
    return SimpleNamespace(library=library, words=files | ids)


def write_user(folder):
    """Settings and templates of text completion."""
    templates = {
        "settings": {"power_user": {}},
        "instruct/甲": {"wrap": True},
        "context/乙": {"story_string": "{{char}}"},
    }
    for name, template in templates.items():
        path = folder / f"{name}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(template), "utf-8")
    return folder


def write_files(folder):
    def write(name, text):
        (folder / name).write_text(text, "utf-8")
        return folder / name

    handle = make_tavern(folder / "SillyTavern")
    TavernChatFile(handle / "chats" / "爱丽丝" / "爱丽丝 - 1.jsonl").say("在吗？", "在。", "好。")
    presets = handle / "OpenAI Settings"
    presets.mkdir()
    (presets / "夜.json").write_text(json.dumps({"prompts": [], "prompt_order": []}), "utf-8")
    card = folder / "爱丽丝.png"
    card.write_bytes(png(text(b"chara", V2)))
    rows = [(name, f"{said}（旧）") for name, said in story_rows(6)]
    return {
        "story": write_chat(folder / "故事.jsonl", story_rows(60)),
        "more": write_chat(folder / "多.jsonl", story_rows(70)),
        "vow": write_chat(folder / "誓.jsonl", [("旅人", "“明天我一定还你。”旅人说。")]),
        "gone": write_chat(folder / "旧事.jsonl", rows),
        "state": write_story(folder / "状态.jsonl", [update(1), update(2)]),
        "book": write_worldbook(folder / "设定.json"),
        "card": card,
        "script": write("script.json", script_json(name="甲")),
        "answer": write("answer.json", json.dumps(ANSWER)),
        "queries": write("queries.jsonl", json.dumps({"query": "铜钥匙"})),
        "prompt": write("prompt.txt", "整理：\n{{engramHistory}}"),
        "tavern": folder / "SillyTavern",
        "user": write_user(folder / "user"),
        "left": folder / "left.engram",
        "kept": folder / "kept.json",
        **{name: folder / name for name in ("folder", "folder_here", "folder_there")},
    }


@pytest.mark.parametrize(
    ("verb", "option"), [(verb, option) for verb, runs in RUNS.items() for option in runs]
)
def test_every_option_ends_well(verb, option, made, server, tmp_path):
    library = shutil.copytree(made.library, tmp_path / "library")
    line = RUNS[verb][option].format(out=tmp_path / "out", **made.words)
    words = [word.replace(BLANK, " ") for word in line.split()]
    assert option in words
    asked = len(server.seen)
    code, rows, error = engram(library, verb, *words)
    assert code == 0, error
    assert len(rows) == 1 or verb in JSON_LINES
    if option == "--as" or not FOR_THE_USER & {verb, (verb, option)}:
        assert_no_note(rows, error, tmp_path)
    assert_no_note([seen.body for seen in server.seen[asked:]], error, made.words["tavern"])


def assert_no_note(rows, error, folder):
    """Nothing that was printed, or that lies in a folder beside the library, is of a note."""
    assert NOTE not in json.dumps(rows, ensure_ascii=False) + error
    for file in folder.rglob("*"):
        if file.is_file() and not file.is_relative_to(folder / "library"):
            assert NOTE.encode() not in file.read_bytes(), file


# Verbs without options of their own, and what each is given.
PLAIN = {
    "books": "",
    "chats": "",
    "history": "故事",
    "prompts": "",
    "redo": "故事",
    "undo": "故事",
    "delete": "故事",
}
NO_ROAD = {"key", "backup", "restore", "demo"}  # of the library as a whole, or of another
ELSEWHERE = {"mcp", "volume"}  # a test of their own


def test_nothing_else_prints_a_private_note(made, tmp_path):
    assert set(verbs()) - set(RUNS) == PLAIN.keys() | NO_ROAD | ELSEWHERE | {"note"} - RUNS.keys()
    library = shutil.copytree(made.library, tmp_path / "library")
    for verb in ("undo", *(set(PLAIN) - {"undo", "delete"}), "delete"):
        code, rows, error = engram(library, verb, *PLAIN[verb].split())
        assert code == 0, (verb, error)
        assert_no_note(rows, error, tmp_path)


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("", "COMMAND"),
        ("recall 故事", "--query"),
        ("inject 故事", "--query"),
        ("export 故事 --format json", "--output"),
        ("export 故事 --output x", "--format"),
        ("fork 故事 名", "--at"),
        ("triage 故事", "--input"),
    ],
)
def test_what_a_verb_cannot_do_without_is_asked_for(line, wanted, capsys):
    with pytest.raises(SystemExit):
        main(line.split())
    told = capsys.readouterr().err.splitlines()[-1]
    assert "required" in told
    assert wanted in told


# Whatever names something is refused where there is no such thing: one line says so, nothing is
# written. The places are taken from the parser: a new one is either refused or listed here.

NOBODY = "查无此名"
NAMED = {  # what stands for a name, an id, a floor or a file, and one of which there is none
    **dict.fromkeys(
        "CHAT B BRANCH ID ITEM MEMORY EVENT ACTOR SPEAKER VOLUME X NAME ALIAS".split(), NOBODY
    ),
    **dict.fromkeys("FROM TO ONE OTHER GROUP KEY PATH UID".split(), NOBODY),
    "FIELD=VALUE": f"{NOBODY}=1",
    "KEY=VALUE": f"{NOBODY}=1",
    "FLOOR": "9999",
    "A-B": "9000-9999",
    "FILE": "{out}/无/此.json",
    "FILE.jsonl": "{out}/无/此.json",
    "DIR": "{out}/无/此",
}
ANYTHING = {  # a text, a number, or a name that is given
    None,
    *"TEXT WORDS WORD,WORD NAME,NAME N TOKENS LIST M T YAML EXPR PATH=VALUE URL NEW VALUE".split(),
}
NEW_NAMES = {  # given here, or of somebody who need not be known yet
    "import --as",
    "fork --as",
    "branches --rename 1",
    "entities --rename",
    "entities --alias",
    "log --owner",
    "who --knows",
    "who --knows-not",
    "witnesses --person",
    "group group",
    "group --join",
    "group --leave",
    "regex --owner",
    "play --player",
    "companion --save",
    "demo folder",
}
WORDS = {
    "play --as": "故事 --as 爱丽丝 --turns 0",  # a scene is begun before somebody replies in it
    "note": "故事 #3",
    "undo": "故事",
    "redo": "故事",
    "history": "故事",
    "delete": "旧事",
    "restore": "{out}",
    "key": "llm",
    "demo": "{out}",
    "volume list": "--chat 故事",
    "volume preview": "故事 --branch main",
    "volume make": "故事 --branch main --title 卷",
    "volume show": "卷",
    "volume attach": "卷 状态",
    "volume detach": "卷 誓",
    "volume update": "卷",
    "volume export": "卷 {out}",
    "volume import": "{out}",
    "volume delete": "卷",
}


def places(verb, parser):
    """Each place of a command where something is named: how it is called, its option, its number.

    Those of an action of a command (`volume make`) are named with it.
    """
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, one in action.choices.items():
                yield from places(f"{verb} {name}", one)
            continue
        metavars = action.metavar if isinstance(action.metavar, tuple) else (action.metavar,)
        if action.nargs == 0 or action.choices or action.dest in {"help", "library", "json"}:
            continue
        for number, metavar in enumerate(metavars):
            option = (action.option_strings or [action.dest])[-1]
            called = f"{verb} {option}" + (f" {number}" if number else "")
            if metavar not in ANYTHING and called not in NEW_NAMES:
                yield called, parser, action, number


def with_wrong(called, parser, action, number):
    """Return the words of a run with a name of nothing in one place."""
    option = next((name for name in action.option_strings if name.startswith("--")), None)
    verb = called.rpartition(" " + (option or action.dest))[0]
    runs = RUNS.get(verb, {})
    metavar = action.metavar[number] if isinstance(action.metavar, tuple) else action.metavar
    wrong = "9999" if action.type is int else NAMED[metavar]
    lines = (
        [WORDS.get(called) or runs[option]]
        if option in runs
        else [*runs.values(), WORDS.get(verb, "")]
    )
    for line in lines:
        words = line.split()
        if option is None:
            value = vars(parser.parse_args(words)).get(action.dest)
            value = value[0] if isinstance(value, list) and value else value
            at = words.index(str(value)) if value else -1
        else:
            at = words.index(option) + 1 + number if option in words else -1
        if at >= 0:
            return [*verb.split(), *words[:at], wrong, *words[at + 1 :]]
    raise AssertionError(f"no run has a place for {called}")


@pytest.mark.parametrize("verb", verbs())
def test_what_names_nothing_is_refused_and_writes_nothing(verb, made, tmp_path):
    before = state_of(made.library)
    wrong = []
    for place in places(verb, verbs()[verb]):
        words = [
            word.format(out=tmp_path / "out", **made.words).replace(BLANK, " ")
            for word in with_wrong(*place)
        ]
        code, rows, error = engram(made.library, *words)
        is_line = len(error.splitlines()) == 1 and error.startswith("engram: ")
        says_nothing = not rows or verb == "import"  # which reports of each file
        if code != 1 or not says_nothing or not is_line or "bug" in error:
            wrong.append((place[0], " ".join(words), code, rows, error))
    assert wrong == []
    assert state_of(made.library) == before
    assert list(tmp_path.iterdir()) == []


PATHS = [
    pytest.param(*place, id=place[0])
    for verb, parser in verbs().items()
    for place in places(verb, parser)
    if place[2].metavar in ("FILE", "FILE.jsonl", "DIR")
]


@pytest.mark.skipif(sys.platform in {"win32", "darwin"}, reason="every name of a file is a text")
@pytest.mark.parametrize(("called", "parser", "action", "number"), PATHS)
def test_a_path_that_is_no_text_is_no_bug(called, parser, action, number, made, tmp_path):
    library = shutil.copytree(made.library, tmp_path / "library")
    words = [
        str(tmp_path / "\udcff.json") if word == NAMED[action.metavar] else word
        for word in with_wrong(called, parser, action, number)
    ]
    words = [word.format(out=tmp_path / "out", **made.words).replace(BLANK, " ") for word in words]
    code, _rows, error = engram(library, *words)
    assert (code, error.count("\n")) in {(0, 0), (1, 1)}, error


def state_of(library):
    """What can be undone, and which chats, branches and files there are: whatever is written."""
    memory = Memory.open(library, environ={}, access=WriteAccess("read"))
    chats = memory.chats.all()
    state = (
        [(row.chat_id, row.name, row.messages, row.branches) for row in chats],
        [memory.history.steps(key) for key in (None, *(row.chat_id for row in chats))],
        [(row.path, row.hash) for row in memory.kept.all()],
        [row.path for row in memory.care.folders.all()],
        memory.chats.deleted(),
        memory.settings.chosen(),
    )
    memory.close()
    return state


# Every setting can be set, is kept, is told back; what lies beyond its bounds is refused.

PROGRAM = Path(engram_desktop.__file__).parent
DECLARATIONS = PROGRAM / "domain" / "settings"


def good_values(setting):
    """Values that are not its default: both bounds, each other choice."""
    kind = type(setting.default)
    if setting.is_address:
        return ["http://127.0.0.1:9/v1"]
    if setting.low is not None:
        assert setting.high is not None
        values = [kind(setting.low), kind(setting.high)]
    elif setting.choices:
        values = list(setting.choices)
    else:
        values = [not setting.default] if kind is bool else ["一段文字"]
    return [value for value in values if value != setting.default]


@pytest.mark.parametrize("key", DECLARED)
def test_every_setting_is_kept_and_told_back(engram, key):
    setting = DECLARED[key]
    values = good_values(setting)
    assert values
    for value in values:
        code, told = engram("settings", key, value)
        assert (code, told) == (0, {key: value}), engram.error
        assert engram("settings", key)[1] == {key: value}
    if setting.low is not None:
        assert setting.high is not None
        for value in (setting.low - 1, setting.high + 1):
            assert engram("settings", key, value)[0] == 1
            assert key in engram.error
        assert engram("settings", key)[1] == {key: values[-1]}, "what is refused changes nothing"


@pytest.mark.parametrize("key", [key for key in DECLARED if DECLARED[key].per_chat])
def test_a_chat_may_have_its_own_where_that_is_declared(engram, chat, key):
    setting = DECLARED[key]
    (value, *_) = good_values(setting)
    code, told = engram("settings", key, value, "--chat", chat)
    assert (code, told) == (0, {key: value}), engram.error
    assert engram("settings", key)[1] == {key: setting.default}


def test_every_setting_is_read_by_the_program():
    words, patterns = names_read()
    read = re.compile("|".join(f"(?:{pattern})" for pattern in sorted(patterns)))
    unread = [
        key
        for key, field in FIELD_OF.items()
        if words.isdisjoint((key, field)) and not (read.fullmatch(field) or read.fullmatch(key))
    ]
    assert unread == []


def names_read():
    """Attributes and texts, and those with a gap (`f"{name}_base_url"`) as patterns."""
    words, patterns = set(), set()
    for file in PROGRAM.rglob("*.py"):
        if file.is_relative_to(DECLARATIONS):
            continue
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Attribute):
                words.add(node.attr)
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                words.add(node.value)
            elif isinstance(node, ast.JoinedStr):
                parts = [str(p.value) if isinstance(p, ast.Constant) else None for p in node.values]
                literal = "".join(part or "" for part in parts)
                if re.fullmatch(r"[a-z_]+\.?|[._][a-z_]+", literal) and len(literal) > 4:
                    patterns.add("".join(r"\w+" if p is None else re.escape(p) for p in parts))
    return words, patterns
