"""The settings of a scan for worldbook entries. The defaults are SillyTavern's."""

from __future__ import annotations

from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP
from engram_desktop.domain.setting import setting
from engram_desktop.domain.values import dataclass

_T = QT_TRANSLATE_NOOP


@dataclass(frozen=True)
class ScanSettings:
    """A part of `Settings`; SillyTavern's own names for them are in `formats.tavern.settings`."""

    lore_depth: int = setting(
        "lore.depth",
        2,
        _T("settings", "Messages scanned"),
        _T("settings", "Keywords are looked for in so many of the last messages."),
        low=0,
        high=1_000_000,
    )
    lore_context: int = setting(
        "lore.context",
        32_000,
        _T("settings", "Context of the chat model, in tokens"),
        low=512,
        high=2_000_000,
    )
    lore_budget: int = setting(
        "lore.budget",
        25,
        _T("settings", "Share of the context, in percent"),
        low=1,
        high=100,
    )
    lore_cap: int = setting(
        "lore.cap",
        0,
        _T("settings", "Tokens at most"),
        _T("settings", "0 leaves it to the share of the context."),
        low=0,
        high=2_000_000,
    )
    lore_recursive: bool = setting(
        "lore.recursive",
        False,
        _T("settings", "Entries can mention other entries"),
    )
    lore_max_steps: int = setting(
        "lore.max_steps",
        0,
        _T("settings", "Rounds of scanning at most"),
        _T("settings", "0 goes on until nothing new is mentioned."),
        low=0,
        high=10,
    )
    lore_min_activations: int = setting(
        "lore.min_activations",
        0,
        _T("settings", "Entries wanted at least"),
        _T("settings", "Older messages are scanned until so many entries fire. 0 does not."),
        low=0,
        high=100,
    )
    lore_max_depth: int = setting(
        "lore.max_depth",
        0,
        _T("settings", "Up to so many messages"),
        _T("settings", "How far back entries wanted at least are looked for. 0 is the whole chat."),
        low=0,
        high=1_000_000,
    )
    lore_include_names: bool = setting(
        "lore.include_names",
        True,
        _T("settings", "Names of speakers are scanned"),
    )
    lore_strategy: str = setting(
        "lore.strategy",
        "character",
        _T("settings", "Which books go first"),
        _T(
            "settings",
            "The chat's and the player's books always do. After them, character: theirs;"
            " global: the others; evenly: both by the order of their entries.",
        ),
        choices=("evenly", "character", "global"),
    )
    lore_case_sensitive: bool = setting(
        "lore.case_sensitive", False, _T("settings", "Case-sensitive")
    )
    lore_whole_words: bool = setting(
        "lore.whole_words",
        False,
        _T("settings", "Whole words only"),
        _T("settings", "Chinese keywords are found in any place all the same."),
    )
    lore_group_scoring: bool = setting(
        "lore.group_scoring",
        False,
        _T("settings", "In a group, the entry with most keywords wins"),
    )
    lore_scan_notes: bool = setting(
        "lore.scan_notes",
        False,
        _T("settings", "Author's notes are scanned"),
        _T("settings", "The chat's, and the one a character has."),
    )
    lore_scan_summary: bool = setting(
        "lore.scan_summary",
        False,
        _T("settings", "Summaries of SillyTavern are scanned"),
    )
    lore_meaning: bool = setting(
        "lore.meaning",
        False,
        _T("settings", "Entries fire by meaning"),
        _T(
            "settings",
            "Those that are marked for it. SillyTavern does so where Vector Storage is on for"
            " world info.",
        ),
    )
    lore_meaning_all: bool = setting(
        "lore.meaning_all",
        False,
        _T("settings", "All entries fire by meaning, marked or not"),
    )
    lore_meaning_entries: int = setting(
        "lore.meaning_entries",
        5,
        _T("settings", "Entries that fire by meaning at most"),
        low=1,
        high=100,
    )
    lore_meaning_messages: int = setting(
        "lore.meaning_messages",
        2,
        _T("settings", "Messages that meaning is taken from"),
        low=1,
        high=100,
    )
