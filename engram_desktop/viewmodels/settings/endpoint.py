"""Set up one endpoint: presets, the address that will really be called, a test, the model list."""

from __future__ import annotations

from typing import Any, Literal

from PySide6.QtCore import QObject, Signal, Slot

from engram_desktop.domain.address import shown_url
from engram_desktop.domain.errors import BadSetting, KnownError
from engram_desktop.domain.settings.settings import DECLARED
from engram_desktop.domain.values import dataclass
from engram_desktop.qtjobs.handle import JobHandle
from engram_desktop.viewmodels.settings.settings_form import SettingsForm
from engram_desktop.viewmodels.workspace.messages import describe, translated
from engram_desktop.viewmodels.workspace.unsaved_texts import Place, UnsavedTexts
from engram_desktop.viewmodels.workspace.workspace import Workspace

Task = Literal["llm", "embed", "rerank"]
TASKS: tuple[Task, ...] = ("llm", "embed", "rerank")
_PATHS: dict[Task, str] = {
    "llm": "chat/completions",
    "embed": "embeddings",
    "rerank": "rerank",
}


@dataclass(frozen=True, slots=True)
class Preset:
    """A well-known server. ``models`` are only what is put in when the field is empty."""

    name: str
    base_url: str
    models: dict[str, str]
    needs_key: bool = True


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
    Preset("Ollama", "http://127.0.0.1:11434/v1", {}, needs_key=False),
    Preset("LM Studio", "http://127.0.0.1:1234/v1", {}, needs_key=False),
)


def final_url(task: Task, base_url: str) -> str:
    """Return the address a request goes to; empty while there is no base URL."""
    base = shown_url(base_url.strip()).rstrip("/")
    return f"{base}/{_PATHS[task]}" if base else ""


class Endpoint(QObject):
    """One task's endpoint, as the form shows it."""

    tested = Signal(bool, str)  # is it well, the server's own words
    models_read = Signal(object)  # list[str]
    busy_changed = Signal(bool)
    key_saved = Signal()
    key_known = Signal(bool, str)  # is one stored, and why not if that is trouble

    def __init__(
        self, workspace: Workspace, form: SettingsForm, task: Task, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._space = workspace
        self._form = form
        self.task = task
        self._job: JobHandle | None = None

    @property
    def unsaved(self) -> UnsavedTexts:
        return self._space.unsaved

    @property
    def place(self) -> Place:
        """Where this endpoint is edited. Its key is kept nowhere but where keys are."""
        return Place(f"endpoint {self.task}")

    @property
    def base_url(self) -> str:
        return str(self._form.value(f"{self.task}.base_url"))

    @property
    def model(self) -> str:
        return str(self._form.value(f"{self.task}.model"))

    def trouble(self, base_url: str) -> str:
        """Say why an address cannot be used, or what to beware of; empty if there is nothing."""
        try:
            DECLARED[f"{self.task}.base_url"].check(base_url)
        except BadSetting as error:
            return describe(error)[0]
        warning = self._space.memory.endpoints.warning(base_url)
        return translated(warning) if warning else ""

    def save(self, *, base_url: str, model: str) -> tuple[bool, bool]:
        """Save both; returns whether each may be so."""
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
        """Ask whether a key is stored."""
        memory, task = self._space.memory, self.task
        job = self._space.jobs.submit(
            "", lambda _ctx: memory.endpoints.has_key(task), lane="interactive"
        )
        job.succeeded.connect(self._on_key_known)
        job.failed.connect(self._on_key_lost)

    def test(self, *, base_url: str, model: str, key: str) -> None:
        values = {"base_url": base_url.strip(), "model": model.strip(), "key": key.strip()}
        memory, task = self._space.memory, self.task
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
        ).succeeded.connect(self._on_models_read)

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
    def _on_models_read(self, models: list[str]) -> None:
        self.models_read.emit(models)

    @Slot(object)
    def _on_failed(self, error: BaseException) -> None:
        if isinstance(error, KnownError):
            self.tested.emit(False, "\n".join(part for part in describe(error) if part))
        else:
            self._space.messages.show_error(error)

    @Slot()
    def _on_finished(self) -> None:
        self.busy_changed.emit(False)
