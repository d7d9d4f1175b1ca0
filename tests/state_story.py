"""Stories whose replies change the state."""

from __future__ import annotations

import json
from typing import Any

GREETING = '欢迎。<initvar>{"爱丽丝":{"好感度":[50,"喜爱"],"心情":"平静"}}</initvar>'


def update(value, path="爱丽丝.好感度"):
    op = {"op": "add", "path": path, "value": value}
    return f"嗯。<state_update>{json.dumps([op], ensure_ascii=False)}</state_update>"


def write_story(path, replies, greeting=GREETING):
    """A chat in which the player and 爱丽丝 take turns; replies are texts, or (text, variables)."""
    rows: list[dict[str, Any]] = [
        {"user_name": "旅人", "character_name": "爱丽丝", "chat_metadata": {}}
    ]
    rows.append({"name": "爱丽丝", "is_user": False, "mes": greeting})
    for number, reply in enumerate(replies):
        text, state = reply if isinstance(reply, tuple) else (reply, None)
        row = {"name": "爱丽丝", "is_user": False, "mes": f"{text} {number}"}
        if state is not None:
            row |= {"swipe_id": 0, "variables": [{"stat_data": state}]}
        rows += [{"name": "旅人", "is_user": True, "mes": f"摸摸头。{number}"}, row]
    path.write_text("\n".join(json.dumps(r, ensure_ascii=False) for r in rows), "utf-8")
    return path
