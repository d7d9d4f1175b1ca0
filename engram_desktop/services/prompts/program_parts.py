"""What functions of EJS programs read of a chat and its library, each part when it is asked for.

The shapes are those of `resources/javascript/templates.js`. Read only: what a program changes of it
is a copy.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Any

from engram_desktop.domain.cards import CharacterRow
from engram_desktop.domain.worldbooks.worldbook import WorldbookRow
from engram_desktop.formats.javascript.ejs import Parts
from engram_desktop.formats.tavern import texts
from engram_desktop.services.characters import character_of, characters_of_chat
from engram_desktop.services.prompts.macro_scope import ChatSays, json_object, variables_by_scope

MOST_MESSAGES = 5_000  # the newest; a program that counts from the first is then short of the older
# What the extension hands to a template for a character, by what our cards call it.
_CARD_FIELDS = {
    "description": "description",
    "personality": "personality",
    "scenario": "scenario",
    "first_message": "first_mes",
    "message_example": "mes_example",
    "creatorcomment": "creator_notes",
    "system_prompt": "system_prompt",
    "depth_prompt": "depth_prompt",
}


def parts_of(chat: ChatSays) -> Parts:
    """Return what programs about a chat may read, by the names of `ejs.PARTS`.

    Each part is worked out once, however many programs ask: it goes with ``chat``.
    """
    parts: dict[str, Callable[[ChatSays], Any]] = {
        "scopes": _scopes,
        "messages": _messages,
        "books": _worldbooks,
        "enabled": _enabled,
        "cards": _cards,
        "presets": _presets,
        "replies": _replies,
        "names": _names,
    }
    return {name: cache(partial(read, chat)) for name, read in parts.items()}


def variables_for_programs(chat: ChatSays) -> dict[str, Any]:
    """Return all variables: a message's win over the chat's, these over those of all chats."""
    return {**chat.shared, **chat.variables}


def _scopes(chat: ChatSays) -> dict[str, Any]:
    local, message = variables_by_scope(chat.store, chat.branch_id)
    return {"local": local, "global": dict(chat.shared), "message": message}


def _messages(chat: ChatSays) -> list[dict[str, Any]]:
    first = max(0, chat.count - MOST_MESSAGES)
    return [
        {
            "name": m.name,
            "text": m.text,
            "isUser": m.role == "user",
            "isSystem": m.is_hidden or m.role == "system",
        }
        for m in chat.store.messages.slice(chat.branch_id, first, chat.count - 1)
    ]


def _worldbooks(chat: ChatSays) -> dict[str, list[dict[str, Any]]]:
    """Every worldbook's entries as SillyTavern has them, the macros of their texts filled."""
    worldbooks: dict[str, list[dict[str, Any]]] = {}
    for row in chat.library.worldbooks.rows():
        entries = _entries(chat, row)
        worldbooks[row.name] = entries
        worldbooks.setdefault(row.title, entries)
    return worldbooks


def _entries(chat: ChatSays, row: WorldbookRow) -> list[dict[str, Any]]:
    content = json_object(chat.library.worldbooks.content(row.id).decode("utf-8", "replace"))
    entries = content.get("entries")
    rows = entries.values() if isinstance(entries, dict) else entries or ()
    return [_entry(chat, row, entry) for entry in rows if isinstance(entry, dict)]


def _entry(chat: ChatSays, row: WorldbookRow, entry: Mapping[str, Any]) -> dict[str, Any]:
    text = entry.get("content")
    key, comment = entry.get("key"), entry.get("comment")
    return {
        **entry,
        "content": _filled(chat, text if isinstance(text, str) else ""),
        "key": [k for k in key if isinstance(k, str)] if isinstance(key, list) else [],
        "comment": comment if isinstance(comment, str) else "",
        "constant": bool(entry.get("constant")),
        "vectorized": bool(entry.get("vectorized")),
        "disable": bool(entry.get("disable")),
        "world": row.name,
    }


def _presets(chat: ChatSays) -> list[dict[str, str]]:
    user = chat.files.user
    prompts = texts.preset_prompts(user) if user else []
    return [prompt | {"content": _filled(chat, prompt["content"])} for prompt in prompts]


def _replies(chat: ChatSays) -> list[dict[str, Any]]:
    user = chat.files.user
    sets = texts.quick_replies(user) if user else []
    for one in sets:
        for reply in one["qrList"]:
            reply["message"] = _filled(chat, reply["message"])
    return sets


def _filled(chat: ChatSays, text: str) -> str:
    return chat.filled(text) if "{{" in text else text


def _enabled(chat: ChatSays) -> list[tuple[str, str]]:
    """Name the worldbooks that are on in the chat, and why: of the character's card, or for all."""
    rows = characters_of_chat(chat.library, chat.store)
    ids = [row.id for row in rows]
    own = {worldbook.id for worldbook in chat.library.worldbooks.of_characters(ids)}
    extra = chat.library.bindings.of_characters(ids)
    here = chat.library.bindings.in_chat(chat.store.chat_id)
    kinds = []
    for worldbook in chat.library.worldbooks.rows():
        if worldbook.id in own:
            kinds.append((worldbook.name, "character"))
        elif worldbook.id in extra:
            kinds.append((worldbook.name, "extra"))
        elif worldbook.id in here:
            kinds.append((worldbook.name, "chat"))
        elif worldbook.is_global:
            kinds.append((worldbook.name, "shared"))
    return kinds


def _cards(chat: ChatSays) -> list[dict[str, Any]]:
    own = {row.id for row in characters_of_chat(chat.library, chat.store)[:1]}
    return [_card(chat, row, is_of_chat=row.id in own) for row in chat.library.characters.rows()]


def _card(chat: ChatSays, row: CharacterRow, *, is_of_chat: bool) -> dict[str, Any]:
    character = character_of(chat.library, row)
    raw = json_object(chat.library.characters.card(row.id).decode("utf-8", "replace"))
    texts = {name: chat.of_card(getattr(character, field)) for name, field in _CARD_FIELDS.items()}
    return texts | {
        "name": row.name,
        "avatar": row.avatar,
        "alternate_greetings": list(character.alternate_greetings),
        "isOfChat": is_of_chat,
        "raw": raw,
    }


def _names(chat: ChatSays) -> dict[str, Any]:
    rows = characters_of_chat(chat.library, chat.store)
    own = chat.library.worldbooks.of_characters([row.id for row in rows[:1]])
    on_here = chat.library.bindings.in_chat(chat.store.chat_id)
    in_chat = [row.name for row in chat.library.worldbooks.rows() if row.id in on_here]
    last = {m.role: m.seq for m in chat.tail if not m.is_hidden}
    return {
        "userName": chat.user(),
        "charName": chat.char(),
        "chatId": chat.store.chat_id,
        "characterId": rows[0].id if rows else "",
        "charAvatar": rows[0].avatar if rows else "",
        "lastUserMessageId": last.get("user", -1),
        "lastCharMessageId": last.get("assistant", -1),
        "model": chat.settings.llm_model,
        **({"charLoreBook": own[0].name} if own else {}),
        **({"chatLoreBook": in_chat[0]} if in_chat else {}),
    }
