"""Small values for tests: literal, complete, each field can be overridden."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from engram_desktop.domain.memory.event import EventNode, SourceRange
from engram_desktop.domain.memory.extraction import (
    ExtractedEntity,
    ExtractedRelation,
    PlotExtraction,
    StructuredKv,
)
from engram_desktop.domain.memory.line import MAIN_BRANCH, new_id
from engram_desktop.domain.memory.message import ParsedMessage
from engram_desktop.jobs.context import NullContext
from engram_desktop.services.memory import Memory
from engram_desktop.storage.chat.chat_store import ChatStore
from engram_desktop.storage.library.library import Library


def counting_clock(start: int = 1_000) -> Callable[[], int]:
    """A clock that ticks one millisecond at each look."""
    ticks = itertools.count(start)
    return lambda: next(ticks)


def make_store(folder: Path, **options: Any) -> ChatStore:
    """A new chat's store in ``folder``."""
    place = folder / "chat1"
    place.mkdir(parents=True, exist_ok=True)
    return ChatStore(place, folder / "backups", counting_clock(), create=True, **options)


def make_chat(library: Library, name: str) -> ChatStore:
    """A new chat of ``library``, empty, in its catalogue."""
    store = library.begin_chat(name)
    library.admit_chat(store, name)
    return store


def open_keyless(
    folder: Path,
    environ: dict[str, str] | None = None,
    settings: Mapping[str, object] | None = None,
) -> Memory:
    """Open the library at ``folder``, which asks no model but the deterministic embedder."""
    memory = Memory.open(folder, clock=counting_clock(), environ=environ or {})
    plain = {"embed.local": "hash", "index.backend": "exact", "keys.storage": "session"}
    set_all(memory, plain | dict(settings or {}))
    return memory


def model_at(url: str, name: str = "fake-chat") -> dict[str, object]:
    """Settings that ask the model ``name`` behind ``url``."""
    return {"llm.base_url": url, "llm.model": name}


def set_all(memory: Memory, settings: Mapping[str, object], chat_id: str | None = None) -> None:
    for key, value in settings.items():
        memory.settings.set(key, value, chat_id)


def make_message(text: str = "你好。", name: str = "爱丽丝", **over: Any) -> ParsedMessage:
    fields: dict[str, Any] = {
        "name": name,
        "role": "user" if name == "旅人" else "assistant",
        "text": text,
        "is_hidden": False,
        "sent_at": None,
        "raw": json.dumps({"mes": text}, ensure_ascii=False),
        "line": 1,
    }
    return ParsedMessage(**fields | over)


def make_extraction(summary: str = "爱丽丝把铜钥匙交给旅人。", **over: Any) -> PlotExtraction:
    fields: dict[str, Any] = {
        "summary": summary,
        "keywords": ("铜钥匙",),
        "timestamp": "第42天 深夜",
        "location": "月光酒馆",
        "entities": (
            ExtractedEntity("爱丽丝", "char"),
            ExtractedEntity("旅人", "char"),
            ExtractedEntity("铜钥匙", "item"),
        ),
        "relations": (ExtractedRelation("爱丽丝", "交付", "铜钥匙"),),
    }
    return PlotExtraction(**fields | over)


def make_event(
    summary: str = "爱丽丝把铜钥匙交给旅人。", start: int = 0, end: int = 9, **over: Any
) -> EventNode:
    data = over.pop("raw_data", None) or make_extraction(summary)
    fields: dict[str, Any] = {
        "pk": 0,
        "id": new_id(),
        "branch_id": MAIN_BRANCH,
        "summary": summary,
        "structured_kv": StructuredKv(),
        "raw_data": data,
        "display_text": summary,
        "status": "buffer",
        "is_archived": False,
        "is_embedded": False,
        "level": 0,
        "source_range": SourceRange(start, end),
        "significance_score": 0.5,
        "timestamp": 1,
        "extractor": "manual",
        "participants": tuple(e.name for e in data.entities if e.type == "char"),
        "keywords": data.keywords,
    }
    return EventNode(**fields | over)


def write_chat(
    path: Path, rows: Iterable[tuple[str, str]], user: str = "旅人", sent: str = ""
) -> Path:
    """Write (speaker, text) rows as a SillyTavern chat of today; ``sent`` is their send date."""
    header = {"chat_metadata": {}, "user_name": "unused", "character_name": "unused"}
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.write(json.dumps(header))
        for name, text in rows:
            message = {"name": name, "is_user": name == user, "mes": text}
            message |= {"send_date": sent} if sent else {}
            file.write("\n" + json.dumps(message, ensure_ascii=False))
    return path


def import_chat(memory: Memory, path: Path, rows: Iterable[tuple[str, str]]) -> str:
    """Write ``rows`` as a chat file and import it; return the chat's id."""
    chat_id = memory.imports.import_file(NullContext(), write_chat(path, rows)).chat_id
    assert chat_id is not None
    return chat_id


def import_embedded(memory: Memory, path: Path, rows: Iterable[tuple[str, str]]) -> str:
    """As `import_chat`, and all of it can be found by its meaning."""
    chat_id = import_chat(memory, path, rows)
    memory.index.embed_pending(NullContext(), chat_id)
    return chat_id


def story_rows(count: int) -> list[tuple[str, str]]:
    """A plain dialogue of ``count`` messages, every text its own."""
    return [
        ("旅人", f"第{n}天，我在月光酒馆等你。") if n % 2 else ("爱丽丝", f"第{n}把铜钥匙在这里。")
        for n in range(count)
    ]


def script_json(
    find: str = "/铜/g",
    replace: str = "银",
    *,
    name: str = "换字",
    indent: int | str | None = None,
    extra: dict[str, Any] | None = None,
) -> str:
    """A regex script as SillyTavern would have written it."""
    fields: dict[str, Any] = {
        "id": "0",
        "scriptName": name,
        "findRegex": find,
        "replaceString": replace,
        "trimStrings": [],
        "placement": [1, 2],
        "disabled": False,
        "markdownOnly": False,
        "promptOnly": True,
        "runOnEdit": False,
        "substituteRegex": 0,
        "minDepth": None,
        "maxDepth": None,
    }
    made = json.dumps(fields | (extra or {}), ensure_ascii=False, indent=indent)
    return made.replace("\ud83d", "\\ud83d")
