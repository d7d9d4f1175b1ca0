"""A worldbook of a few entries, as a file, and an entry that says something in every field."""

from __future__ import annotations

import json

from engram_desktop.domain.worldbooks.worldbook import CARD_FIELDS, Entry, Logic, Position

ENTRIES = {
    str(n): {"uid": n, "key": [word], "comment": word, "content": f"{word}的事。"}
    for n, word in enumerate(("酒馆", "钥匙", "钟楼"))
}

# But for the character filter: a card has no place for one.
EVERY_FIELD = Entry(
    0,
    keys=("甲", "/x{1,2}/i"),
    secondary_keys=("乙",),
    comment="题",
    content="文",
    is_constant=True,
    is_vectorized=True,
    is_selective=True,
    is_disabled=True,
    logic=Logic.AND_ALL,
    order=7,
    position=Position.OUTLET,
    ignore_budget=True,
    exclude_recursion=True,
    prevent_recursion=True,
    delay_until_recursion=2,
    matches=frozenset(CARD_FIELDS),
    probability=50,
    use_probability=False,
    depth=9,
    outlet_name="出口",
    group="组",
    group_override=True,
    group_weight=3,
    scan_depth=11,
    case_sensitive=True,
    match_whole_words=False,
    use_group_scoring=True,
    automation_id="id",
    role=2,
    sticky=1,
    cooldown=2,
    delay=3,
    triggers=("swipe",),
)


def write_worldbook(path, entries=ENTRIES):
    path.write_text(json.dumps({"entries": entries}, ensure_ascii=False), "utf-8")
    return path
