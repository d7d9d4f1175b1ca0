"""The settings as a form: made from their declarations, checked by them, saved as they change."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from PySide6.QtCore import QCoreApplication, QObject, Signal, Slot

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.errors import BadSetting
from engram_desktop.domain.setting import Setting
from engram_desktop.domain.settings.settings import DECLARED, Settings
from engram_desktop.jobs.context import JobContext
from engram_desktop.viewmodels.workspace.choice_texts import choice_text
from engram_desktop.viewmodels.workspace.messages import describe
from engram_desktop.viewmodels.workspace.workspace import Change, Workspace


def section_title(section: str) -> str:
    titles = {
        "llm": QCoreApplication.translate("SettingsForm", "Language model"),
        "embed": QCoreApplication.translate("SettingsForm", "Embedding model"),
        "rerank": QCoreApplication.translate("SettingsForm", "Reranker"),
        "summary": QCoreApplication.translate("SettingsForm", "Summaries"),
        "auto": QCoreApplication.translate("SettingsForm", "Automation"),
        "cost": QCoreApplication.translate("SettingsForm", "Limit and prices"),
        "persona": QCoreApplication.translate("SettingsForm", "Player"),
        "clean": QCoreApplication.translate("SettingsForm", "Text of messages"),
        "buffer": QCoreApplication.translate("SettingsForm", "Buffer"),
        "recall": QCoreApplication.translate("SettingsForm", "Recall and injection"),
        "play": QCoreApplication.translate("SettingsForm", "Play, and who knows what"),
        "lore": QCoreApplication.translate("SettingsForm", "World books"),
        "graph": QCoreApplication.translate("SettingsForm", "Entities and relations"),
        "index": QCoreApplication.translate("SettingsForm", "Vector index"),
        "tavern": QCoreApplication.translate("SettingsForm", "SillyTavern folder"),
        "serve": QCoreApplication.translate("SettingsForm", "Memory for other programs"),
        "ui": QCoreApplication.translate("SettingsForm", "Appearance"),
        "keys": QCoreApplication.translate("SettingsForm", "Keys and safety"),
        "net": QCoreApplication.translate("SettingsForm", "Network"),
        "update": QCoreApplication.translate("SettingsForm", "Newer versions"),
    }
    return titles[section]


# Sections, or single settings, of each page; an endpoint has a page of its own.
PAGES: dict[str, tuple[str, ...]] = {
    "ui": ("ui", "card"),
    "summary": ("summary", "memory"),
    "auto": ("auto", "review", "reflect"),
    "cost": ("llm.daily_tokens", "llm.price_in", "llm.price_out", "llm.currency"),
    "persona": ("persona",),
    "clean": ("native", "clean"),
    "buffer": ("buffer", "visible", "outline"),
    "recall": ("recall", "inject"),
    "play": ("play", "presence"),
    "lore": ("lore",),
    "graph": ("graph", "entities"),
    "index": ("index",),
    "tavern": ("tavern",),
    "serve": ("serve",),
    "keys": ("keys", "library", "backup", "undo"),
    "net": ("net",),
    "update": ("update",),
}


def page_settings(page: str) -> list[Setting]:
    """Return the settings of one page of the dialog, in declaration order."""
    sections = PAGES[page]
    return [s for s in DECLARED.values() if s.key in sections or s.key.split(".")[0] in sections]


def title(setting: Setting) -> str:
    return QCoreApplication.translate("settings", setting.title)


def help_text(setting: Setting) -> str:
    """Return what a setting is for; what it can be stands there as it is chosen from."""
    text = QCoreApplication.translate("settings", setting.help) if setting.help else ""
    if not setting.choices:
        return text
    choices = "|".join(map(re.escape, filter(None, setting.choices)))
    told = rf"(?<![A-Za-z_])(?:{choices})(?=[:：])"
    return re.sub(told, lambda choice: choice_text(setting.key, choice[0]), text)


class SettingsForm(QObject):
    changed = Signal(str)  # key
    refused = Signal(str, str)  # key, why
    replaced = Signal(object)  # keys whose fields are to show another value

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._space = workspace
        self.values: Settings = workspace.memory.settings.stored()
        workspace.hub.changed.connect(self._on_changed)

    def value(self, key: str) -> Any:
        return self.values.get(key)

    def set(self, key: str, value: object) -> bool:
        """Check and save. False, and `refused`, when the declaration does not allow it."""
        try:
            parsed = DECLARED[key].check(value)
        except BadSetting as error:
            self.refused.emit(key, describe(error)[0])
            return False
        if parsed != self.values.get(key):
            self.values = self.values.replaced({key: parsed})
            memory = self._space.memory
            self._space.change(
                self.tr("Saving a setting"),
                lambda _ctx: memory.settings.set(key, parsed),
                initiator=self,
            )
            self.changed.emit(key)
        return True

    def set_here(self, page: str) -> dict[str, Any]:
        """Return what is set on a page and is no default."""
        values = {one.key: self.values.get(one.key) for one in page_settings(page)}
        return {key: value for key, value in values.items() if value != DECLARED[key].default}

    def restore(self, page: str) -> dict[str, Any]:
        """Let the defaults of a page hold again; return what was set, for `put_back`."""
        before = self.set_here(page)
        memory, keys = self._space.memory, tuple(before)
        self._replace(
            {key: DECLARED[key].default for key in keys},
            self.tr("Restoring defaults"),
            lambda _ctx: memory.settings.restore(keys),
        )
        return before

    def put_back(self, before: Mapping[str, Any]) -> None:
        """Set again what `restore` took away."""
        memory = self._space.memory

        def put(_ctx: JobContext) -> Changes:
            for key, value in before.items():
                memory.settings.set(key, value)
            return Changes(settings=True)

        self._replace(before, self.tr("Putting settings back"), put)

    def _replace(self, values: Mapping[str, Any], words: str, work: Change) -> None:
        if not values:
            return
        self.values = self.values.replaced(dict(values))
        job = self._space.change(words, work, initiator=self)
        job.failed.connect(lambda _error: self._read_again(values))
        self.replaced.emit(tuple(values))

    def _read_again(self, keys: Iterable[str]) -> None:
        """Show what is stored: it could not be changed."""
        self.values = self._space.memory.settings.stored()
        self.replaced.emit(tuple(keys))

    @Slot(object, object)
    def _on_changed(self, changes: Changes, initiator: object) -> None:
        if changes.settings and initiator is not self:
            self.values = self._space.memory.settings.stored()
