"""What SillyTavern's `settings.json` says of worldbooks, scripts, personas, tags and variables.

The file also holds passwords of proxies: fields not named here are never read or kept.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from engram_desktop.domain.errors import InputError, Unreadable
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.domain.tavern.folder import (
    SUMMARY,
    CharacterNote,
    NotePlace,
    Stamp,
    TavernPersona,
    TavernSettings,
    TavernWorldbooks,
)
from engram_desktop.domain.text.regex_script import RegexScript, StoredScript
from engram_desktop.formats.json_text import fault_in, find_value, replaced
from engram_desktop.formats.json_values import read_value, storable, table_of, text_of, texts_of
from engram_desktop.formats.plain_file import read_json_text, read_plain

# Regex scripts in SillyTavern's form: one in a file, or a list. They are read tolerantly and kept
# to the byte, with all unknown fields. Nothing is run here.


_T = QT_TRANSLATE_NOOP

MAX_BYTES = 16_000_000  # bounds the memory of reading it whole
_BLANK = re.compile(r"[\s,\ufeff]*")
_DECODER = json.JSONDecoder(strict=False)


class NoScript(InputError):
    """``file`` holds no script; ``detail`` is why."""

    text = QT_TRANSLATE_NOOP("errors", "{file} holds no regex script: {detail}.")
    hint = QT_TRANSLATE_NOOP("errors", "Choose a file exported from SillyTavern's Regex extension.")


def read_file(path: Path) -> list[RegexScript]:
    """Read a file of scripts. Raises InputError."""
    try:
        if path.stat().st_size > MAX_BYTES:
            raise NoScript(Phrase(_T("reports", "it is too large")), file=path.name)
        text = read_plain(path, MAX_BYTES).decode("utf-8")
    except UnicodeDecodeError:
        raise NoScript(Phrase(_T("reports", "it is not UTF-8")), file=path.name) from None
    except OSError as e:
        raise Unreadable(e.strerror or str(e), path=path) from e
    return read_scripts(text, path.name)


def read_scripts(text: str, file: str) -> list[RegexScript]:
    """Read one script or a list of them. Raises NoScript."""
    try:
        scripts = [_script(value, raw, file) for value, raw in _documents(text)]
    except json.JSONDecodeError as e:
        raise NoScript(fault_in(e), file=file) from None
    except (ValueError, RecursionError):
        raise NoScript(Phrase(_T("reports", "it is not JSON")), file=file) from None
    if not scripts:
        raise NoScript(Phrase(_T("reports", "the list is empty")), file=file)
    return scripts


def usable_scripts(text: str, file: str) -> list[RegexScript]:
    """Read the list of scripts in another document; invalid ones are left out."""
    scripts: list[RegexScript] = []
    try:
        for value, raw in _documents(text):
            with contextlib.suppress(NoScript):
                scripts.append(_script(value, raw, file))
    except (ValueError, RecursionError):  # only this list of the document is invalid
        return scripts
    return scripts


def id_of(script: RegexScript) -> str:
    """Return SillyTavern's id of a script, which stays when the script is edited."""
    try:
        value, _end = _DECODER.raw_decode(script.raw.lstrip("\ufeff \r\n\t"))
    except (ValueError, RecursionError):
        return ""
    script_id = value.get("id") if isinstance(value, dict) else None
    return script_id if isinstance(script_id, str) else ""


def write_scripts(scripts: Iterable[StoredScript]) -> str:
    """Return the text of a file: a single script to the byte, several as a list."""
    raws = [_raw(stored) for stored in scripts]
    if len(raws) == 1:
        return raws[0]
    lines = [raw.strip("\ufeff \r\n\t").replace("\n", "\n    ") for raw in raws]
    return "[\n    " + ",\n    ".join(lines) + "\n]"


def _raw(stored: StoredScript) -> str:
    """Return the JSON of a script, in which only its being on or off may have changed."""
    raw = stored.script.raw
    if stored.script.disabled is not stored.is_enabled:
        return raw
    return replaced(raw, [(("disabled",), not stored.is_enabled)])


def _documents(text: str) -> Iterator[tuple[Any, str]]:
    """Yield each script with its own text; that of a single one is the whole file."""
    start = _skip(text, 0)
    if text[start : start + 1] != "[":
        value, end = _DECODER.raw_decode(text, start)
        if text[end:].strip("\x00 \r\n\t"):
            raise ValueError
        yield value, text
        return
    at = _skip(text, start + 1)
    while text[at : at + 1] != "]":
        value, end = _DECODER.raw_decode(text, at)
        yield value, _outdent(text[at:end])
        at = _skip(text, end)


def _outdent(raw: str) -> str:
    """Remove the indentation that an element has in a list."""
    lines = raw.split("\n")
    margin = lines[-1][: len(lines[-1]) - len(lines[-1].lstrip(" \t"))]
    if not margin or not all(line.startswith(margin) for line in lines[1:]):
        return raw
    return "\n".join([lines[0], *(line[len(margin) :] for line in lines[1:])])


def _skip(text: str, at: int) -> int:
    match = _BLANK.match(text, at)
    return match.end() if match else at


def _script(value: Any, raw: str, file: str) -> RegexScript:
    if not isinstance(value, dict) or not str(value.get("scriptName") or "").strip():
        raise NoScript(Phrase(_T("reports", "a script has no name")), file=file)
    return RegexScript(
        name=str(value["scriptName"]).strip().encode("utf-8", "replace").decode("utf-8"),
        find=_text(value, "findRegex"),
        replace=_text(value, "replaceString"),
        trims=tuple(str(t) for t in _list_of(value, "trimStrings")),
        placements=frozenset(p for p in _list_of(value, "placement") if isinstance(p, int)),
        disabled=bool(value.get("disabled")),
        markdown_only=bool(value.get("markdownOnly")),
        prompt_only=bool(value.get("promptOnly")),
        run_on_edit=bool(value.get("runOnEdit")),
        substitute=_number(value, "substituteRegex") or 0,
        min_depth=_number(value, "minDepth"),
        max_depth=_number(value, "maxDepth"),
        raw=raw,
    )


def _text(value: dict[str, Any], key: str) -> str:
    text = value.get(key)
    return text if isinstance(text, str) else ""


def _list_of(value: dict[str, Any], key: str) -> list[Any]:
    items = value.get(key)
    return items if isinstance(items, list) else []


def _number(value: dict[str, Any], key: str) -> int | None:
    number = value.get(key)
    if isinstance(number, str) and number.strip().lstrip("-").isdigit() and len(number) < 10:
        return int(number)
    is_number = isinstance(number, int | float) and abs(number) < 1e9
    return int(number) if is_number else None  # type: ignore[arg-type]  # checked just above


NAME = "settings.json"
# Bytes: bounds the memory of reading it whole; it holds tags, personas and variables.
MAX_SIZE = 64_000_000
MAX_ITEMS = 20_000  # tags, their owners, variables
MAX_VALUE = 100_000  # characters of a variable
_CHAT_COMPLETION = "openai"
_SCAN = {
    "world_info_depth": "lore.depth",
    "world_info_budget": "lore.budget",
    "world_info_budget_cap": "lore.cap",
    "world_info_recursive": "lore.recursive",
    "world_info_max_recursion_steps": "lore.max_steps",
    "world_info_min_activations": "lore.min_activations",
    "world_info_min_activations_depth_max": "lore.max_depth",
    "world_info_include_names": "lore.include_names",
    "world_info_case_sensitive": "lore.case_sensitive",
    "world_info_match_whole_words": "lore.whole_words",
    "world_info_use_group_scoring": "lore.group_scoring",
}
_MEANING = {"max_entries": "lore.meaning_entries", "query": "lore.meaning_messages"}
_AT_DEPTH = 4  # where a persona's description is placed among the messages
_STRATEGIES = ("evenly", "character", "global")
_LINK = _T("reports", "a link; it was not followed")
_TOO_LARGE = _T("reports", "the file is too large; left out")
_NOT_JSON = _T("reports", "not readable as JSON; left out")
_UNREADABLE = _T("reports", "cannot be read: {why}")


def settings_stamp(handle: Path) -> Stamp | None:
    """Return size and time of change of a user's settings; None if there are none."""
    try:
        status = (handle / NAME).lstat()
    except OSError:
        return None
    return status.st_size, status.st_mtime_ns


def read_settings(handle: Path) -> TavernSettings:
    """Read the settings of one user; errors are in ``faults``."""
    path = handle / NAME
    if path.is_symlink():
        return TavernSettings(faults=(Phrase(_LINK),))
    try:
        if path.stat().st_size > MAX_SIZE:
            return TavernSettings(faults=(Phrase(_TOO_LARGE),))
        text = read_json_text(path, MAX_SIZE)
    except FileNotFoundError:
        return TavernSettings()
    except OSError as e:
        return TavernSettings(faults=(Phrase(_UNREADABLE, why=str(e.strerror or e)),))
    try:
        value, _end = read_value(text)
    except (ValueError, RecursionError):
        return TavernSettings(faults=(Phrase(_NOT_JSON),))
    return _settings(table_of(value), text)


def _settings(value: dict[str, Any], text: str) -> TavernSettings:
    extensions = table_of(value.get("extension_settings"))
    worlds = _world_info(value)
    return TavernSettings(
        scripts=tuple(_scripts(text, extensions)),
        personas=tuple(_personas(table_of(value.get("power_user")))),
        extra_books=dict(_extra_books(worlds.get("charLore"))),
        allowed_cards=frozenset(_list(extensions.get("character_allowed_regex"))),
        allowed_presets=frozenset(
            (api, name)
            for api, names in table_of(extensions.get("preset_allowed_regex")).items()
            for name in _list(names)
        ),
        preset=text_of(table_of(value.get("oai_settings")).get("preset_settings_openai")),
        tags=dict(itertools.islice(_tags(value.get("tags")), MAX_ITEMS)),
        tagged=dict(itertools.islice(_tags_by_owner(table_of(value.get("tag_map"))), MAX_ITEMS)),
        variables=dict(itertools.islice(_variables(extensions.get("variables")), MAX_ITEMS)),
        scan=dict(_scan(value)) | dict(_scan_beside(extensions)),
        lore=_lore(extensions, worlds),
    )


def _scan(value: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield how worldbooks are scanned, as our settings; before 2023-11 one level higher.

    The caller checks ranges.
    """
    rules = value | table_of(value.get("world_info_settings"))
    for name, ours in _SCAN.items():
        if isinstance(rules.get(name), bool | int):
            is_old = name == "world_info_budget" and rules[name] > 100  # once counted in tokens
            yield ours, 25 if is_old else rules[name]
    strategy = rules.get("world_info_character_strategy")
    if isinstance(strategy, int) and 0 <= strategy < len(_STRATEGIES):
        yield "lore.strategy", _STRATEGIES[strategy]
    chat = table_of(value.get("oai_settings"))
    is_chat = value.get("main_api") == _CHAT_COMPLETION
    context = chat.get("openai_max_context") if is_chat else value.get("max_context")
    reply = chat.get("openai_max_tokens") if is_chat else value.get("amount_gen")
    if isinstance(context, int):
        yield "lore.context", context - (reply if isinstance(reply, int) else 0)


def _scan_beside(extensions: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the scan settings of extensions; an extension that is off has no effect."""
    vectors = table_of(extensions.get("vectors"))
    is_off = "vectors" in _list(extensions.get("disabledExtensions"))
    yield "lore.meaning", vectors.get("enabled_world_info") is True and not is_off
    yield "lore.meaning_all", vectors.get("enabled_for_all") is True
    for name, ours in _MEANING.items():
        if isinstance(vectors.get(name), int):
            yield ours, vectors[name]
    yield "lore.scan_notes", table_of(extensions.get("note")).get("allowWIScan") is True
    yield "lore.scan_summary", table_of(extensions.get("memory")).get("scan") is True


def _lore(extensions: dict[str, Any], worlds: dict[str, Any]) -> TavernWorldbooks:
    note = table_of(extensions.get("note"))
    interval = note.get("defaultInterval")
    summary = table_of(extensions.get("memory")).get("template")
    return TavernWorldbooks(
        tuple(map(storable, _list(worlds.get("globalSelect")))),
        storable(text_of(note.get("default"))),
        interval if isinstance(interval, int) else 1,
        dict(itertools.islice(_notes(note.get("chara")), MAX_ITEMS)),
        storable(summary) if isinstance(summary, str) else SUMMARY,
    )


def _notes(value: object) -> Iterator[tuple[str, CharacterNote]]:
    """Return the author's notes of characters that are in use, by card file."""
    for row in value if isinstance(value, list) else ():
        note = table_of(row)
        name, place = text_of(note.get("name")), note.get("position")
        if name and note.get("useChara") is True:
            text = storable(text_of(note.get("prompt")))
            known: NotePlace = "before" if place == 1 else "after" if place == 2 else "instead"
            yield storable(name), CharacterNote(text, known)


def _tags(value: object) -> Iterator[tuple[str, str]]:
    for row in value if isinstance(value, list) else ():
        tag, name = text_of(table_of(row).get("id")), text_of(table_of(row).get("name"))
        if tag and name:
            yield tag, name


def _tags_by_owner(value: dict[str, Any]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Return the tags by owner: a character is named by its picture, a group by its id."""
    for whose, tags in value.items():
        if isinstance(tags, list):
            yield storable(whose), texts_of(tags)


def _variables(value: object) -> Iterator[tuple[str, Any]]:
    """Return the variables of all chats, without those too long for a macro."""
    for name, content in table_of(table_of(value).get("global")).items():
        text = storable(json.dumps(content, ensure_ascii=False))
        if content is not None and len(text) <= MAX_VALUE:
            yield storable(name), json.loads(text)


def _world_info(value: dict[str, Any]) -> dict[str, Any]:
    """Return which worldbooks are in use; before 2023-11 this was one level higher."""
    new = table_of(table_of(value.get("world_info_settings")).get("world_info"))
    return new or table_of(value.get("world_info"))


def _list(value: object) -> tuple[str, ...]:
    return texts_of(value) if isinstance(value, list) else ()


def _extra_books(value: object) -> Iterator[tuple[str, tuple[str, ...]]]:
    for row in value if isinstance(value, list) else ():
        name = text_of(table_of(row).get("name"))
        books = _list(table_of(row).get("extraBooks"))
        if name and books:
            yield name, books


def _scripts(text: str, extensions: dict[str, Any]) -> list[RegexScript]:
    """Return the global scripts with their own JSON; invalid entries are left out."""
    if not isinstance(extensions.get("regex"), list):
        return []
    span = find_value(text, ("extension_settings", "regex"))
    return usable_scripts(text[span[0] : span[1]], NAME) if span else []


def _personas(user: dict[str, Any]) -> Iterator[TavernPersona]:
    descriptions = table_of(user.get("persona_descriptions"))
    default = user.get("default_persona")
    for avatar, name in table_of(user.get("personas")).items():
        row = table_of(descriptions.get(avatar))
        yield TavernPersona(
            storable(avatar),
            text_of(name) or storable(avatar),
            text_of(row.get("description")),
            is_default=avatar == default,
            locks=frozenset(_locks(row.get("connections"))),
            book=text_of(row.get("lorebook")),
            is_scanned=row.get("position") == _AT_DEPTH,
        )


def _locks(value: object) -> Iterator[tuple[str, str]]:
    for row in value if isinstance(value, list) else ():
        kind, owner = table_of(row).get("type"), table_of(row).get("id")
        if kind in ("character", "group") and isinstance(owner, str | int):
            yield kind, storable(str(owner))


def is_preset_on(settings: TavernSettings, kind: str, name: str) -> bool:
    """Return whether a preset's scripts run in SillyTavern now: it is in use and may run them."""
    return (
        kind == "OpenAI Settings"
        and name == settings.preset
        and (_CHAT_COMPLETION, name) in settings.allowed_presets
    )
