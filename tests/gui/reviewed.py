"""A model that answers with two events a block, and what became of them."""

from __future__ import annotations

import json
import re

_FLOORS = re.compile(r"\[(\d+)\]")


def answer(body) -> str:
    floors = _FLOORS.findall(body["messages"][-1]["content"])
    events = [
        {"summary": f"从第{floors[0]}楼起，爱丽丝把铜钥匙交给旅人。", "location": "月光酒馆"},
        {"summary": f"到第{floors[-1]}楼，两人约好再见。"},
    ]
    return json.dumps({"events": events}, ensure_ascii=False)
