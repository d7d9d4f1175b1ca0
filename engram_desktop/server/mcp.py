"""MCP: the memories of a library as tools of any program that speaks the protocol.

Over stdio (`engram mcp`), or below the server's own address. Tools that write are offered, and
obeyed, only while the setting ``serve.mcp_writes`` is on; each is a step that can be undone.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.transport_security import TransportSecuritySettings
from mcp.types import CallToolResult, InputRequiredResult, ToolAnnotations
from pydantic import ValidationError
from typing_extensions import override

from engram_desktop import __version__
from engram_desktop.domain.errors import InputError, KnownError
from engram_desktop.domain.marks import QT_TRANSLATE_NOOP
from engram_desktop.domain.phrase import Phrase
from engram_desktop.formats.lenient_json import storable
from engram_desktop.server.memory_tools import MemoryTools

if TYPE_CHECKING:
    from starlette.applications import Starlette

    from engram_desktop.domain.changes import Changes
    from engram_desktop.jobs.context import JobContext
    from engram_desktop.services.memory import Memory

_T = QT_TRANSLATE_NOOP
_INSTRUCTIONS = (
    "Long-term memory of role-play chats. Floors count from 0. Ask `chats` for names first."
    " Give `as_character` to be told only what that character knows."
)
_READS = ToolAnnotations(read_only_hint=True, open_world_hint=False)
_WRITES = ToolAnnotations(read_only_hint=False, destructive_hint=False, open_world_hint=False)


def build_mcp(
    memory: Memory,
    make_context: Callable[[], JobContext],
    on_changes: Callable[[Changes], object],
) -> MCPServer[Any]:
    """Return a server with all tools; whether those that write are offered is asked each time."""
    tools = MemoryTools(memory, make_context, on_changes)
    server: MCPServer[Any] = _Offering(memory)
    reading: tuple[Callable[..., Any], ...] = (
        tools.chats,
        tools.recall,
        tools.inject,
        tools.events,
        tools.entities,
        tools.state,
    )
    writing: tuple[Callable[..., Any], ...] = (tools.note_event, tools.set_state)
    for tool in reading:
        server.add_tool(_known(memory, tool), annotations=_READS)
    for tool in writing:
        server.add_tool(_known(memory, _allowed(memory, tool)), annotations=_WRITES)
    return server


def mcp_app(server: MCPServer[Any]) -> Starlette:
    """Return the server as an application below the path it is mounted at.

    Who may reach it is the guard's business, which stands before every path: hosts, origins, key.
    """
    return server.streamable_http_app(
        streamable_http_path="/",
        stateless_http=True,  # each call says all it needs: nothing is held between two
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
    )


class _Offering(MCPServer[Any]):
    """Lists tools that write only while they are allowed."""

    def __init__(self, memory: Memory) -> None:
        super().__init__(
            "Engram", instructions=_INSTRUCTIONS, version=__version__, log_level="ERROR"
        )
        self._memory = memory

    @override
    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        # half a character in what was asked could not be quoted in an answer
        name, arguments = json.loads(storable(json.dumps([name, arguments], ensure_ascii=False)))
        try:
            return await super().call_tool(name, arguments, context)
        except ToolError as error:
            wrong = error.__cause__
            if isinstance(wrong, ValidationError):
                raise ToolError(_in_words(wrong)) from error
            raise

    @override
    async def list_tools(self) -> list[Any]:
        tools = await super().list_tools()
        if self._memory.settings.read().serve_mcp_writes:
            return tools
        return [tool for tool in tools if tool.annotations and tool.annotations.read_only_hint]


def _in_words(wrong: ValidationError) -> str:
    """Say which arguments are wrong, and how, in one line a model can act on."""
    faults = [
        f"{'.'.join(str(part) for part in fault['loc'])}: {fault['msg']}"
        for fault in wrong.errors(include_url=False, include_input=False)
    ]
    return f"Wrong arguments: {'; '.join(faults)}."


def _known(memory: Memory, tool: Callable[..., Any]) -> Callable[..., Any]:
    """Let known trouble reach the model in its own words, without a path of this computer."""

    @functools.wraps(tool)
    def run(*args: Any, **kwargs: Any) -> Any:
        try:
            return tool(*args, **kwargs)
        except KnownError as e:
            raise ToolError(str(e).replace(str(memory.folder), "…")) from e

    return run


def _allowed(memory: Memory, tool: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(tool)
    def run(*args: Any, **kwargs: Any) -> Any:
        if not memory.settings.read().serve_mcp_writes:
            raise InputError(
                Phrase(
                    _T(
                        "reports",
                        "Tools that write are off: the setting serve.mcp_writes allows them.",
                    )
                )
            )
        return tool(*args, **kwargs)

    return run
