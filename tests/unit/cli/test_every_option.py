"""Every option of every verb is used once, and does what it is there for: it ends well.

The options are taken from the parser: one that is new and has no run here fails.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import shutil
from types import SimpleNamespace

import pytest

from engram_desktop.cli.main import build_parser, main, verbs_for
from tests.cards import V2, png, text
from tests.factories import script_json, story_rows, write_chat
from tests.fake_openai import FakeOpenAI
from tests.state_story import update, write_story
from tests.tavern import TavernChatFile, make_tavern
from tests.worldbooks import write_worldbook

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
# What a word in braces stands for is made by `made`, below.
RUNS = {
    "import": {
        "--into": "{more} --into 故事",
        "--as": "{story} --as 另名",
        "--exact": "{more} --into 故事 --exact",
    },
    "summarise": {
        "--branch": "故事 --branch main",
        "--range": "故事 --range 40-49",
        "--extractor": "故事 --extractor extractive",
        "--all": "故事 --all",
        "--stale": "故事 --stale",
        "--redo": "故事 --redo 0-24",
        "--review": "故事 --review",
        "--no-review": "故事 --no-review",
    },
    "auto": {
        "--branch": "故事 --branch main",
        "--yes": "故事 --yes",
        "--plan": "故事 --plan",
        "--review": "故事 --review",
        "--no-review": "故事 --no-review",
    },
    "consolidate": {
        "--branch": "故事 --branch main",
        "--extractor": "故事 --extractor extractive",
        "--plan": "故事 --plan",
    },
    "trim": {
        "--branch": "故事 --branch main",
        "--limit": "故事 --limit 4000",
        "--extractor": "故事 --extractor extractive",
        "--plan": "故事 --plan",
    },
    "export": {
        "--branch": "故事 --branch main --format json -o {out}.json",
        "--as": "故事 --as 爱丽丝 --as 旅人 --format markdown -o {out}.md",
        "--format": "故事 --format markdown -o {out}.md",
        "--book": "--book 设定 --format worldbook -o {out}.json",
        "--original": "--book 设定 --original --format worldbook -o {out}.json",
        "--character": "--character 爱丽丝 --format card -o {out}.png",
        "--output": "故事 --format engram --output {out}.engram",
        "--keep": "故事 --format worldbook --keep -o {out}.json",
    },
    "stats": {"--branch": "故事 --branch main"},
    "reindex": {"--model": "故事 --model use"},
    "tavern": {
        "--import": "{tavern} --import chats",
        "--preset": "{tavern} --preset 夜",
        "--follow": "{tavern} --import chats --follow",
    },
    "watch": {"--known": "{tavern} --known --once", "--once": "{tavern} --once"},
    "adopt": {
        "--branch": "故事 {left} --branch main",
        "--plan": "故事 {left} --plan",
        "--tool": "故事 {left} --tool engram",
    },
    "branches": {
        "--rename": "故事 --rename 岔路 另一条",
        "--delete": "故事 --delete 岔路",
        "--compare": "故事 --compare main 岔路",
    },
    "fork": {
        "--at": "故事 --at 10",
        "--as": "故事 --at 10 --as 第二条",
        "--branch": "故事 --at 10 --branch 岔路",
    },
    "events": {
        "--branch": "故事 --branch 岔路",
        "--status": "故事 --status buffer",
        "--search": "故事 --search 钥匙",
        "--kind": "故事 --kind event",
        "--confidence": "故事 --confidence extracted",
        "--as": "故事 --as 爱丽丝",
    },
    "who": {
        "--branch": "故事 --branch main #3",
        "--knows": "故事 #3 --knows 凯尔",
        "--knows-not": "故事 #3 --knows-not 爱丽丝",
        "--unsay": "故事 #3 --unsay 凯尔",
        "--keep-from": "故事 #3 --keep-from 凯尔,莉莉丝",
        "--from": "故事 #3 --knows 凯尔 --from 5",
    },
    "present": {
        "--branch": "故事 --branch main",
        "--range": "故事 --range 0-3",
        "--set": "故事 --range 0-3 --set 爱丽丝,旅人",
        "--unset": "故事 --range 0-3 --unset",
    },
    "secrets": {"--branch": "故事 --branch main"},
    "add": {
        "--branch": "故事 下雨了。 --branch main",
        "--fact": "故事 酒馆在港口。 --fact",
        "--range": "故事 下雨了。 --range 3-4",
        "--keywords": "故事 下雨了。 --keywords 雨,夜",
    },
    "event": {
        "--set": "故事 {event} --set summary=改过。",
        "--archive": "故事 {event} --archive",
        "--restore": "故事 {event} --restore",
        "--delete": "故事 {event} --delete",
    },
    "drafts": {"--branch": "故事 --branch main"},
    "draft": {
        "--branch": "故事 {draft} --branch main",
        "--accept": "故事 {draft} --accept",
        "--discard": "故事 {draft} --discard",
        "--raw": "故事 {draft} --raw {answer}",
    },
    "logs": {
        "--branch": "故事 --branch main",
        "--owner": "故事 --owner 爱丽丝",
        "--search": "故事 --search 后悔",
        "--as": "故事 --as 爱丽丝",
    },
    "log": {
        "--branch": "故事 --branch main --owner 爱丽丝 --text 糟了。 --range 1-2",
        "--owner": "故事 --owner 爱丽丝 --text 糟了。 --range 1-2",
        "--text": "故事 {log} --text 不要紧。",
        "--emotions": "故事 {log} --emotions 后悔,怕",
        "--range": "故事 {log} --range 2-3",
        "--event": "故事 {log} --event {event}",
        "--scope": "故事 {log} --scope shared",
        "--condition": "故事 {log} --scope conditional --condition 爱丽丝.好感度>3",
        "--delete": "故事 {log} --delete",
    },
    "state": {
        "--as": "状态 --as 爱丽丝",
        "--branch": "状态 --branch main",
        "--at": "状态 --at 1",
        "--log": "状态 --log",
        "--set": "状态 --set 爱丽丝.好感度=3",
        "--remove": "状态 --remove 爱丽丝.心情",
    },
    "play": {
        "--branch": "故事 --branch main --turns 0",
        "--card": "--card 爱丽丝 --turns 0",
        "--scene": "--scene headpat --turns 1",
        "--language": "--scene aquarium --language en --turns 1",
        "--turns": "--scene aquarium --turns 2",
        "--player": "--card 爱丽丝 --player 甲 --turns 0",
        "--greeting": "--card 爱丽丝 --greeting 1 --turns 0",
        "--level": "--scene headpat --level EVENT --turns 1",
        "--as": "--scene headpat --as 爱丽丝 --turns 1",
    },
    "entities": {
        "--branch": "故事 --branch main",
        "--search": "故事 --search 爱",
        "--entity": "故事 --entity 旅人 --hide",
        "--rename": "故事 --entity 旅人 --rename 行者",
        "--merge": "故事 --entity 爱丽丝 --merge 爱丽丝小姐",
        "--split": "故事 --entity 铜钥匙 --split 钥匙",
        "--alias": "故事 --entity 旅人 --alias 来客",
        "--type": "故事 --entity 铜钥匙 --type concept",
        "--profile": "故事 --entity 爱丽丝 --profile 身份:",
        "--lock": "故事 --entity 爱丽丝 --lock",
        "--unlock": "故事 --entity 爱丽丝 --unlock",
        "--hide": "故事 --entity 铜钥匙 --hide",
        "--unhide": "故事 --entity 铜钥匙 --unhide",
        "--suggestions": "故事 --suggestions",
        "--find-same": "故事 --find-same",
        "--update": "故事 --update",
        "--accept": "故事 --accept {suggestion}",
        "--dismiss": "故事 --dismiss {suggestion}",
    },
    "relation": {
        "--branch": "故事 --branch main --entity 爱丽丝",
        "--entity": "故事 --entity 爱丽丝",
        "--id": "故事 --id {relation} --still-true",
        "--add": "故事 --add 爱丽丝 讨厌 旅人",
        "--reword": "故事 --id {relation} --reword 相信",
        "--end": "故事 --id {relation} --end 59",
        "--still-true": "故事 --id {relation} --still-true",
        "--as-told": "故事 --id {relation} --as-told",
        "--delete": "故事 --id {relation} --delete",
    },
    "recall": {
        "--query": "故事 --query 铜钥匙",
        "--queries": "故事 --queries {queries}",
        "--mute": "故事 --mute {item}",
        "--unmute": "故事 --unmute {item}",
        "--muted": "故事 --muted",
        "--log": "故事 --log",
        "--expand": "故事 --query 那件事后来呢 --expand",
        "--explain": "故事 --query 铜钥匙 --explain",
        "--top-k": "故事 --query 铜钥匙 --top-k 3",
        "--kinds": "故事 --query 铜钥匙 --kinds event,turn",
        "--as": "故事 --query 铜钥匙 --as 爱丽丝",
        "--branch": "故事 --query 铜钥匙 --branch 岔路",
        "--at": "故事 --query 铜钥匙 --at 20",
    },
    "inject": {
        "--query": "故事 --query 铜钥匙",
        "--unfreeze": "故事 --unfreeze",
        "--budget": "故事 --query 铜钥匙 --budget 500",
        "--expand": "故事 --query 那件事后来呢 --expand",
        "--freeze": "故事 --query 铜钥匙 --freeze 3",
        "--visible-from": "故事 --query 铜钥匙 --visible-from 50",
        "--top-k": "故事 --query 铜钥匙 --top-k 3",
        "--kinds": "故事 --query 铜钥匙 --kinds event",
        "--as": "故事 --query 铜钥匙 --as 爱丽丝",
        "--branch": "故事 --query 铜钥匙 --branch 岔路",
        "--at": "故事 --query 铜钥匙 --at 20",
    },
    "graph": {
        "--branch": "故事 --branch 岔路",
        "--format": "故事 --format graphml",
        "--as": "故事 --as 爱丽丝",
    },
    "reflect": {
        "--branch": "故事 --branch main",
        "--range": "故事 --range 0-9",
        "--plan": "故事 --plan",
    },
    "triage": {"--branch": "故事 --branch main --input 你好", "--input": "故事 --input 你好"},
    "book": {
        "--entry": "设定 --entry 0 --mode constant",
        "--mode": "设定 --mode vectorized",
        "--set": "设定 --entry 0 --set comment=改过",
        "--add": "设定 --add --set comment=新 --set content=新的。",
        "--drop": "设定 --entry 1 --drop",
        "--rename": "设定 --rename 书",
        "--every-chat": "设定 --every-chat",
        "--own-chats": "设定 --own-chats",
        "--on-in": "设定 --on-in 故事",
        "--off-in": "设定 --off-in 故事",
        "--delete": "设定 --delete",
    },
    "activate": {
        "--branch": "故事 --branch main",
        "--book": "故事 --book 设定",
        "--with-memory": "故事 --with-memory",
        "--at": "故事 --at 20",
        "--seed": "故事 --seed 7",
        "--trigger": "故事 --trigger swipe",
    },
    "characters": {
        "--export": "爱丽丝 --export {out}.png",
        "--delete": "爱丽丝 --delete",
        "--with-book": "爱丽丝 --delete --with-book",
        "--with-scripts": "爱丽丝 --delete --with-scripts",
    },
    "kept": {
        "--sync": "{kept} --sync",
        "--to": "{kept} --to {out}.json",
        "--compare": "{kept} --compare",
        "--merge": "{kept} --merge",
        "--here": "{kept} --merge --here",
        "--there": "{kept} --merge --there",
        "--take": "{kept} --take",
        "--stop": "{kept} --stop",
    },
    "lab": {
        "--branch": "故事 --branch main",
        "--list": "故事 --list",
        "--add": "故事 --add 铜钥匙在哪里 --expect {item}",
        "--edit": "故事 --edit {question} --query 钥匙呢",
        "--delete": "故事 --delete {question}",
        "--run": "故事 --run",
        "--query": "故事 --edit {question} --query 钥匙呢",
        "--expect": "故事 --edit {question} --expect {item}",
        "--at": "故事 --add 铜钥匙在哪里 --expect {item} --at 40",
        "--set": "故事 --run --set top_k=3",
        "--base": "故事 --run --base top_k=5",
    },
    "regex": {
        "--branch": "故事 --branch main --floor 3",
        "--list": "--list",
        "--add": "--add {script}",
        "--enable": "--enable {regex}",
        "--disable": "--disable {regex}",
        "--move": "--move {regex} --by 1",
        "--delete": "--delete {regex}",
        "--export": "--export {out}.json",
        "--try": "--try 一段话",
        "--floor": "故事 --floor 3",
        "--steps": "--try 一段话 --steps",
        "--only": "--export {out}.json --only {regex}",
        "--by": "--move {regex} --by 1",
        "--scope": "--add {script} --scope preset",
        "--owner": "--add {script} --scope scoped --owner 爱丽丝",
    },
    "completion": {
        "--branch": "故事 --branch 岔路 --folder {user}",
        "--instruct": "故事 --instruct 甲 --folder {user}",
        "--context": "故事 --context 乙 --folder {user}",
        "--folder": "故事 --folder {user}",
    },
    "prompt": {
        "--language": "summary --language en",
        "--set": "summary --part user --set {prompt}",
        "--reset": "summary --reset",
        "--diff": "summary --diff",
        "--preview": "summary --preview 故事",
        "--part": "summary --part system",
        "--output": "summary --output text --set {prompt}",
        "--model": "summary --model fake-chat --set {prompt}",
        "--base-url": "summary --base-url http://127.0.0.1:9/v1 --set {prompt}",
        "--range": "summary --preview 故事 --range 0-9",
        "--branch": "summary --preview 故事 --branch main",
    },
    "settings": {"--chat": "summary.interval 30 --chat 故事"},
    "doctor": {"--repair": "--repair"},
    "trash": {
        "--restore": "--restore 旧事",
        "--delete": "--delete 旧事 --yes",
        "--empty": "--empty --yes",
        "--yes": "--empty --yes",
    },
}


def verbs():
    parser = build_parser(verbs_for([]))
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


@pytest.mark.parametrize("bad", ["名" * 120, "a\0b"])
def test_a_path_that_no_file_can_have_is_refused_before_anything_else(bad):
    every = [build_parser(verbs_for([])), *verbs().values()]
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
        "llm.base_url": server.url,
        "llm.model": "fake-chat",
        "llm.parallel": 1,
    }.items():
        do("settings", key, value)
    files = write_files(folder)
    for name in ("story", "state", "gone", "book", "card", "script"):
        do("import", files[name])
    do("delete", "旧事")
    do("summarise", "故事", "--range", "0-39", "--extractor", "llm")
    do("consolidate", "故事", "--extractor", "extractive")
    do("summarise", "故事", "--range", "40-44", "--extractor", "extractive", "--no-review")
    do("fork", "故事", "--at", "50", "--as", "岔路")
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
    }


@pytest.mark.parametrize(
    ("verb", "option"), [(verb, option) for verb, runs in RUNS.items() for option in runs]
)
def test_every_option_ends_well(verb, option, made, tmp_path):
    library = shutil.copytree(made.library, tmp_path / "library")
    words = RUNS[verb][option].format(out=tmp_path / "out", **made.words).split()
    assert option in words
    code, _rows, error = engram(library, verb, *words)
    assert code == 0, error


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
