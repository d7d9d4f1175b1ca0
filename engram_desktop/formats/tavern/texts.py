"""Texts in a user's SillyTavern folder for macros and programs: settings, groups, templates.

They are read on demand and never kept: the folder is SillyTavern's, and may be gone tomorrow. A
preset also holds passwords of proxies: only its prompts are read.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from engram_desktop.domain.errors import InputError, Unreadable
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP
from engram_desktop.domain.tavern.folder import PresetPrompt
from engram_desktop.domain.tavern.instruct import GroupMember, TavernTexts, Templates
from engram_desktop.formats.json_values import (
    read_value,
    rows_of,
    storable,
    table_of,
    text_of,
    texts_of,
)
from engram_desktop.formats.plain_file import read_json_text, refuse_secrets
from engram_desktop.formats.tavern.settings import MAX_SIZE, NAME

MAX_GROUPS = 2_000  # files of a folder that are read
Kind = Literal["instruct", "context"]
_MAX_GROUP_SIZE = 4_000_000  # bytes of a group or a template: bounds the reading
# Macro: its field in the instruct template, and the field used if that is empty.
_SEQUENCES = {
    "instructStoryStringPrefix": ("story_string_prefix",),
    "instructStoryStringSuffix": ("story_string_suffix",),
    "instructUserPrefix": ("input_sequence",),
    "instructInput": ("input_sequence",),
    "instructUserSuffix": ("input_suffix",),
    "instructAssistantPrefix": ("output_sequence",),
    "instructOutput": ("output_sequence",),
    "instructAssistantSuffix": ("output_suffix",),
    "instructSeparator": ("output_suffix",),
    "instructSystemPrefix": ("system_sequence",),
    "instructSystemSuffix": ("system_suffix",),
    "instructFirstAssistantPrefix": ("first_output_sequence", "output_sequence"),
    "instructFirstOutputPrefix": ("first_output_sequence", "output_sequence"),
    "instructLastAssistantPrefix": ("last_output_sequence", "output_sequence"),
    "instructLastOutputPrefix": ("last_output_sequence", "output_sequence"),
    "instructFirstUserPrefix": ("first_input_sequence", "input_sequence"),
    "instructFirstInput": ("first_input_sequence", "input_sequence"),
    "instructLastUserPrefix": ("last_input_sequence", "input_sequence"),
    "instructLastInput": ("last_input_sequence", "input_sequence"),
    "instructStop": ("stop_sequence",),
    "instructUserFiller": ("user_alignment_message",),
    "instructSystemInstructionPrefix": ("last_system_sequence",),
}
_CHAT_COMPLETION = "openai"
_NAME_LAST = "always_force_name2"
_SYSTEM = ("defaultSystemPrompt", "instructSystem", "instructSystemPrompt")
# Every macro with a text in the settings: the keys of `TavernTexts.macros`.
MACROS = (
    *_SEQUENCES,
    *_SYSTEM,
    *("exampleSeparator", "chatSeparator", "chatStart", "defaultAuthorsNote"),
    *("reasoningPrefix", "reasoningSuffix", "reasoningSeparator"),
)


def read_texts(user: Path) -> TavernTexts | None:
    """Return the texts in a user's settings; None if they cannot be read."""
    settings = read_object(user / NAME, MAX_SIZE)
    if settings is None:
        return None
    power = table_of(settings.get("power_user"))
    system = table_of(power.get("sysprompt"))
    prompt = _text(system.get("content")) if system.get("enabled") else ""
    note = table_of(table_of(settings.get("extension_settings")).get("note"))
    macros = dict(_macros(power)) | dict.fromkeys(_SYSTEM, prompt)
    return TavernTexts(
        macros | {"defaultAuthorsNote": _text(note.get("default"))},
        prompt,
        _text(system.get("post_history")) if system.get("enabled") else "",
        dict(_notes(note.get("chara"))),
        None if settings.get("main_api") == _CHAT_COMPLETION else _in_use(power),
        power.get("prefer_character_prompt") is not False,
        power.get("prefer_character_jailbreak") is not False,
    )


def _text(value: object) -> str:
    """Return a text, not trimmed, since blanks at its ends are significant here."""
    return storable(value) if isinstance(value, str) else ""


def _macros(power: dict[str, Any]) -> Iterator[tuple[str, str]]:
    instruct = table_of(power.get("instruct"))
    for macro, fields in _SEQUENCES.items():
        texts = (_text(instruct.get(name)) for name in fields)
        yield macro, next((text for text in texts if text), "") if instruct.get("enabled") else ""
    context, reasoning = table_of(power.get("context")), table_of(power.get("reasoning"))
    for macro in ("exampleSeparator", "chatSeparator"):
        yield macro, _text(context.get("example_separator"))
    yield "chatStart", _text(context.get("chat_start"))
    for part in ("prefix", "suffix", "separator"):
        yield f"reasoning{part.title()}", _text(reasoning.get(part))


def _notes(rows: object) -> Iterator[tuple[str, str]]:
    for row in rows if isinstance(rows, list) else ():
        note = table_of(row)
        if name := text_of(note.get("name")):
            yield name, _text(note.get("prompt"))


def read_members(user: Path, chat: str) -> tuple[GroupMember, ...] | None:
    """Return the members of a chat's group, found by the chat's name; None if it has no group."""
    try:
        paths = sorted((user / "groups").glob("*.json"))[:MAX_GROUPS]
    except OSError:
        return None
    for path in paths:
        group = read_object(path, _MAX_GROUP_SIZE) or {}
        if chat in texts_of(group.get("chats")) or chat == text_of(group.get("chat_id")):
            muted = texts_of(group.get("disabled_members"))
            return tuple(
                GroupMember(name, name in muted) for name in texts_of(group.get("members"))
            )
    return None


def read_object(path: Path, limit: int) -> dict[str, Any] | None:
    """Return the JSON object in a file of at most ``limit`` bytes; None if there is none."""
    try:
        return table_of(read_value(read_json_text(path, limit))[0])
    except (OSError, ValueError, RecursionError):
        return None


def read_templates(user: Path, instruct: str, context: str) -> Templates | None:
    """Return the templates of text completion in use, or those with these names.

    None if the settings, or a template, cannot be read.
    """
    settings = read_object(user / NAME, MAX_SIZE)
    if settings is None:
        return None
    power = table_of(settings.get("power_user"))
    templates = _in_use(power)
    if instruct:
        named = _named(user / "instruct", instruct)
        if named is None:
            return None
        # Files do not contain whether it is on: a named one is wanted.
        templates = replace(templates, instruct={"enabled": True} | named)
    if context:
        named = _named(user / "context", context)
        if named is None:
            return None
        templates = replace(templates, context=named)
    return templates


def _in_use(power: dict[str, Any]) -> Templates:
    """Return the templates of the settings; one field of the context is kept beside them."""
    context = table_of(power.get("context"))
    last = {_NAME_LAST: power[_NAME_LAST]} if _NAME_LAST in power else {}
    return Templates(table_of(power.get("instruct")), context | last)


def _named(folder: Path, name: str) -> dict[str, Any] | None:
    for path in sorted(folder.glob("*.json"))[:MAX_GROUPS]:
        template = read_object(path, _MAX_GROUP_SIZE)
        if template is not None and name in (path.stem, template.get("name")):
            return template
    return None


MAX_SETS = 500  # files of a folder that are read
_MAX_SET_SIZE = 4_000_000  # bytes of one set of buttons: bounds the reading


def preset_prompts(user: Path) -> list[dict[str, str]]:
    """Return name and text of the current preset's prompts; those without a text are left out."""
    settings = read_object(user / NAME, MAX_SIZE) or {}
    return [
        {"name": text_of(row.get("name")), "content": storable(row["content"])}
        for row in _rows(table_of(settings.get("oai_settings")).get("prompts"))
        if isinstance(row.get("content"), str) and row["content"]
    ]


def quick_replies(user: Path) -> list[dict[str, Any]]:
    """Return the quick reply sets that are on, as in their files; all if no setting says.

    Each has a ``name`` and ``qrList``, whose rows have a ``label`` and a ``message``.
    """
    settings = table_of((read_object(user / NAME, MAX_SIZE) or {}).get("extension_settings"))
    config = table_of(table_of(settings.get("quickReplyV2")).get("config"))
    names = {text_of(row.get("set")) for row in _rows(config.get("setList"))}
    try:
        paths = sorted((user / "QuickReplies").glob("*.json"))[:MAX_SETS]
    except OSError:
        return []
    sets = [_set(read_object(path, _MAX_SET_SIZE) or {}) for path in paths]
    return [one for one in sets if not names or one["name"] in names]


def _set(one: dict[str, Any]) -> dict[str, Any]:
    replies = [
        {**row, "label": text_of(row.get("label")), "message": text_of(row.get("message"))}
        for row in _rows(one.get("qrList"))
    ]
    return {**one, "name": text_of(one.get("name")), "qrList": replies}


def _rows(value: object) -> Iterator[dict[str, Any]]:
    yield from (row for row in (value if isinstance(value, list) else ()) if isinstance(row, dict))


MAX_PRESET_SIZE = 64_000_000  # bytes: bounds the memory of reading one file whole
_EVERYBODY = (100_001, 100_000)  # ids of the order for all characters, the newer one first
_TEXTS = ("content", "story_string", "post_history")  # of system prompts and of contexts


class NoPreset(InputError):
    """``file`` is not JSON, or too large to be a preset."""

    text = QT_TRANSLATE_NOOP("errors", "{file} is no preset: it is not readable as JSON.")


def prompts_in(path: Path) -> list[PresetPrompt]:
    """Return the prompts of a preset. Raises NoPreset, HoldsKeys, Unreadable."""
    refuse_secrets(path)
    try:
        if path.stat().st_size > MAX_PRESET_SIZE:
            raise NoPreset(file=path.name)
        value, _end = read_value(read_json_text(path, MAX_PRESET_SIZE))
    except OSError as e:
        raise Unreadable(e.strerror or str(e), path=path) from e
    except (ValueError, RecursionError):
        raise NoPreset(file=path.name) from None
    return list(_prompts(table_of(value)))


def _prompts(preset: dict[str, Any]) -> Iterator[PresetPrompt]:
    known = {text_of(row.get("identifier")): row for row in rows_of(preset.get("prompts"))}
    order = _order(preset)
    for name, is_on in order.items():
        if name in known:
            yield _prompt(known[name], is_on=is_on)
    for name, row in known.items():
        if name not in order:
            yield _prompt(row, is_on=False)
    for name in _TEXTS:
        if text := text_of(preset.get(name)):
            yield PresetPrompt(name, "system", text, is_on=True)


def _order(preset: dict[str, Any]) -> dict[str, bool]:
    """Return which prompts are sent and whether each is on, by the order for all characters."""
    orders = list(rows_of(preset.get("prompt_order")))
    orders.sort(key=lambda row: row.get("character_id") != _EVERYBODY[0])
    orders.sort(key=lambda row: row.get("character_id") not in _EVERYBODY)
    first = orders[0].get("order") if orders else ()
    rows = [(text_of(row.get("identifier")), row.get("enabled")) for row in rows_of(first)]
    return {name: is_on is not False for name, is_on in rows}


def _prompt(row: dict[str, Any], *, is_on: bool) -> PresetPrompt:
    depth = row.get("injection_depth") if row.get("injection_position") == 1 else None
    return PresetPrompt(
        text_of(row.get("name")) or text_of(row.get("identifier")),
        text_of(row.get("role")) or "system",
        text_of(row.get("content")),
        is_on=is_on,
        depth=depth if isinstance(depth, int) else None,
    )
