"""What a step of the pipeline is given: the chat, its branch, settings, prompts and clients."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Literal

from engram_desktop.domain.graph.entity import EntityType
from engram_desktop.domain.memory.ids import MAIN_BRANCH
from engram_desktop.domain.pipeline.drafts.draft import ExtractorChoice
from engram_desktop.domain.pipeline.prompt_template import PromptTask
from engram_desktop.domain.pipeline.render import StoryRenderer
from engram_desktop.domain.settings.settings import Settings
from engram_desktop.domain.state.tree import State
from engram_desktop.domain.values import dataclass
from engram_desktop.formats.javascript.engine import JavaScript
from engram_desktop.jobs.context import JobContext
from engram_desktop.llm.client.calls import OnCall
from engram_desktop.llm.client.client import Client
from engram_desktop.services.library.clients import Clients
from engram_desktop.services.library.usage.metering import Meter
from engram_desktop.services.prompts.native import Native
from engram_desktop.services.prompts.prompts import Prompts
from engram_desktop.storage.chat.chat_store import ChatStore


@dataclass(frozen=True, slots=True)
class Desk:
    """One branch of one chat, and what is needed to work on it.

    ``review``: what a model makes waits as a draft until the user has looked through it.
    ``native``: what messages go through before a model reads them.
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
    worldbook: Callable[[int], str] = lambda _floor: ""  # what worldbooks say after a floor
    names: Callable[[], Mapping[str, EntityType]] = dict  # of cards, worldbooks and the graph
    state: Callable[[int], State] = lambda _floor: {}  # after a floor

    def client(self, task: PromptTask, on_call: OnCall) -> Client:
        """Return the client for a task. Raises NotConfigured, BadEndpoint, BadKey."""
        return self.clients.llm(task, on_call, self.prompts.override(task))

    def model(self, task: PromptTask) -> str:
        """Name the model that is asked for a task."""
        return self.prompts.override(task).model or self.clients.model("llm")


def choose(clients: Clients, choice: ExtractorChoice) -> Literal["llm", "extractive"]:
    """Say which extractor ``auto`` means now."""
    if choice == "auto":
        return "llm" if clients.has_llm() else "extractive"
    return choice
