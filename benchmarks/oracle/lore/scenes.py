"""Make scenes: a chat with hidden messages, scripts, notes, a card and a worldbook. Seeded."""

from __future__ import annotations

from random import Random
from typing import Any

from benchmarks.oracle.lore.cases import FIELD_KEYS, SETTINGS
from tests.oracle.lore.staged import Scene

WORDS = ("ring", "tavern", "moon", "dragon", "key", "酒馆", "月光", "钥匙")
FIELDS = ("description", "personality", "scenario", "creator_notes", "depth_prompt")
# Keys with macros: names in every spelling, in patterns, among blanks; and what is unknown.
MACRO_KEYS = (
    *("{{user}}", "{{char}}", "<USER>", "<BOT>", "<char>", "{{User}}", " {{ user }} "),
    *("{{user}} ring", "{{char}} said", "/^.?{{user}}:/", "/{{user}}/i", "<USER>: ring"),
    *(
        "{{noop}}",
        "{{nosuch}}",
        "{{// c}}ring",
        "{{trim}}ring",
        "\\{ring\\}",
        "ring{{newline}}moon",
    ),
)
TRIGGERS = ("normal", "normal", "normal", "continue", "swipe", "impersonate")


def scenes(count: int = 80, seed: int = 5) -> list[Scene]:
    """Draw ``count`` scenes, and half that number more whose entries have macros as keys."""
    chance = Random(seed)
    plain = [_scene(chance) for _n in range(count)]
    return plain + [_with_macro_keys(_scene(chance), chance) for _n in range(count // 2)]


def _with_macro_keys(scene: Scene, chance: Random) -> Scene:
    for entry in scene["entries"].values():
        entry["key"] = [chance.choice(MACRO_KEYS)]
        if chance.random() < 0.3:
            entry |= {"keysecondary": [chance.choice(MACRO_KEYS)]}
            entry |= {"selectiveLogic": chance.randrange(4)}
    return scene


def _scene(chance: Random) -> Scene:
    is_noted = chance.random() < 0.5
    trigger = chance.choice(TRIGGERS)
    messages = _messages(chance)
    if trigger == "swipe":  # what is swiped is an answer that is seen
        messages.append({"name": "Seraphina", "is_user": False, "is_system": False})
        messages[-1] |= {"mes": chance.choice(WORDS), "extra": {}}
    return {
        "messages": messages,
        "entries": {str(n): _entry(chance, n) for n in range(12)},
        "settings": SETTINGS
        | {
            "world_info_depth": chance.choice((1, 2, 3, 6)),
            "world_info_include_names": chance.random() < 0.5,
            "world_info_recursive": chance.random() < 0.3,
        },
        "metadata": {
            "note_prompt": _text(chance, 1) if is_noted else "",
            "note_interval": chance.choice((1, 1, 2, 3, 0)),
            "note_position": 1,
            "note_depth": 4,
            "note_role": 0,
            **({"scenario": _text(chance, 2)} if chance.random() < 0.2 else {}),
        },
        "scan_notes": chance.random() < 0.6,
        "character_note": (
            {"prompt": _text(chance, 1), "useChara": True, "position": chance.randrange(3)}
            if chance.random() < 0.25
            else None
        ),
        "scan_summary": chance.random() < 0.5,
        # of a chat of one message a summary is kept nowhere
        "summary": f"  {_text(chance, 1)} " if chance.random() < 0.3 and messages[1:] else "",
        "persona": {"text": _text(chance, 1), "position": chance.choice((0, 0, 2, 4, 9))},
        "card": {name: _text(chance, 1) for name in FIELDS},
        "injects": [
            {
                "id": f"i{n}",
                "scan": chance.random() < 0.6,
                "position": chance.choice(("chat", "before", "none")),
                "text": f"{chance.choice(WORDS)} of {{{{user}}}}",
            }
            for n in range(chance.choice((0, 0, 1, 2)))
        ],
        "scripts": [_script(chance, n) for n in range(chance.choice((0, 1, 2, 3)))],
        "trigger": trigger,
    }


def _text(chance: Random, words: int) -> str:
    parts = [chance.choice(WORDS) for _n in range(words)]
    return " ".join([*parts, chance.choice(("", "", "{{char}}", "{{user}}"))])


def _messages(chance: Random) -> list[dict[str, Any]]:
    """A chat that begins with a greeting and ends with either's message."""
    rows: list[dict[str, Any]] = []
    for n in range(chance.choice((1, 2, 3, 5, 8, 12))):
        is_user = chance.random() < 0.5 if n else False
        mes = " ".join(chance.choice((*WORDS, "and", "said")) for _k in range(2))
        rows.append(
            {
                "name": "Anna" if is_user else "Seraphina",
                "is_user": is_user,
                "is_system": n > 0 and chance.random() < 0.25,
                "mes": f"{mes} {{{{char}}}}" if n == 0 else mes,
                "extra": {},
            }
        )
    return rows


def _entry(chance: Random, uid: int) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "uid": uid,
        "key": [chance.choice((*WORDS, *WORDS, "/^.?Anna:/", "/ring (and|moon)/", "Seraphina"))],
        "content": f"Lore {uid} {chance.choice((*WORDS, ''))}",
        "order": chance.choice((100, 50)),
        "position": chance.choice((0, 1, 4)),
        "depth": chance.randrange(3),
        "role": 0,
        "selective": True,
    }
    if chance.random() < 0.2:
        entry["scanDepth"] = chance.choice((1, 4, 8))
    if chance.random() < 0.3:
        entry["delay"] = chance.choice((1, 2, 3, 6, 9))
    if chance.random() < 0.3:
        entry[chance.choice(sorted(FIELD_KEYS))] = True
    return entry


def _script(chance: Random, number: int) -> dict[str, Any]:
    """A script as a file has it; most are for prompts."""
    return {
        "id": str(number),
        "scriptName": f"script {number}",
        "findRegex": f"/{chance.choice(WORDS)}/g",
        "replaceString": chance.choice((*WORDS, "", "{{match}} {{match}}", "{{user}}")),
        "trimStrings": [],
        "placement": chance.choice(([1], [2], [1, 2], [1, 2, 5], [5])),
        "disabled": chance.random() < 0.1,
        "markdownOnly": chance.random() < 0.2,
        "promptOnly": chance.random() < 0.7,
        "runOnEdit": False,
        "substituteRegex": 0,
        "minDepth": chance.choice((None, None, None, 0, 1, 2, -1)),
        "maxDepth": chance.choice((None, None, None, 0, 1, 3)),
    }
