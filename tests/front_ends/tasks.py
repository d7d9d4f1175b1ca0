"""What front ends ask a model beside the chat itself: titles, tags, summaries, translations.

The shapes and the marks are those of each program; the words are ours.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tests.front_ends.shapes import Says, _row

Task = Callable[[Sequence[Says]], dict[str, Any]]


def _asked(*rows: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"model": "any", "messages": list(rows), "stream": False} | more


def _quoted(story: Sequence[Says], count: int, *, upper: bool = True) -> str:
    rows = [(said.role.upper() if upper else said.role, said.text) for said in story[-count:]]
    return "\n".join(f"{role}: {text}" for role, text in rows)


def _webui(task: str, count: int, form: str) -> Task:
    """Open WebUI: one message of the user, with the newest of the chat between tags."""

    def build(story: Sequence[Says]) -> dict[str, Any]:
        text = (
            f"### Task:\n{task}\n### Guidelines:\n- Keep it clear and simple.\n### Output:\n"
            f"JSON format: {form}\n### Chat History:\n<chat_history>\n{_quoted(story, count)}\n"
            "</chat_history>"
        )
        return _asked(_row("user", text), max_completion_tokens=1000)

    return build


def _webui_emoji(story: Sequence[Says]) -> dict[str, Any]:
    text = (
        "Find the speaker's look by a fitting emoji. Read the message and answer with one.\n\n"
        f"Message: ```{story[-1].text}```"
    )
    return _asked(_row("user", text), max_completion_tokens=4)


def _webui_tools(story: Sequence[Says]) -> dict[str, Any]:
    system = 'Available Tools: [{"name": "look_up"}]\nReturn the tools that fit the query, as JSON.'
    query = f"Query: History:\n{_quoted(story, 4)}\nQuery: {story[-1].text}"
    return _asked(_row("system", system), _row("user", query))


def _risu_summary(story: Sequence[Says]) -> dict[str, Any]:
    """RisuAI's memories: some of the story as the user's, and the order behind it."""
    chunk = "\n\n".join(f"{said.name}: {said.text}" for said in story[:6])
    order = "[Summarize the role story that goes on. Leave out what is said twice.]"
    return _asked(_row("user", chunk), _row("system", order), temperature=0.8)


def _risu_emotion(story: Sequence[Says]) -> dict[str, Any]:
    """A word of a list for the newest reply, after one example."""
    system = "Choose the word that fits best.\n\n list: happy, sad, calm \noutput only one word."
    example = [_row("user", '"Good day! What can I do for you?"'), _row("assistant", "happy")]
    return _asked(_row("system", system), *example, _row("user", story[-1].text))


def _risu_translation(story: Sequence[Says]) -> dict[str, Any]:
    system = "You are a translator. Translate the text into Korean and output nothing else."
    return _asked(_row("system", system), _row("user", story[-1].text))


def _lobe_title(story: Sequence[Says]) -> dict[str, Any]:
    system = (
        "You are a professional conversation summarizer. Make a short title of what is said."
        "\n\nRules:\n- Output ONLY the title text\n- Maximum 10 words"
    )
    rows = _quoted(story, 100, upper=False)
    return _asked(_row("system", system), _row("user", rows), stream=True)


def _lobe_history(story: Sequence[Says]) -> dict[str, Any]:
    """The summary of what LobeChat sends no longer."""
    rows = "\n".join(f"<{said.role}>{said.text}</{said.role}>" for said in story)
    text = f"<chat_history>\n{rows}\n</chat_history>\n\nPlease summarize the talk above."
    return _asked(_row("system", "You summarise talks."), _row("user", text), stream=True)


def _lobe_translation(story: Sequence[Says]) -> dict[str, Any]:
    system = "You are a professional translator. Translate the input text to fr-FR."
    return _asked(_row("system", system), _row("user", story[-1].text), stream=True)


def _chatbox_name(story: Sequence[Says]) -> dict[str, Any]:
    """Chatbox: the first words of some messages, in one of the user."""
    rows = "\n\n---------\n\n".join(said.text[:100] for said in story[:5])
    text = (
        "Based on the chat history, give this conversation a name.\nUse English.\n\n"
        f"Here's the conversation:\n\n```\n{rows}\n```\n\nThe name is:"
    )
    return _asked(_row("user", text))


TASKS: dict[str, Task] = {
    "open webui, title": _webui("Make a title of 3-5 words.", 2, '{ "title": "" }'),
    "open webui, tags": _webui("Generate 1-3 broad tags.", 6, '{ "tags": [] }'),
    "open webui, follow-ups": _webui("Suggest what to ask next.", 6, '{ "follow_ups": [] }'),
    "open webui, search": _webui("Say what to search for.", 6, '{ "queries": [] }'),
    "open webui, image": _webui("Describe a picture of it.", 6, '{ "prompt": "" }'),
    "open webui, completion": _webui("You are an autocompletion system.", 6, '{ "text": "" }'),
    "open webui, emoji": _webui_emoji,
    "open webui, tools": _webui_tools,
    "risu, summary": _risu_summary,
    "risu, emotion": _risu_emotion,
    "risu, translation": _risu_translation,
    "lobe, title": _lobe_title,
    "lobe, history": _lobe_history,
    "lobe, translation": _lobe_translation,
    "chatbox, name": _chatbox_name,
}
