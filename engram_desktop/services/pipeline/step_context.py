"""What a step of the pipeline works with: chat, branch, settings, prompts, model."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import TYPE_CHECKING, Literal

from engram_desktop.domain.errors import MemoryOff
from engram_desktop.domain.graph.entity import EntityType
from engram_desktop.domain.memory.line import MAIN_BRANCH, Line
from engram_desktop.domain.pipeline.draft import ExtractorChoice
from engram_desktop.domain.pipeline.prompt_template import PromptTask, StoryRenderer
from engram_desktop.domain.settings import Settings
from engram_desktop.domain.state.tree import State
from engram_desktop.domain.values import dataclass
from engram_desktop.formats.javascript.engine import JavaScript
from engram_desktop.jobs.context import JobContext
from engram_desktop.llm.client import Client, OnCall
from engram_desktop.services.events.blocks import renderer_of
from engram_desktop.services.library.session import Clients
from engram_desktop.services.library.usage import Meter
from engram_desktop.services.prompts.native import Native
from engram_desktop.services.prompts.prompts import Prompts
from engram_desktop.storage.chat.chat_store import ChatStore

if TYPE_CHECKING:
    from engram_desktop.services.library.session import Session
    from engram_desktop.services.prompts.prompts import ChatPrompts
    from engram_desktop.services.state import StateService
    from engram_desktop.services.worldbooks.worldbook_service import WorldbookService


@dataclass(frozen=True, slots=True)
class StepContext:
    """One branch of one chat, and everything a step needs to work on it.

    ``review``: a model's events wait as drafts until the user has reviewed them. ``native``: what
    is done to messages before a model reads them.
    """

    store: ChatStore
    ctx: JobContext
    clients: Clients
    settings: Settings
    renderer: StoryRenderer
    meter: Meter
    branch_id: str = MAIN_BRANCH
    review: bool = False
    native: Native = field(default_factory=lambda: Native((), JavaScript()))
    prompts: Prompts = field(default_factory=Prompts)
    worldbook: Callable[[int], str] = lambda _floor: ""  # the worldbooks' text after a floor
    names: Callable[[], Mapping[str, EntityType]] = dict  # names in cards, worldbooks and the graph
    state: Callable[[int], State] = lambda _floor: {}  # after a floor

    def client(self, task: PromptTask, on_call: OnCall) -> Client:
        """Return the client for a task. Raises NotConfigured, BadEndpoint, BadKey."""
        return self.clients.llm(task, on_call, self.prompts.override(task))

    def model(self, task: PromptTask) -> str:
        """Return the name of the model that a task asks."""
        return self.prompts.override(task).model or self.clients.model("llm")


def choose(clients: Clients, choice: ExtractorChoice) -> Literal["llm", "extractive"]:
    """Return the extractor to use: ``auto`` is the model if there is one."""
    if choice == "auto":
        return "llm" if clients.has_llm() else "extractive"
    return choice


class StepContexts:
    """Makes the `StepContext` of each step; every service of the pipeline holds one."""

    def __init__(
        self,
        session: Session,
        chat_prompts: ChatPrompts,
        worldbooks: WorldbookService,
        state: StateService,
    ) -> None:
        self._session = session
        self._state = state
        self._chat_prompts = chat_prompts
        self._worldbooks = worldbooks

    def make(
        self, ctx: JobContext, line: Line, *, review: bool = False, works: bool = False
    ) -> StepContext:
        """Return what a step needs. Raises MemoryOff if it ``works`` and memory is off."""
        session = self._session
        store, settings = session.chat(line.chat_id), session.settings(line.chat_id)
        if works and settings.memory_mode == "off":
            raise MemoryOff
        native = self._chat_prompts.native(ctx, store, settings, line.branch_id)
        return StepContext(
            store,
            ctx,
            session.clients,
            settings,
            renderer_of(session, store),
            session.meter,
            line.branch_id,
            review,
            native,
            self._chat_prompts.prompts(ctx, store, settings, line.branch_id, native),
            lambda floor: self._worldbooks.context(ctx, line, floor),
            lambda: self._worldbooks.known_names(line),
            lambda floor: self._state.tree(ctx, line, floor),
        )
