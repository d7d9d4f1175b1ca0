"""The settings form, built from the declarations of settings; values are saved as they change.

Also endpoints with their keys and presets.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Literal

from PySide6.QtCore import QCoreApplication, QObject, Signal, Slot
from typing_extensions import override

from engram_desktop.domain.address import clean_url, shown_url
from engram_desktop.domain.changes import Changes
from engram_desktop.domain.errors import BadEndpoint, BadSetting, KnownError
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP
from engram_desktop.domain.setting import Setting
from engram_desktop.domain.settings import DECLARED, Settings
from engram_desktop.domain.values import dataclass
from engram_desktop.jobs.context import JobContext
from engram_desktop.qtjobs.runner import JobHandle
from engram_desktop.viewmodels.workspace.choice_texts import choice_text
from engram_desktop.viewmodels.workspace.messages import describe, translated
from engram_desktop.viewmodels.workspace.workspace import (
    Change,
    TypingPlace,
    Workspace,
    WorkspaceModel,
)


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


# Sections, or single settings, of each page.
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


# Settings on the page of an endpoint besides its address, key and model.
OF_ENDPOINT: dict[str, tuple[str, ...]] = {
    "llm": ("llm.timeout", "llm.parallel"),
    "embed": ("embed.local",),
    "rerank": (),
}


def page_settings(page: str) -> list[Setting]:
    """Return the settings of one page of the dialog, in declaration order.

    For the page of an endpoint, those of `OF_ENDPOINT`.
    """
    sections = OF_ENDPOINT[page] if page in OF_ENDPOINT else PAGES[page]
    return [s for s in DECLARED.values() if s.key in sections or s.key.split(".")[0] in sections]


def title(setting: Setting) -> str:
    return QCoreApplication.translate("settings", setting.title)


def help_text(setting: Setting) -> str:
    """Return the help text of a setting, with its choices by their display names."""
    text = QCoreApplication.translate("settings", setting.help) if setting.help else ""
    if not setting.choices:
        return text
    choices = "|".join(map(re.escape, filter(None, setting.choices)))
    told = rf"(?<![A-Za-z_])(?:{choices})(?=[:：])"
    return re.sub(told, lambda choice: choice_text(setting.key, choice[0]), text)


class SettingsForm(WorkspaceModel):
    changed = Signal(str)  # key
    refused = Signal(str, str)  # key, reason
    replaced = Signal(object)  # keys whose fields have to show another value

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(workspace, parent)
        self.values: Settings = workspace.memory.settings.stored()
        workspace.hub.changed.connect(self._on_changed)

    def value(self, key: str) -> Any:
        return self.values.get(key)

    def set(self, key: str, value: object) -> bool:
        """Check and save a value.

        Returns False and emits `refused` if the declaration forbids it.
        """
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
        """Return the values of a page that differ from their defaults."""
        values = {one.key: self.values.get(one.key) for one in page_settings(page)}
        return {key: value for key, value in values.items() if value != DECLARED[key].default}

    def restore(self, page: str) -> dict[str, Any]:
        """Restore the defaults of a page; return the values it had, for `put_back`."""
        before = self.set_here(page)
        memory, keys = self._space.memory, tuple(before)
        self._replace(
            {key: DECLARED[key].default for key in keys},
            self.tr("Restoring defaults"),
            lambda _ctx: memory.settings.restore(keys),
        )
        return before

    def put_back(self, before: Mapping[str, Any]) -> None:
        """Set the values that `restore` removed."""
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
        """Show the stored values again after a failed change."""
        self.values = self._space.memory.settings.stored()
        self.replaced.emit(tuple(keys))

    @Slot(object, object)
    def _on_changed(self, changes: Changes, initiator: object) -> None:
        if changes.settings and initiator is not self:
            self.values = self._space.memory.settings.stored()


Task = Literal["llm", "embed", "rerank"]
TASKS: tuple[Task, ...] = ("llm", "embed", "rerank")
_PATHS: dict[Task, str] = {
    "llm": "chat/completions",
    "embed": "embeddings",
    "rerank": "rerank",
}


@dataclass(frozen=True, slots=True)
class Preset:
    """A well-known server. ``models`` are offered when the field is empty."""

    name: str
    base_url: str
    models: dict[str, str]


PRESETS: tuple[Preset, ...] = (
    Preset("DeepSeek", "https://api.deepseek.com/v1", {"llm": "deepseek-chat"}),
    Preset(
        "SiliconFlow",
        "https://api.siliconflow.cn/v1",
        {
            "llm": "deepseek-ai/DeepSeek-V3",
            "embed": "BAAI/bge-m3",
            "rerank": "BAAI/bge-reranker-v2-m3",
        },
    ),
    Preset("OpenRouter", "https://openrouter.ai/api/v1", {"llm": "deepseek/deepseek-chat"}),
    Preset(
        "OpenAI",
        "https://api.openai.com/v1",
        {"llm": "gpt-4o-mini", "embed": "text-embedding-3-small"},
    ),
    Preset("Ollama", "http://127.0.0.1:11434/v1", {}),
    Preset("LM Studio", "http://127.0.0.1:1234/v1", {}),
)


def final_url(task: Task, base_url: str) -> str:
    """Return the address that requests go to; empty without a base URL."""
    base = shown_url(base_url.strip()).rstrip("/")
    return f"{base}/{_PATHS[task]}" if base else ""


class EndpointFields(WorkspaceModel):
    """The endpoint of one task, as the form shows it."""

    tested = Signal(bool, str)  # whether it works, the server's message
    models_read = Signal(object)  # list[str]
    busy_changed = Signal(bool)
    key_saved = Signal()
    key_known = Signal(bool, str)  # whether a key is stored, the error if that is unknown

    def __init__(
        self, workspace: Workspace, form: SettingsForm, task: Task, parent: QObject | None = None
    ) -> None:
        super().__init__(workspace, parent)
        self._form = form
        self.task = task
        self._job: JobHandle | None = None

    @property
    def place(self) -> TypingPlace:
        """Return the typing place of this endpoint. The key is kept in the key store only."""
        return TypingPlace(f"endpoint {self.task}")

    @property
    def base_url(self) -> str:
        return str(self._form.value(f"{self.task}.base_url"))

    @property
    def model(self) -> str:
        return str(self._form.value(f"{self.task}.model"))

    def trouble(self, base_url: str) -> tuple[str, str]:
        """Return why an address cannot be used, and a warning about a usable one; "" for none."""
        try:
            clean_url(base_url)
        except BadEndpoint as error:
            return describe(error)[0], ""
        warning = self._space.memory.endpoints.warning(base_url)
        return "", translated(warning) if warning else ""

    def save(self, *, base_url: str, model: str) -> tuple[bool, bool]:
        """Save address and model; return for each whether it is valid."""
        return (
            self._form.set(f"{self.task}.base_url", base_url),
            self._form.set(f"{self.task}.model", model),
        )

    def save_key(self, key: str) -> None:
        memory, task = self._space.memory, self.task
        job = self._space.run(
            self.tr("Saving a key"), lambda _ctx: memory.endpoints.set_key(task, key.strip())
        )
        job.succeeded.connect(self.key_saved)

    def look_for_key(self) -> None:
        """Check whether a key is stored; emits `key_known`."""
        memory, task = self._space.memory, self.task
        job = self._space.jobs.submit(
            "", lambda _ctx: memory.endpoints.has_key(task), lane="interactive"
        )
        job.succeeded.connect(self._on_key_known)
        job.failed.connect(self._on_key_lost)

    def test(self, *, base_url: str, model: str, key: str) -> None:
        values = {"base_url": base_url.strip(), "model": model.strip(), "key": key.strip()}
        memory, task = self._space.memory, self.task
        if values["base_url"] and not values["model"]:
            text = self.tr("No model is chosen. Press “List models”, or type its name.")
            self.tested.emit(False, text)
            return
        self._start(
            self._space.jobs.submit(
                "", lambda ctx: memory.endpoints.test(ctx, task, values), lane="interactive"
            )
        ).succeeded.connect(self._on_tested)

    def list_models(self, *, base_url: str, key: str) -> None:
        values = {"base_url": base_url.strip(), "key": key.strip()}
        memory, task = self._space.memory, self.task
        self._start(
            self._space.jobs.submit(
                "", lambda ctx: memory.endpoints.models(ctx, values, task), lane="interactive"
            )
        ).succeeded.connect(self.models_read)

    def cancel(self) -> None:
        if self._job is not None:
            self._job.cancel()

    def _start(self, job: JobHandle) -> JobHandle:
        self.cancel()
        self._job = job
        self.busy_changed.emit(True)
        job.failed.connect(self._on_failed)
        job.finished.connect(self._on_finished)
        return job

    @Slot(object)
    def _on_key_known(self, is_stored: bool) -> None:  # noqa: FBT001 - a job's result
        self.key_known.emit(is_stored, "")

    @Slot(object)
    def _on_key_lost(self, error: BaseException) -> None:
        if isinstance(error, KnownError):
            self.key_known.emit(False, " ".join(describe(error)).strip())
        else:
            self._space.messages.show_error(error)

    @Slot(object)
    def _on_tested(self, answer: dict[str, Any]) -> None:
        text = self.tr("{model} at {url} answered in {ms} ms.").format(
            model=answer["model"], url=answer["url"], ms=answer["latency_ms"]
        )
        if answer.get("dimension"):
            text += " " + self.tr("Vectors have %n dimension(s).", "", answer["dimension"])
        if answer.get("words"):
            text += f"\n“{answer['words']}”"
        self.tested.emit(True, text)

    @Slot(object)
    def _on_failed(self, error: BaseException) -> None:
        if isinstance(error, KnownError):
            self.tested.emit(False, "\n".join(part for part in describe(error) if part))
        else:
            self._space.messages.show_error(error)

    @Slot()
    def _on_finished(self) -> None:
        self.busy_changed.emit(False)


Rows = list[tuple[str, bool]]  # name, and whether it has a key


class UpstreamKeys(WorkspaceModel):
    read = Signal(object)  # Rows
    refused = Signal(str)

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(workspace, parent)
        workspace.hub.changed.connect(self._on_changed)

    def look(self) -> None:
        """Read the further endpoints, and which of them have their own key."""
        self._run(self._rows)

    def save(self, name: str, key: str) -> None:
        """Store the key of an endpoint; an empty key deletes it."""

        def saved(ctx: JobContext) -> Rows:
            self._space.memory.endpoints.set_upstream_key(name, key)
            return self._rows(ctx)

        self._run(saved)

    def _rows(self, _ctx: JobContext) -> Rows:
        endpoints = self._space.memory.endpoints
        has_key = endpoints.upstreams_with_key()
        return [(upstream.name, upstream.name in has_key) for upstream in endpoints.upstreams()]

    def _run(self, work: Callable[[JobContext], Rows]) -> None:
        job = self._space.jobs.submit("", work, lane="interactive")
        job.succeeded.connect(self.read)
        job.failed.connect(self._on_failed)

    @Slot(object, object)
    def _on_changed(self, changes: Changes, _initiator: object) -> None:
        if changes.settings:
            self.look()

    @Slot(object)
    def _on_failed(self, error: BaseException) -> None:
        if isinstance(error, KnownError):
            self.refused.emit(" ".join(part for part in describe(error) if part))
        else:
            self._space.messages.show_error(error)


class IndexToken(UpstreamKeys):
    """The token of the Chroma server, if a server is configured."""

    @override
    def save(self, name: str, key: str) -> None:
        def saved(ctx: JobContext) -> Rows:
            self._space.memory.endpoints.set_key("index", key)
            return self._rows(ctx)

        self._run(saved)

    @override
    def _rows(self, _ctx: JobContext) -> Rows:
        address = self._space.memory.settings.read().index_server
        return [(address, self._space.memory.endpoints.has_key("index"))] if address else []


# Search of settings by the texts of their page, by everyday words and by key. Dialogs that hold
# settings of their own are found as well.

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
