"""The settings of what of a message is story: the player, scripts, and what is left out."""

from __future__ import annotations

from engram_desktop.domain.marks import QT_TRANSLATE_NOOP
from engram_desktop.domain.setting import setting
from engram_desktop.domain.values import dataclass
from engram_desktop.domain.worldbooks.settings import ScanSettings

_T = QT_TRANSLATE_NOOP


@dataclass(frozen=True)
class ReadingSettings(ScanSettings):
    """A part of `Settings`; each can be set for one chat."""

    persona_text: str = setting(
        "persona.text",
        "",
        _T("settings", "Who the player is"),
        _T("settings", "What {{persona}} says, and what world books may look through."),
        per_chat=True,
    )
    persona_book: str = setting(
        "persona.book",
        "",
        _T("settings", "World book of the player"),
        _T("settings", "Name of a world book that is on in this chat, as a persona's book is."),
        per_chat=True,
    )
    persona_scanned: bool = setting(
        "persona.scanned",
        False,
        _T("settings", "Who the player is stands among the messages"),
        _T("settings", "World books look through it then, as SillyTavern's do."),
        per_chat=True,
    )
    presence_unknown: str = setting(
        "presence.unknown",
        "speakers",
        _T("settings", "Where nobody can tell who was there"),
        _T(
            "settings",
            "Who then knows what was said: only those who speak there, or nobody. Never everybody.",
        ),
        choices=("speakers", "nobody"),
        per_chat=True,
    )
    native_regex: bool = setting(
        "native.regex",
        True,
        _T("settings", "Run SillyTavern's regex scripts"),
        _T("settings", "On what a model reads, before the program's own rules."),
        per_chat=True,
    )
    native_ejs: bool = setting(
        "native.ejs",
        False,
        _T("settings", "Run EJS programs"),
        _T(
            "settings",
            "In messages, world books and your own prompts, text between <% and %> is run as a"
            " small program, which can read the chat, world books and cards, and changes nothing.",
        ),
        per_chat=True,
    )
    clean_thoughts: bool = setting(
        "clean.thoughts",
        True,
        _T("settings", "Leave out thoughts"),
        _T("settings", "<think> and its like."),
        per_chat=True,
    )
    clean_updates: bool = setting(
        "clean.updates",
        True,
        _T("settings", "Leave out updates of variables"),
        _T("settings", "<UpdateVariable>, <state_update>, table edits and their like."),
        per_chat=True,
    )
    clean_panels: bool = setting(
        "clean.panels",
        True,
        _T("settings", "Leave out status panels"),
        _T("settings", "Folded details, tables, choices, scripts and styles."),
        per_chat=True,
    )
    clean_disclaimers: bool = setting(
        "clean.disclaimers",
        True,
        _T("settings", "Leave out disclaimers"),
        _T(
            "settings",
            "<disclaimer>, whole lines such as (OOC: …), and a last line in brackets that calls it"
            " all fiction.",
        ),
        per_chat=True,
    )
    clean_comments: bool = setting(
        "clean.comments", True, _T("settings", "Leave out HTML comments"), per_chat=True
    )
    clean_code: bool = setting(
        "clean.code",
        True,
        _T("settings", "Leave out code blocks"),
        _T("settings", "Those fenced as HTML, JSON, YAML, CSS or JavaScript."),
        per_chat=True,
    )
    clean_tags: bool = setting(
        "clean.tags",
        True,
        _T("settings", "Take away tags"),
        _T("settings", "What stands between them stays."),
        per_chat=True,
    )
    clean_marks: bool = setting(
        "clean.marks",
        True,
        _T("settings", "Take away Markdown"),
        _T("settings", "Links, headings, rules and bold; *actions* stay."),
        per_chat=True,
    )
