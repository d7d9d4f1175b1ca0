"""Search of settings by the texts of their page, by everyday words and by key.

Dialogs that hold settings of their own are found as well.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from PySide6.QtCore import QCoreApplication

from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP
from engram_desktop.domain.setting import Setting
from engram_desktop.domain.settings import DECLARED
from engram_desktop.domain.values import dataclass
from engram_desktop.viewmodels.settings.settings_form import (
    PAGES,
    TASKS,
    help_text,
    page_settings,
    section_title,
    title,
)
from engram_desktop.viewmodels.workspace.choice_texts import choice_text

_T = QT_TRANSLATE_NOOP
_OF_ENDPOINT = ("base_url", "model")  # settings that the form of every endpoint shows
# Everyday words for settings whose texts do not contain them; translated by language.
_EVERYDAY: dict[str, str] = {
    "ui.zoom": _T("EverydayWords", "font, letters, text size, bigger, larger, smaller, scale"),
    "ui.theme": _T("EverydayWords", "dark mode, night, colours, colors, black, white"),
    "ui.language": _T("EverydayWords", "translation, Chinese, English, Japanese, interface"),
    "ui.density": _T("EverydayWords", "compact, layout, spacing, interface"),
    "ui.motion": _T("EverydayWords", "animation, effects, transitions"),
    "ui.notify": _T("EverydayWords", "notification, alert, popup, sound"),
    "llm.base_url": _T("EverydayWords", "API key, password, token, provider, account, LLM, AI"),
    "llm.model": _T("EverydayWords", "LLM, AI, GPT, DeepSeek, Claude, Gemini, Ollama"),
    "llm.timeout": _T("EverydayWords", "timeout, waiting, slow, hangs"),
    "llm.parallel": _T("EverydayWords", "concurrency, threads, rate limit, 429, faster"),
    "embed.local": _T("EverydayWords", "offline, local model, vectors, memory use"),
    "llm.daily_tokens": _T("EverydayWords", "cost, money, spending, expensive, save, quota"),
    "embed.base_url": _T("EverydayWords", "API key, vectors, semantic search"),
    "rerank.base_url": _T("EverydayWords", "API key"),
    "net.proxy": _T("EverydayWords", "VPN, SOCKS, Clash, internet, connection, firewall"),
    "net.proxy_url": _T("EverydayWords", "VPN, SOCKS, Clash, port"),
    "keys.storage": _T("EverydayWords", "password, secret, privacy, security, keyring"),
    "backup.hours": _T("EverydayWords", "save, copy, restore, interval"),
    "library.wait": _T("EverydayWords", "timeout, busy, locked"),
    "persona.text": _T("EverydayWords", "my name, user, character, description"),
    "summary.interval": _T("EverydayWords", "how often, frequency"),
    "inject.tokens": _T("EverydayWords", "length, how much, cost"),
    "serve.endpoints": _T("EverydayWords", "API key, provider, upstream"),
    "serve.on_start": _T("EverydayWords", "autostart, API, proxy of memory"),
    "tavern.folder": _T("EverydayWords", "path, sync, import, location"),
    "lore.context": _T("EverydayWords", "lorebook, length"),
    "update.check": _T("EverydayWords", "upgrade, version"),
}
# Dialogs by the names of their openers, with their titles in the list of commands.
DOORS: dict[str, tuple[str, str]] = {
    "keys": (
        _T("Commands", "Keys…"),
        _T("EverydayWords", "shortcuts, hotkeys, keyboard, bindings"),
    ),
    "health": (
        _T("Commands", "Library health"),
        _T("EverydayWords", "backup, restore, repair, damaged, check, index, data"),
    ),
    "texts": (
        _T("Commands", "Scripts and prompts"),
        _T("EverydayWords", "prompt, template, regex, preset, system message"),
    ),
    "usage": (
        _T("Commands", "What models cost"),
        _T("EverydayWords", "cost, money, spending, tokens used, statistics, bill"),
    ),
    "about": (
        _T("Commands", "About Engram"),
        _T("EverydayWords", "version, licence, license, log, website"),
    ),
}


@dataclass(frozen=True, slots=True)
class FoundSetting:
    """A setting, and the page it stands on; ``page`` is empty for one of `DOORS`.

    ``why`` is the text that was found, if not its name.
    """

    page: str
    key: str
    title: str
    where: str
    why: str


def find_settings(text: str) -> list[FoundSetting]:
    """Return the settings that contain every word of ``text``; matches of the name come first."""
    words = text.casefold().split()
    if not words:
        return []
    ranked: list[tuple[int, FoundSetting]] = []
    for found, texts in [*_settings(), *_doors()]:
        together = "\n".join(texts).casefold()
        if all(word in together for word in words):
            rank = next((n for n, one in enumerate(texts) if words[0] in one.casefold()), 0)
            is_shown = 0 < rank < _SHOWN
            ranked.append((rank, replace(found, why=texts[rank]) if is_shown else found))
    return [one for _rank, one in sorted(ranked, key=lambda row: row[0])]


_SHOWN = 5  # the first texts of a setting, which its page shows


def _settings() -> Iterator[tuple[FoundSetting, tuple[str, ...]]]:
    """Yield every setting with its searched texts: name, texts of its page, everyday words."""
    for page, setting in _of_pages():
        name, where = title(setting), section_title(page)
        choices = " · ".join(choice_text(setting.key, choice) for choice in setting.choices)
        shown = (name, choices, help_text(setting), setting.key, where)
        in_english = (setting.title, *setting.choices)
        yield (
            FoundSetting(page, setting.key, name, where, ""),
            (*shown, *_everyday(_EVERYDAY.get(setting.key, "")), *in_english),
        )


def _doors() -> Iterator[tuple[FoundSetting, tuple[str, ...]]]:
    where = QCoreApplication.translate("EverydayWords", "Opens beside the settings")
    for name, (text, words) in DOORS.items():
        shown = QCoreApplication.translate("Commands", text)
        yield FoundSetting("", name, shown, where, ""), (shown, "", "", "", "", *_everyday(words))


def _everyday(words: str) -> tuple[str, ...]:
    """Return everyday words in the window's language and in English."""
    return (QCoreApplication.translate("EverydayWords", words), words) if words else ()


def _of_pages() -> Iterator[tuple[str, Setting]]:
    for task in TASKS:
        for name in _OF_ENDPOINT:
            yield task, DECLARED[f"{task}.{name}"]
    for page in (*TASKS, *PAGES):
        for setting in page_settings(page):
            yield page, setting
