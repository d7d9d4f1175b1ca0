"""A model that knows the planted facts of the bundled story and reports those it is shown.

It reads only what stands between the marks of the chat history, as a model should: a fact it was
never shown it cannot tell, and of one told in two places it tells the half it sees.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

STORY = Path(__file__).parents[1] / "resources" / "story"
FACTS: list[dict[str, Any]] = json.loads((STORY / "facts.json").read_text("utf-8"))["facts"]
_HISTORY = re.compile(r"<chat_history>\n(.*)\n</chat_history>", re.DOTALL)


def shown(body: dict[str, Any]) -> str:
    """Return the chat history of a request."""
    found = _HISTORY.search(body["messages"][-1]["content"])
    assert found is not None
    return found[1]


def told_facts(text: str) -> list[tuple[dict[str, Any], list[str]]]:
    """Facts that ``text`` tells, whole or in part, with the key words that stand in it."""
    seen = [(fact, [word for word in fact["keywords"] if word in text]) for fact in FACTS]
    return [(fact, words) for fact, words in seen if words]


def answer(body: dict[str, Any]) -> str:
    """Answer a summary request, wrapped as chatty models do."""
    events = [
        {
            "summary": fact["fact"] if words == fact["keywords"] else "、".join(words),
            "keywords": [fact["id"], *words],
            "entities": [
                {"name": name, "type": "char"}
                for name in ("爱丽丝", "旅人", "凯尔", "莉莉丝")
                if name in fact["fact"]
            ],
            "significance_score": 0.7,
        }
        for fact, words in told_facts(shown(body))
    ]
    said = json.dumps({"events": events}, ensure_ascii=False)
    return f"好的，整理如下：\n```json\n{said}\n```"
