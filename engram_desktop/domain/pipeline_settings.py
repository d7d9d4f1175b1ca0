"""The settings of the pipeline: summaries, outlines, entities, automation.

Also which parts of a message are story (player, scripts, exclusions), and how messages are scanned
for worldbook entries (defaults: SillyTavern's).
"""

from __future__ import annotations

from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP
from engram_desktop.domain.setting import setting
from engram_desktop.domain.values import dataclass

_T = QT_TRANSLATE_NOOP


@dataclass(frozen=True)
class ScanSettings:
    """A part of `Settings`; SillyTavern's own names of them are in `formats.tavern.settings`."""

    lore_depth: int = setting(
        "lore.depth",
        2,
        _T("settings", "Messages scanned"),
        _T("settings", "How many of the last messages are searched for keywords."),
        bounds=(0, 1_000_000),
    )
    lore_context: int = setting(
        "lore.context",
        32_000,
        _T("settings", "Context of the chat model, in tokens"),
        bounds=(512, 2_000_000),
    )
    lore_budget: int = setting(
        "lore.budget", 25, _T("settings", "Share of the context, in percent"), bounds=(1, 100)
    )
    lore_cap: int = setting(
        "lore.cap",
        0,
        _T("settings", "Tokens at most"),
        _T("settings", "0 leaves it to the share of the context."),
        bounds=(0, 2_000_000),
    )
    lore_recursive: bool = setting(
        "lore.recursive", False, _T("settings", "Entries can mention other entries")
    )
    lore_max_steps: int = setting(
        "lore.max_steps",
        0,
        _T("settings", "Rounds of scanning at most"),
        _T("settings", "0 goes on until nothing new is mentioned."),
        bounds=(0, 10),
    )
    lore_min_activations: int = setting(
        "lore.min_activations",
        0,
        _T("settings", "Entries wanted at least"),
        _T("settings", "Older messages are scanned until this many entries fire. 0: none are."),
        bounds=(0, 100),
    )
    lore_max_depth: int = setting(
        "lore.max_depth",
        0,
        _T("settings", "Most messages scanned for them"),
        _T("settings", "How far back entries wanted at least are looked for. 0 is the whole chat."),
        bounds=(0, 1_000_000),
    )
    lore_include_names: bool = setting(
        "lore.include_names", True, _T("settings", "Names of speakers are scanned")
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
        "lore.group_scoring", False, _T("settings", "In a group, the entry with most keywords wins")
    )
    lore_scan_notes: bool = setting(
        "lore.scan_notes",
        False,
        _T("settings", "Author's notes are scanned"),
        _T("settings", "The chat's, and the one a character has."),
    )
    lore_scan_summary: bool = setting(
        "lore.scan_summary", False, _T("settings", "Summaries of SillyTavern are scanned")
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
        "lore.meaning_all", False, _T("settings", "All entries fire by meaning, marked or not")
    )
    lore_meaning_entries: int = setting(
        "lore.meaning_entries",
        5,
        _T("settings", "Entries that fire by meaning at most"),
        bounds=(1, 100),
    )
    lore_meaning_messages: int = setting(
        "lore.meaning_messages",
        2,
        _T("settings", "Messages that meaning is taken from"),
        bounds=(1, 100),
    )


# Only `Settings` is ever instantiated: unused methods of this class would take 1.5 ms at start.
@dataclass(frozen=True)
class PipelineSettings(ScanSettings):
    """A part of `Settings`; each can be set for one chat."""

    # how messages are read
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
        _T("settings", "If it is unclear who was there"),
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
        _T("settings", "Status bars, folded details, tables, choices, scripts and styles."),
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

    # summaries, trimming and what is visible
    summary_interval: int = setting(
        "summary.interval",
        25,
        _T("settings", "Floors per summary"),
        _T("settings", "How many messages one summary covers."),
        bounds=(5, 200),
        per_chat=True,
    )
    summary_newest: int = setting(
        "summary.newest",
        10,
        _T("settings", "Newest floors left alone"),
        _T("settings", "They may still be rerolled or edited."),
        bounds=(0, 200),
        per_chat=True,
    )
    buffer_events: int = setting(
        "buffer.events",
        10,
        _T("settings", "Buffer: events"),
        _T("settings", "Consolidate when this many events wait; 0 is never."),
        bounds=(0, 1000),
        per_chat=True,
    )
    buffer_tokens: int = setting(
        "buffer.tokens",
        4000,
        _T("settings", "Buffer: tokens"),
        _T("settings", "Consolidate when the waiting events cost so much; 0 is never."),
        bounds=(0, 1_000_000),
        per_chat=True,
    )
    visible_tokens: int = setting(
        "visible.tokens",
        4096,
        _T("settings", "Limit of always-visible text (tokens)"),
        _T("settings", "Above it, old events are merged into outlines."),
        bounds=(256, 1_000_000),
        per_chat=True,
    )
    visible_newest: int = setting(
        "visible.newest",
        3,
        _T("settings", "Newest events in full"),
        _T(
            "settings",
            "Automatic consolidation leaves this many in the buffer; the story so far gives them in"
            " full.",
        ),
        bounds=(0, 100),
        per_chat=True,
    )
    outline_extractor: str = setting(
        "outline.extractor",
        "auto",
        _T("settings", "Outlines are written"),
        _T(
            "settings",
            "auto: by the model, if one is set up, one request for about ten events;"
            " extractive: by choosing sentences, without a request.",
        ),
        choices=("auto", "extractive"),
        per_chat=True,
    )
    memory_mode: str = setting(
        "memory.mode",
        "graph",
        _T("settings", "Memory mode"),
        _T("settings", "off: nothing is summarised or injected."),
        choices=("off", "vector", "graph"),
        per_chat=True,
    )
    graph_entities_per_message: float = setting(
        "graph.entities_per_message",
        2.0,
        _T("settings", "New entities per message, at most"),
        _T("settings", "Keeps a bad answer from flooding the graph; known entities are free."),
        bounds=(0, 100),
        per_chat=True,
    )
    graph_relations_per_message: float = setting(
        "graph.relations_per_message",
        3.0,
        _T("settings", "New relations per message, at most"),
        _T("settings", "As above, for the edges between entities."),
        bounds=(0, 100),
        per_chat=True,
    )
    entities_interval: int = setting(
        "entities.interval",
        50,
        _T("settings", "Floors per update of profiles"),
        _T("settings", "How often a model is asked what is new about entities; 0 is never."),
        bounds=(0, 1000),
        per_chat=True,
    )
    entities_dialogue: bool = setting(
        "entities.dialogue",
        False,
        _T("settings", "Profiles from the messages too"),
        _T(
            "settings",
            "An update of profiles reads the messages themselves, not only the events made of them:"
            " looks and habits that no event mentions, for about as many tokens as the messages"
            " have.",
        ),
        per_chat=True,
    )
    auto_enabled: bool = setting(
        "auto.enabled",
        True,
        _T("settings", "Summarise, consolidate and trim automatically"),
        _T(
            "settings",
            "As messages arrive. With a model, a backlog of more than three blocks is never started"
            " without asking first.",
        ),
        per_chat=True,
    )
    reflect_auto: bool = setting(
        "reflect.auto",
        True,
        _T("settings", "Look back on a session by itself"),
        _T(
            "settings",
            "With a model: when the buffer is full and when a session is over, events that were"
            " missed and what each character keeps to itself are noted, one request for each"
            " character and block. It is announced and can be undone.",
        ),
        per_chat=True,
    )
    reflect_idle: int = setting(
        "reflect.idle",
        30,
        _T("settings", "A session is over after minutes of silence"),
        _T(
            "settings",
            "One that was open when the program was closed is looked back on when its chat is shown"
            " again, if it has been silent for so long.",
        ),
        bounds=(1, 1440),
        per_chat=True,
    )
    review_enabled: bool = setting(
        "review.enabled",
        True,
        _T("settings", "Review before saving"),
        _T("settings", "What a model wrote waits until you have looked through it."),
        per_chat=True,
    )
