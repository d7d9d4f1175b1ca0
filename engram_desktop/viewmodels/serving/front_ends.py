"""How other programs are connected: what is to be typed where, program by program."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from engram_desktop.domain.values import dataclass


@dataclass(frozen=True, slots=True)
class FrontEnd:
    """``steps`` hold {url}, {root} or {key} where these are typed."""

    name: str
    steps: tuple[str, ...]

    def text(self, url: str, key: str) -> str:
        """Return the steps, one a line, with the address and the key in their places."""
        root = url.removesuffix("/v1")
        steps = (
            step.replace("{url}", url).replace("{root}", root).replace("{key}", key)
            for step in self.steps
        )
        return "\n".join(f"{n}. {step}" for n, step in enumerate(steps, start=1))


def front_ends() -> tuple[FrontEnd, ...]:
    """Return the programs there are steps for, the most used first."""
    fill_in = QCoreApplication.translate(
        "FrontEnds", "Fill in the address {url} and the key {key}."
    )
    choose = QCoreApplication.translate(
        "FrontEnds", "Choose the model you use here, and talk as ever."
    )
    return (
        FrontEnd(
            "SillyTavern",
            (
                QCoreApplication.translate(
                    "FrontEnds", "API connections: Chat Completion, source “Custom”."
                ),
                fill_in,
                QCoreApplication.translate(
                    "FrontEnds", "Connect, and choose the model you use here."
                ),
                QCoreApplication.translate(
                    "FrontEnds",
                    "Or keep the connection you have, and install the companion: it asks for memory"
                    " before each reply.",
                ),
            ),
        ),
        FrontEnd(
            "RisuAI",
            (
                QCoreApplication.translate(
                    "FrontEnds", "Settings, Chat Bot: model “Custom API” (OpenAI compatible)."
                ),
                fill_in,
                choose,
            ),
        ),
        FrontEnd(
            "Open WebUI",
            (
                QCoreApplication.translate(
                    "FrontEnds", "Admin Panel, Settings, Connections: add an OpenAI connection."
                ),
                fill_in,
                QCoreApplication.translate(
                    "FrontEnds",
                    "If it runs in a container, open the server to the network in the settings, and"
                    " use this computer's address instead of 127.0.0.1.",
                ),
            ),
        ),
        FrontEnd(
            "LobeChat",
            (
                QCoreApplication.translate("FrontEnds", "Settings, AI Service Provider, OpenAI."),
                fill_in,
                QCoreApplication.translate(
                    "FrontEnds",
                    "If it asks from the browser, name its address in the settings here, under"
                    " “Memory server: web pages that may use it”.",
                ),
            ),
        ),
        FrontEnd(
            "Chatbox",
            (
                QCoreApplication.translate(
                    "FrontEnds", "Settings, Model Provider: add one, of the OpenAI API."
                ),
                fill_in,
                choose,
            ),
        ),
        FrontEnd(
            QCoreApplication.translate("FrontEnds", "Any other program"),
            (
                QCoreApplication.translate(
                    "FrontEnds", "Look for “OpenAI compatible”, “base URL” or “API address”."
                ),
                fill_in,
                QCoreApplication.translate(
                    "FrontEnds",
                    "To say yourself which chat it is, use {root}/chat/NAME/v1 with the chat's"
                    " name.",
                ),
            ),
        ),
        FrontEnd(
            "MCP",
            (
                QCoreApplication.translate(
                    "FrontEnds", "A program that starts tools: command “engram”, argument “mcp”."
                ),
                QCoreApplication.translate(
                    "FrontEnds", "One that asks over HTTP: {root}/mcp, with the key {key}."
                ),
                QCoreApplication.translate(
                    "FrontEnds", "Tools that write are allowed in the settings."
                ),
            ),
        ),
    )
