"""Build requests as front ends do, of a story that is known.

The shapes are what each program sends to an OpenAI-compatible server; the words are ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

_CONTINUE = "[Continue your last message without repeating its original content.]"


@dataclass(frozen=True)
class Says:
    """One message of a story as its front end holds it."""

    role: str
    name: str
    text: str


@dataclass
class Front:
    """A chat in a front end: who plays whom, and what has been said."""

    player: str
    char: str
    story: list[Says] = field(default_factory=list)
    system: str = ""

    def user(self, text: str) -> Says:
        return Says("user", self.player, text)

    def reply(self, text: str, name: str = "") -> Says:
        return Says("assistant", name or self.char, text)


def _row(role: str, text: str, name: str = "") -> dict[str, Any]:
    return {"role": role, "content": text} | ({"name": name} if name else {})


def tavern_chat(
    front: Front,
    story: Sequence[Says],
    *,
    named: str = "",
    lore: Sequence[tuple[int, str, str]] = (),
    examples: Sequence[Says] = (),
    last: Sequence[tuple[str, str]] = (),
    merged: str = "",
    parts: bool = False,
    goes_on: str = "",
) -> dict[str, Any]:
    """SillyTavern's chat completion.

    ``named`` puts names before texts ("content") or beside them ("field"); ``lore`` are (depth,
    role, text) put between messages; ``last`` are rows behind all; ``merged`` is a way of its
    prompt processing: "same" joins messages of a role, "single" all into one of the user.
    ``goes_on``: the newest message is to be gone on with, by an order ("nudge") behind it, or by
    its standing behind all ("prefill").
    """
    system = front.system or f"Write {front.char}'s next reply in a chat with {front.player}."
    rows = [_row("system", system), _row("system", "[Example Chat]")] if examples else []
    rows = rows or [_row("system", system)]
    for said in examples:
        rows.append(_row("system", said.text, f"example_{said.role}"))
    rows.append(_row("system", "[Start a new Chat]"))
    history = [_tavern_row(said, named) for said in story]
    newest = history[-1:] if goes_on else []
    if goes_on == "prefill":
        history.pop()
    count = len(history)  # a depth counts messages, and no other notes
    for depth, role, text in sorted(lore, key=lambda entry: entry[0]):
        history.insert(max(0, count - depth), _row(role, text))
    if goes_on == "nudge":
        history = [row for row in history if row is not newest[0]]
        newest = [*newest, _row("system", _CONTINUE)]
    rows += [*history, *newest, *(_row(role, text) for role, text in last)]
    if merged:
        rows = _merged(rows, front, merged)
    if parts:
        rows = [row | {"content": [{"type": "text", "text": row["content"]}]} for row in rows]
    return {"model": "any", "messages": rows, "stream": True, "stop": []}


def _tavern_row(said: Says, named: str) -> dict[str, Any]:
    if named == "content":
        return _row(said.role, f"{said.name}: {said.text}")
    return _row(said.role, said.text, said.name if named == "field" else "")


FILLERS = {"strict": "[Start a new chat]", "strict, old": "Let's get started."}


def _merged(rows: Sequence[dict[str, Any]], front: Front, way: str) -> list[dict[str, Any]]:
    """Do as SillyTavern's `mergeMessages`; "strict, old" has the filler of a bare configuration."""
    if way == "single":
        names = {"user": front.player, "assistant": front.char}
        rows = [row | {"role": "user", "content": _named(row, names)} for row in rows]
    merged = _squashed(rows)
    if way.startswith(("semi", "strict")):
        merged[1:] = [
            row | {"role": "user"} if row["role"] == "system" else row for row in merged[1:]
        ]
        if way in FILLERS and merged[1]["role"] != "user":
            merged.insert(1, _row("user", FILLERS[way]))
    return _squashed(merged)


def _named(row: dict[str, Any], names: dict[str, str]) -> str:
    before = f"{names[row['role']]}: " if row["role"] in names else ""
    text: str = row["content"]
    return text if text.startswith(before) else before + text


def _squashed(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    merged: list[dict[str, Any]] = []
    for row in rows:
        if merged and merged[-1]["role"] == row["role"]:
            merged[-1]["content"] += "\n\n" + row["content"]
        else:
            merged.append(dict(row))
    return merged


# (before the system prompt, before the player, before the other, behind a message)
TEMPLATES: dict[str, tuple[str, str, str, str]] = {
    "chatml": (
        "<|im_start|>system\n",
        "<|im_start|>user\n",
        "<|im_start|>assistant\n",
        "<|im_end|>\n",
    ),
    "alpaca": ("", "### Instruction:\n", "### Response:\n", "\n\n"),
    "mistral": ("", "[INST] ", " [/INST] ", ""),
    "llama3": (
        "<|start_header_id|>system<|end_header_id|>\n\n",
        "<|start_header_id|>user<|end_header_id|>\n\n",
        "<|start_header_id|>assistant<|end_header_id|>\n\n",
        "<|eot_id|>",
    ),
    "chatml, by names": (
        "<|im_start|>system\n",
        "<|im_start|>{name}\n",
        "<|im_start|>{name}\n",
        "<|im_end|>\n",
    ),
    "llama3, by names": (
        "<|start_header_id|>system<|end_header_id|>\n\n",
        "<|start_header_id|>{name}<|end_header_id|>\n\n",
        "<|start_header_id|>{name}<|end_header_id|>\n\n",
        "<|eot_id|>",
    ),
    "names": ("", "", "", "\n"),
}
# (before an entry of lore or an author's note between messages, behind it): as a message of the
# system, or of the player where a template has none of its own
NOTES: dict[str, tuple[str, str]] = {
    "chatml": ("<|im_start|>system\n", "<|im_end|>\n"),
    "alpaca": ("### Input:\n", "\n\n"),
    "mistral": ("[INST] ", ""),
    "llama3": ("<|start_header_id|>system<|end_header_id|>\n\n", "<|eot_id|>"),
    "chatml, by names": ("<|im_start|>system\n", "<|im_end|>\n"),
    "llama3, by names": ("<|start_header_id|>system<|end_header_id|>\n\n", "<|eot_id|>"),
    "names": ("", "\n"),
}


def tavern_text(
    front: Front,
    story: Sequence[Says],
    *,
    template: str = "chatml",
    named: bool = True,
    lore: Sequence[tuple[int, str]] = (),
    ends: str = "reply",
    speaker: str = "",
) -> dict[str, Any]:
    """SillyTavern's text completion; ``ends``: reply, continue, impersonate."""
    before, to_user, to_other, behind = TEMPLATES[template]
    system = front.system or f"This is a chat of {front.player} and {front.char}."
    pieces = [f"{before}{system}{behind}***\n"]
    history: list[str] = []
    for n, said in enumerate(story):
        name = f"{said.name}: " if named or template == "names" else ""
        is_open = ends == "continue" and n == len(story) - 1
        end = "" if is_open else behind
        mark = (to_user if said.role == "user" else to_other).format(name=said.name)
        history.append(mark + name + said.text + end)
    to_system, behind_system = NOTES[template]
    for depth, text in lore:
        history.insert(max(0, len(history) - depth), f"{to_system}{text}{behind_system}")
    pieces += history
    if ends == "reply":
        name = f"{speaker or front.char}:" if named or template == "names" else ""
        mark = to_other.format(name=speaker or front.char)
        pieces.append((mark + name).rstrip(" ") if name else mark)
    elif ends == "impersonate":
        pieces.append(f"{to_user.format(name=front.player)}{front.player}:")
    stops = [f"\n{front.player}:", f"\n{front.char}:"]
    return {"model": "any", "prompt": "".join(pieces), "stream": True, "stop": stops}


def open_webui(front: Front, story: Sequence[Says]) -> dict[str, Any]:
    """Open WebUI: a system prompt of the model, then the messages."""
    system = [_row("system", front.system)] if front.system else []
    rows = system + [_row(said.role, said.text) for said in story]
    options = {"include_usage": True}
    return {"model": "any", "messages": rows, "stream": True, "stream_options": options}


def open_webui_task(front: Front, story: Sequence[Says], task: str) -> dict[str, Any]:
    """Open WebUI's background tasks: "title", "tags", "follow_ups"; the chat is quoted in one."""
    orders = {
        "title": "Generate a concise, 3-5 word title with an emoji summarizing the chat history.",
        "tags": "Generate 1-3 broad tags categorizing the main themes of the chat history.",
        "follow_ups": "Suggest 3-5 relevant follow-up questions that the user might naturally ask.",
    }
    quoted = "\n".join(f"{said.role.upper()}: {said.text}" for said in story[-6:])
    text = (
        f"### Task:\n{orders[task]}\n### Guidelines:\n- Be brief.\n### Output:\nJSON format:"
        f' {{ "{task}": "" }}\n### Chat History:\n<chat_history>\n{quoted}\n</chat_history>'
    )
    return {"model": "any", "messages": [_row("user", text)], "stream": False}


def risu(front: Front, story: Sequence[Says], *, note: str = "", post: str = "") -> dict[str, Any]:
    """RisuAI: main prompt, description and lore as system messages, a note behind the history."""
    rows = [_row("system", f"You are to play {front.char}.")]
    if front.system:
        rows.append(_row("system", front.system))
    rows.append(_row("system", "[Start a new chat]"))
    rows += [_row(said.role, said.text) for said in story]
    if note:
        rows.insert(len(rows) - 1, _row("system", note))
    if post:
        rows.append(_row("system", post))
    return {"model": "any", "messages": rows, "max_tokens": 500, "stream": True}


def lobe(front: Front, story: Sequence[Says]) -> dict[str, Any]:
    """LobeChat: the assistant's role as system message, contents as texts, a few parameters."""
    rows = [_row("system", front.system)] if front.system else []
    rows += [_row(said.role, said.text) for said in story]
    return {"model": "any", "messages": rows, "stream": True, "temperature": 1, "top_p": 1}


def chatbox(front: Front, story: Sequence[Says], *, most: int = 20) -> dict[str, Any]:
    """Chatbox: contents in parts, and only so many of the newest messages."""
    rows = [_row("system", front.system or "You are a helpful assistant.")]
    rows += [
        {"role": said.role, "content": [{"type": "text", "text": said.text}]}
        for said in story[-most:]
    ]
    return {"model": "any", "messages": rows, "stream": True}
