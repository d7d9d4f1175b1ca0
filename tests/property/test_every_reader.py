"""Every reader, and the budget of a prompt."""

from __future__ import annotations

import contextlib
import itertools
import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engram_desktop.domain.errors import InputError
from engram_desktop.domain.inject import WEAK, QuotedLines, QuotedMessage, select, words_of
from engram_desktop.domain.memory.event import is_visible, story_key
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.recall.query import RecallQuery
from engram_desktop.domain.text.tokens import estimate_tokens, token_weight
from engram_desktop.domain.values import dataclass
from engram_desktop.domain.worldbooks.worldbook import Entry
from engram_desktop.formats import chat_files, foreign_memories
from engram_desktop.formats.cards import (
    as_charx,
    card_of,
    glance,
    is_picture,
    picture_of,
    stored_form,
    with_worldbook,
)
from engram_desktop.formats.chat_files import sniff
from engram_desktop.formats.chats.chat_snapshot import take
from engram_desktop.formats.javascript import ejs
from engram_desktop.formats.json_values import read_value
from engram_desktop.formats.tavern.folder import list_folder
from engram_desktop.formats.tavern.settings import read_file as read_script_file
from engram_desktop.formats.tavern.texts import prompts_in
from engram_desktop.formats.world_info import added, edited, parse_worldbook, without, worldbook_of
from engram_desktop.jobs.context import NullContext
from engram_desktop.services.memory import Memory
from engram_desktop.services.tavern.survey import scripts_in
from tests.bundled_story import STORY
from tests.cards import V1, V2, V3, charx, itxt, png, text, ztxt
from tests.factories import make_event

# Every reader of files, held against damaged ones: it reads, or says in words why not.
#
# Small valid files are changed: bytes flipped, cut, doubled; values of another type, too deep,
# too large, in another encoding. Nothing but a known error may come out.

WORLDBOOK = {
    "name": "书",
    "entries": {
        "0": {
            "uid": 0,
            "key": ["酒馆", "/a.b/i"],
            "content": "@@activate\n正文",
            "position": 4,
            "role": 1,
            "characterFilter": {"isExclude": False, "names": ["a"], "tags": ["t"]},
            "triggers": ["swipe"],
            "delayUntilRecursion": True,
            "extensions": {"x": [1]},
        },
        "1": {"uid": 1, "stmemorybooks": True, "content": "# a\nb", "STMB_start": 1},
    },
}
FOREIGN_WORLDBOOKS = (
    {"type": "risu", "ver": 1, "data": [{"key": "a, b", "secondkey": "c", "insertorder": 9}]},
    {"lorebookVersion": 5, "entries": [{"keys": ["a"], "text": "t", "contextConfig": {}}]},
    {"kind": "memory", "entries": [{"keywords": ["k"], "entry": "e", "weight": 5}]},
    {
        "spec": "lorebook_v3",
        "data": {"entries": [{"keys": ["a"], "content": "x", "extensions": {"depth": 2}}]},
    },
)
SCRIPT = {
    "scriptName": "n",
    "findRegex": "/a(?<x>b)/gi",
    "replaceString": "$1",
    "trimStrings": ["x"],
    "placement": [1, 2],
    "minDepth": None,
    "maxDepth": 4,
}
SETTINGS = {
    "tags": [{"id": "a", "name": "n"}],
    "tag_map": {"A.png": ["a"]},
    "main_api": "openai",
    "oai_settings": {"preset_settings_openai": "P", "openai_max_context": 8000},
    "world_info_settings": {
        "world_info": {"globalSelect": ["书"], "charLore": [{"name": "A", "extraBooks": ["b"]}]},
        "world_info_depth": 4,
        "world_info_character_strategy": 1,
    },
    "extension_settings": {
        "variables": {"global": {"x": 1, "y": {"z": [1]}}},
        "regex": [SCRIPT],
        "preset_allowed_regex": {"openai": ["P"]},
    },
    "power_user": {
        "personas": {"me.png": "旅人"},
        "persona_descriptions": {
            "me.png": {"description": "d", "connections": [{"type": "character", "id": "A.png"}]}
        },
    },
}
GROUP = {"id": "1", "name": "g", "members": ["A.png"], "chats": ["1"], "past_metadata": {"1": {}}}
PRESET = {
    "prompts": [{"identifier": "main", "injection_position": 1, "injection_depth": 2}],
    "prompt_order": [{"character_id": 100001, "order": [{"identifier": "main"}]}],
    "extensions": {"regex_scripts": [SCRIPT]},
}
METADATA = {
    "main_chat": "x",
    "variables": {"a": 1},
    "openvault": {
        "memories": [{"summary": "s", "message_ids": [1, 2], "characters_involved": ["a"]}],
        "graph": {"nodes": {"a": {"name": "a"}}, "edges": {"e": {"source": "a", "target": "a"}}},
    },
    "timeline": [{"startMsgId": 0, "endMsgId": 2, "summary": "c"}],
    "sheets": [{"uid": "s1", "name": "表", "cellHistory": [{"uid": "c1", "data": {"value": "v"}}]}],
}
SAID = {
    "name": "爱丽丝",
    "is_user": False,
    "send_date": "2026-11-21T20:30:05.123Z",
    "mes": "你好<initvar>a: 1</initvar>",
    "swipes": ["你好", "b"],
    "swipe_id": 0,
    "extra": {"qvink_memory": {"memory": "m"}, "memory": "sum", "type": "narrator"},
    "variables": [{"stat_data": {"理": {"好感": [1, "x"], "l": [1, [2]]}}}],
    "horae_meta": {"timestamp": {"story_date": "d"}, "events": [{"summary": "e"}, "f"]},
    "TavernDB_ACU_Data": {"t": {"s": {"name": "表", "content": [["", "列"], ["1", "v"]]}}},
    "hash_sheets": {"s1": [["c1", "c1"], ["c1", "c1"]]},
    "dataTable": [{"tableName": "t", "columns": ["a"], "content": [["x"]]}],
}
CHAT = [{"chat_metadata": METADATA, "user_name": "unused"}, SAID, {"is_user": True, "mes": "嗯"}]
FOREIGN_CHATS = (
    {"savedsettings": {"chatname": "A"}, "actions": ["{{[INPUT]}}hi{{[OUTPUT]}}yo"], "prompt": "p"},
    {"histories": {"histories": [{"msgs": [{"src": {"is_human": True}, "text": "t"}]}]}},
    {"data_visible": [["u", "b"], ["x", "y"]]},
    {"messages": [{"msg": "x", "userId": "u"}, {"msg": "y", "characterId": "c"}]},
    {
        "type": "risuChat",
        "data": {
            "message": [{"role": "user", "data": "x", "chatId": "1"}],
            "hypaV3Data": {"summaries": [{"text": "t", "chatMemos": ["1"]}]},
            "supaMemoryData": "1 x",
        },
    },
)
SYNC = {
    "entities": [{"name": "a", "type": "Character"}],
    "events": [{"summary": "s", "source_range": {"start_index": 0, "end_index": 2}}],
    "meta": {"last_summarized_floor": 3},
}


# --- readers ---


def read_worldbook(data: bytes, _folder: Path) -> None:
    found = worldbook_of(data, "f.json")
    entries = parse_worldbook(found.content, "f.json").worldbook.entries
    edited(found.content, [(entry, replace(entry, order=7)) for entry in entries])
    more, _made = added(found.content, Entry(0, keys=("k",)))
    without(more, entries[:1])


def read_card(data: bytes, _folder: Path) -> None:
    found = card_of(data, "f")
    picture_of(data, found.card, "f")
    as_charx(data, found.card, "f")
    if found.worldbook is not None:
        more, _made = added(stored_form(found.worldbook, "f").content, Entry(0, keys=("k",)))
        with_worldbook(found.card, more, "f")


def read_picture(data: bytes, folder: Path) -> None:
    if is_picture(data):
        glance(written(folder / "A.png", data))
    read_card(data, folder)


def read_scripts(data: bytes, folder: Path) -> None:
    read_script_file(written(folder / "s.json", data))


def read_chat(data: bytes, folder: Path) -> None:
    path = written(folder / "c.jsonl", data)
    with contextlib.suppress(InputError):
        for message in chat_files.read_chat(path).messages():
            read_notes(message.raw)
    snapshot = take(path)
    told = snapshot.messages()
    mark = snapshot.mark(told)
    if mark is not None and snapshot.holds(mark):
        snapshot.messages_after(mark)


def read_notes(raw: str) -> None:
    row, _end = read_value(raw)
    foreign_memories.qvink_of_message(row, 0)
    foreign_memories.summarize_of_message(row, 0)
    foreign_memories.acu_in(row, 0)
    list(foreign_memories.horae_of_message(row, 0))
    list(foreign_memories.mvu_memories_of(foreign_memories.mvu_state_in(row), 0))
    foreign_memories.enhancement_in(row, METADATA, 0)


def read_metadata(data: bytes, _folder: Path) -> None:
    with contextlib.suppress(ValueError, RecursionError):
        value, _end = read_value(data.decode("utf-8", "replace"))
        metadata = value if isinstance(value, dict) else {}
        list(foreign_memories.openvault_of_metadata(metadata, 3))
        list(foreign_memories.timeline_of_metadata(metadata))
        foreign_memories.enhancement_in(SAID, metadata, 0)


def read_foreign(data: bytes, folder: Path) -> None:
    path = written(folder / "c.json", data)
    sniff(path)
    for chat in chat_files.read_foreign_chats(path):
        list(chat.messages())


def read_memories(data: bytes, folder: Path) -> None:
    foreign_memories.read_file(written(folder / "m.json", data))


def read_folder(data: bytes, folder: Path) -> None:
    """The same bytes wherever a folder of SillyTavern's may hold any."""
    for place in ("groups/1.json", "worlds/b.json", "characters/A.png", "settings.json"):
        written(folder / place, data)
    written(folder / "chats" / "A" / "a.jsonl", data)
    written(folder / "group chats" / "1.jsonl", jsonl(CHAT[1:]))
    list_folder(folder)
    preset = written(folder / "OpenAI Settings" / "p.json", data)
    with contextlib.suppress(InputError):
        scripts_in(preset)
    prompts_in(preset)


def read_template(data: bytes, _folder: Path) -> None:
    told = data.decode("utf-8", "replace")
    ejs.without_programs(told)
    ejs.names_in(told)
    list(
        foreign_memories.mvu_memories_of(
            foreign_memories.mvu_initial_in(told) or foreign_memories.mvu_initial_of(told), 0
        )
    )


def written(path: Path, data: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


# --- damage ---


def packed(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")


def jsonl(rows: list[Any]) -> bytes:
    return b"\n".join(map(packed, rows))


ODD: st.SearchStrategy[Any] = st.sampled_from(
    (None, True, 0, -1, 3.5, 1e308, 10**30, "", "x", "\x00", "\ud800", "9" * 30, "/" * 20)
) | st.sampled_from(
    ([], {}, [[]], [None], {"": None}, {"a": {"b": []}}, "null", "__proto__", ["a"] * 50)
)
# What no Python value is written as.
RAW = st.sampled_from(
    [b"NaN", b"-Infinity", b"1e999", b"-", b"1" * 400, b"1" * 5_000, b'"\\ud83d"', b'"\\u0000"']
    + [b"[" * n + b"]" * n for n in (300, 480, 700, 3_000)]
    + [b'{"a":' * n + b"1" + b"}" * n for n in (250, 480, 900, 3_000)]
    + [b'"\xed\xa0\x80"', b'"\xff"', b"tru", b'{"a":1,"a":2}', b"[1,]", b"'a'"]
)
_MARK = "@@raw@@"


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner: Any = ()
    if isinstance(value, dict | list):
        inner = value.items() if isinstance(value, dict) else enumerate(value)
    return [path, *(found for key, part in inner for found in places(part, (*path, key)))]


def with_value(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    if not path:
        return new
    made = dict(value) if isinstance(value, dict) else list(value)
    made[path[0]] = with_value(value[path[0]], path[1:], new)
    return made


@st.composite
def other_values(draw: st.DrawFn, value: Any) -> bytes:
    for _ in range(draw(st.integers(1, 3))):
        new = draw(ODD | st.just(_MARK))
        value = with_value(value, draw(st.sampled_from(places(value))), new)
    data = jsonl(value) if isinstance(value, list) else packed(value)
    return data.replace(f'"{_MARK}"'.encode(), draw(RAW))


@st.composite
def other_bytes(draw: st.DrawFn, data: bytes) -> bytes:
    for _ in range(draw(st.integers(1, 3))):
        a, b = sorted(draw(st.tuples(*[st.integers(0, len(data))] * 2)))
        new = draw(st.binary(max_size=4) | RAW | st.sampled_from([b"", b"\x00" * 100, data[a:b]]))
        head = draw(st.sampled_from([b"", b"", b"\xef\xbb\xbf", b"\xff\xfe", b"PK\x03\x04", b"\0"]))
        data = draw(st.sampled_from([data[:a] + new + data[b:], data[:a], head + data]))
    encoding = draw(st.sampled_from(["", "", "utf-16", "utf-16-be", "gb18030", "utf-32"]))
    if encoding:
        with contextlib.suppress(UnicodeError):
            data = data.decode("utf-8").encode(encoding)
    return data


def damaged(*seeds: Any) -> st.SearchStrategy[bytes]:
    """Damage of one of these; seeds of JSON get other values as well as other bytes."""
    ways = []
    for seed in seeds:
        data = seed if isinstance(seed, bytes) else jsonl(seed) if seed is CHAT else packed(seed)
        ways += [other_bytes(data)]
        ways += [] if isinstance(seed, bytes) else [other_values(seed)]
    return st.one_of(ways)


PICTURES = (
    png(text(b"chara", V2), text(b"ccv3", V3)),
    png(ztxt(b"chara", V2)),
    png(itxt(b"chara", V2, 1)),
)
READERS: dict[str, tuple[Callable[[bytes, Path], None], st.SearchStrategy[bytes]]] = {
    "books": (read_worldbook, damaged(WORLDBOOK, *FOREIGN_WORLDBOOKS)),
    "cards": (read_card, damaged(V1, V2, V3, charx(card_json=json.dumps(V2), assets__x="1"))),
    "pictures": (read_picture, damaged(*PICTURES)),
    "scripts": (read_scripts, damaged(SCRIPT, [SCRIPT])),
    "chats": (read_chat, damaged(CHAT)),
    "metadata": (read_metadata, damaged(METADATA)),
    "foreign chats": (read_foreign, damaged(*FOREIGN_CHATS)),
    "memories": (read_memories, damaged(SYNC, FOREIGN_CHATS[-1], WORLDBOOK)),
    "folders": (read_folder, damaged(SETTINGS, GROUP, PRESET, WORLDBOOK, V2)),
    "templates": (read_template, damaged(b"a <%= 1 %> <%_ x _%>\n<%% <initvar>a: [1]</initvar>")),
}


@pytest.mark.parametrize("name", READERS)
@settings(
    deadline=None,
    max_examples=40,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(data=st.data())
def test_a_damaged_file_is_read_or_refused_in_words(name, data, tmp_path):
    read, strategy = READERS[name]
    refused = None
    try:
        read(data.draw(strategy), tmp_path)
    except InputError as error:
        refused = str(error)
    if refused is not None:
        assert refused.strip()
        assert len(refused.encode("utf-8")) < 2_000


@pytest.mark.parametrize("name", READERS)
def test_what_is_not_damaged_is_read(name, tmp_path):
    seeds: dict[str, Sequence[Any]] = {
        "books": [WORLDBOOK, *FOREIGN_WORLDBOOKS],
        "cards": [V1, V2, V3],
        "pictures": PICTURES,
        "scripts": [SCRIPT],
        "chats": [jsonl(CHAT)],
        "metadata": [METADATA],
        "foreign chats": FOREIGN_CHATS,
        "memories": [SYNC, WORLDBOOK],
        "folders": [SETTINGS],
        "templates": [b"a <%= 1 %>"],
    }
    for seed in seeds[name]:
        READERS[name][0](seed if isinstance(seed, bytes) else packed(seed), tmp_path)


MANY = 20_000


@pytest.mark.parametrize(
    ("read", "data"),
    [
        (read_template, b"<% " * MANY),
        (read_template, b"<%%" * MANY + b"%>"),
        (read_template, b"<initvar>" * MANY),
        (read_template, b'{"a": ' + b"[" * MANY),
        (read_template, b"<initvar>{a: " + b"[" * MANY + b"</initvar>"),
        (read_chat, b'{"mes":"x"}' * MANY),
        (read_chat, b'{"mes\n' * MANY),
        (read_card, b"PK\x03\x04" * MANY),
        (read_worldbook, b'{"entries":{' + b",".join([b'"1":{"key":["a"]}'] * MANY) + b"}}"),
        (read_folder, b'{"extension_settings":{"regex":' + b"[" * MANY),
    ],
    ids=lambda value: "" if callable(value) else value[:12].decode(),
)
def test_what_repeats_without_end_is_read_in_one_pass(read, data, tmp_path):
    """Some of these took minutes when each beginning was looked for an end of its own."""
    with contextlib.suppress(InputError):
        read(data, tmp_path)


DEEP = '{"a":' * 480 + "1" + "}" * 480
CHARX = charx(card_json=json.dumps(V2))


@pytest.mark.parametrize(
    ("read", "data"),
    [
        # found by the tests above when they ran for long
        (read_card, CHARX[:40] + CHARX[139:]),
        (read_card, packed(V2).replace(b'"mine": 1e-07', f'"mine": {DEEP}'.encode())),
        (read_card, png(text(b"chara", V2 | {"x": json.loads(DEEP)}))),
        (
            read_worldbook,
            packed(FOREIGN_WORLDBOOKS[3]).replace(b'"depth": 2', f'"depth": {DEEP}'.encode()),
        ),
        (read_folder, packed(SETTINGS).replace(b"8000", b"1" * 400)),
        (read_folder, packed(PRESET | {"n": "@"}).replace(b'"@"', b"1" * 400)),
        (read_chat, jsonl([SAID | {"hash_sheets": {"s1": [[["c1"], {}], [[], ["c1"]]]}}])),
    ],
)
def test_faults_that_were_found_are_mended(read, data, tmp_path):
    with contextlib.suppress(InputError):
        read(data, tmp_path)


# A prompt never exceeds its budget, and its lines cost what was reckoned.

CTX = NullContext()
QUESTIONS = ("铜钥匙在谁手里？", "爱丽丝最怕什么", "第三天发生了什么", "酒馆", "谁在说谎？", "凯尔")


@dataclass(frozen=True)
class Priced:
    """The least that can be chosen."""

    worth: float
    cost: float


offers = st.lists(st.builds(Priced, st.floats(-12, 12), st.floats(1, 300)), max_size=40)


@given(offers, st.floats(0, 2000))
def test_a_choice_never_exceeds_its_room_and_leaves_out_only_what_does_not_fit(found, room):
    chosen = select(found, room, lambda o, left: o.cost if o.cost <= left else -1)
    used = sum(o.cost for o in chosen.taken)
    assert used <= room
    assert all(o.worth < WEAK for o in chosen.weak)
    left = room - used
    assert all(o.cost > left or left <= 6 for o in chosen.passed)
    assert len(found) == len(chosen.taken) + len(chosen.passed) + len(chosen.weak)


@given(st.lists(st.integers(-8, 12), max_size=12), st.floats(50, 500))
def test_of_two_that_cost_the_same_the_worthier_is_taken_first(worths, room):
    found = [Priced(worth, 50.0) for worth in worths]
    chosen = select(found, room, lambda o, left: o.cost if o.cost <= left else -1)
    least = min((o.worth for o in chosen.taken), default=0.0)
    assert all(o.worth <= least for o in chosen.passed)


quotes = st.lists(
    st.builds(
        QuotedMessage,
        st.integers(0, 60),
        st.sampled_from(("爱丽丝", "旅人", "")),
        st.text(alphabet="天地人好。a ", min_size=1, max_size=30),
        st.sampled_from(("3月5日", "3月6日")),
    ),
    max_size=25,
    unique_by=lambda quote: quote.floor,
)


@given(quotes)
def test_quoted_lines_hold_every_quote_once_in_order_and_cost_what_was_said(chosen):
    lines = QuotedLines(5.0)
    cost = 0.0
    for quote in chosen:
        cost += lines.cost_of(quote)
        lines.add(quote)
    made = list(lines.lines())
    floors = [quote.floor for line in made for quote in line]
    assert floors == sorted(quote.floor for quote in chosen)
    for line in made:
        assert len({quote.when for quote in line}) == 1
        for before, quote in itertools.pairwise(line):
            assert quote.floor - before.floor <= 4
    said = sum(token_weight(words_of(line)) + 5 for line in made)
    # a day is said once above all lines of it that follow one another
    said += sum(token_weight(day) for day, _ in itertools.groupby(line[0].when for line in made))
    # a mark between two quotes is taken for one token, and a nameless speaker for a colon
    assert cost == pytest.approx(said, abs=2.5 * len(chosen) + 1)


@pytest.fixture(scope="module")
def story(tmp_path_factory):
    memory = Memory.open(tmp_path_factory.mktemp("budget"), environ={})
    memory.settings.set("keys.storage", "session")
    chat = memory.imports.import_file(CTX, STORY / "月光酒馆.jsonl").chat_id or ""
    memory.pipeline.summarise(CTX, Line.main(chat), None, "extractive")
    memory.pipeline.consolidate(CTX, Line.main(chat))
    memory.index.embed_pending(CTX, chat)
    yield memory, chat
    memory.close()


@given(budget=st.integers(1, 9000), question=st.sampled_from(QUESTIONS), at=st.integers(0, 158))
def test_an_injection_never_exceeds_its_budget_nor_tells_what_comes_later(
    story, budget, question, at
):
    memory, chat = story
    made = memory.inject.compose(CTX, chat, RecallQuery(question, at=at), budget, logged=False)
    assert estimate_tokens(made.text) == made.tokens <= budget
    assert all(hit.item.end_index <= at for hit in made.hits)
    ids = [hit.item.id for hit in made.hits]
    assert len(ids) == len(set(ids))
    assert not set(ids).intersection(item_id for item_id, _why in made.dropped)


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5), st.integers(0, 5)), max_size=20))
def test_story_order_is_total_and_stable(rows):
    events = [
        make_event("x", start, start + length, timestamp=at, id=f"{n:03}")
        for n, (start, length, at) in enumerate(rows)
    ]
    ordered = sorted(events, key=story_key)
    assert ordered == sorted([*events[1:], *events[:1]], key=story_key)
    for one, other in itertools.pairwise(ordered):
        assert one.source_range <= other.source_range
        if one.source_range == other.source_range:
            assert one.timestamp <= other.timestamp


@given(st.booleans(), st.integers(0, 3))
def test_visibility_is_the_notes_rule(is_archived, level):
    event = make_event(
        is_archived=is_archived, status="archived" if is_archived else "buffer", level=level
    )
    assert is_visible(event) == (level >= 1 or not is_archived)
