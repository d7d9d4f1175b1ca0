"""Finding a setting by what its page shows of it, in the language shown, and by its key."""

from __future__ import annotations

from collections.abc import Iterator

from engram_desktop.domain.setting import Setting
from engram_desktop.domain.settings.settings import DECLARED
from engram_desktop.domain.values import dataclass
from engram_desktop.viewmodels.settings.endpoint import TASKS
from engram_desktop.viewmodels.settings.settings_form import (
    PAGES,
    help_text,
    page_settings,
    section_title,
    title,
)
from engram_desktop.viewmodels.workspace.choice_texts import choice_text

_OF_ENDPOINT = ("base_url", "model")  # what the form of an endpoint shows of its settings


@dataclass(frozen=True, slots=True)
class FoundSetting:
    """A setting, and the page it stands on. ``why`` is the text that was found, if not its name."""

    page: str
    key: str
    title: str
    where: str
    why: str


def find_settings(text: str) -> list[FoundSetting]:
    """Return the settings in which every word of ``text`` stands; those so named first."""
    words = text.casefold().split()
    if not words:
        return []
    ranked: list[tuple[int, FoundSetting]] = []
    for page, setting in _all():
        texts = _texts(page, setting)
        together = "\n".join(texts).casefold()
        if all(word in together for word in words):
            rank = next((n for n, one in enumerate(texts) if words[0] in one.casefold()), 0)
            why = texts[rank] if rank else ""
            name = title(setting)
            ranked.append((rank, FoundSetting(page, setting.key, name, section_title(page), why)))
    return [found for _rank, found in sorted(ranked, key=lambda one: one[0])]


def _texts(page: str, setting: Setting) -> tuple[str, ...]:
    """What is looked through, the name first, the page it stands on last."""
    choices = " · ".join(choice_text(setting.key, choice) for choice in setting.choices)
    return (title(setting), choices, help_text(setting), setting.key, section_title(page))


def _all() -> Iterator[tuple[str, Setting]]:
    for task in TASKS:
        for name in _OF_ENDPOINT:
            yield task, DECLARED[f"{task}.{name}"]
    for page in PAGES:
        for setting in page_settings(page):
            yield page, setting
