"""The worldbooks, presets, regex scripts and personas of one user of SillyTavern, for a list."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from engram_desktop.domain.tavern.folder import TavernItem, TavernPersona, TavernSettings
from engram_desktop.domain.text.regex_script import RegexScript
from engram_desktop.formats.json_values import table_of, text_of
from engram_desktop.formats.tavern.listing import Listing, document_of, files_of, status_of
from engram_desktop.formats.tavern.settings import NAME, is_preset_on

PRESETS = (
    "OpenAI Settings",
    "TextGen Settings",
    "KoboldAI Settings",
    "NovelAI Settings",
    "instruct",
    "context",
    "sysprompt",
    "reasoning",
)
_BEGINNING = 200  # characters: what a line of the list may show


def items(handle: Path, settings: TavernSettings, listing: Listing) -> Iterator[TavernItem]:
    """Yield everything that is neither a character nor a chat."""
    yield from _worldbooks(handle / "worlds", settings, listing)
    for kind in PRESETS:
        yield from _presets(handle / kind, kind, settings, listing)
    where = str(handle / NAME)
    for script in settings.scripts:
        yield TavernItem(
            "regex",
            script.name,
            where,
            detail=text_of(script.find)[:_BEGINNING],
            key=script_key(handle, script),
            is_on=not script.disabled,
        )
    for persona in settings.personas:
        yield TavernItem(
            "persona",
            persona.name,
            where,
            detail=persona.text[:_BEGINNING],
            key=persona_key(handle, persona),
            is_on=persona.is_default,
        )


def script_key(handle: Path, script: RegexScript) -> str:
    """Name a script of the settings: by what it says, as its place in the list may change."""
    name = hashlib.blake2b(script.raw.encode("utf-8", "replace"), digest_size=8).hexdigest()
    return f"{handle / NAME}#script:{name}"


def persona_key(handle: Path, persona: TavernPersona) -> str:
    """Name a persona: by its picture, which is what SillyTavern knows it by."""
    return f"{handle / NAME}#persona:{persona.avatar}"


def scripts_of_preset(preset: object) -> list[dict[str, Any]]:
    """Return the regex scripts in a preset. Nothing else of it is looked at."""
    scripts = table_of(table_of(preset).get("extensions")).get("regex_scripts")
    return [row for row in scripts if isinstance(row, dict)] if isinstance(scripts, list) else []


def _worldbooks(folder: Path, settings: TavernSettings, listing: Listing) -> Iterator[TavernItem]:
    for entry in files_of(folder, ".json", listing):
        status = status_of(entry, listing)
        if status is None:
            continue
        path = Path(entry.path)
        yield TavernItem(
            "world",
            path.stem,
            entry.path,
            status.st_size,
            status.st_mtime_ns // 1_000_000,
            key=entry.path,
            count=_entries(path, listing) if listing.may_read(status.st_size) else 0,
            is_on=path.stem in settings.global_worldbooks,
        )


def _entries(path: Path, listing: Listing) -> int:
    entries = table_of(document_of(path, listing)).get("entries")
    return len(entries) if isinstance(entries, dict | list) else 0


def _presets(
    folder: Path, kind: str, settings: TavernSettings, listing: Listing
) -> Iterator[TavernItem]:
    for entry in files_of(folder, ".json", listing):
        status = status_of(entry, listing)
        if status is None:
            continue
        path = Path(entry.path)
        preset = document_of(path, listing) if listing.may_read(status.st_size) else None
        yield TavernItem(
            "preset",
            path.stem,
            entry.path,
            status.st_size,
            status.st_mtime_ns // 1_000_000,
            detail=kind,
            key=entry.path,
            count=len(scripts_of_preset(preset)),
            is_on=is_preset_on(settings, kind, path.stem),
        )
