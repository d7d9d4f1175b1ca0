"""A server of models that runs on this computer, and the ports such servers usually take."""

from __future__ import annotations

from engram_desktop.domain.values import dataclass

# Each as its own program sets it when nobody says otherwise.
USUAL_PORTS: tuple[tuple[str, int], ...] = (
    ("Ollama", 11434),
    ("LM Studio", 1234),
    ("llama.cpp", 8080),
    ("KoboldCpp", 5001),
    ("vLLM", 8000),
    ("text-generation-webui", 5000),
)


@dataclass(frozen=True, slots=True)
class LocalServer:
    """One that answered. ``name`` is whose port it is; ``models`` are what it offers."""

    name: str
    base_url: str
    models: tuple[str, ...]
