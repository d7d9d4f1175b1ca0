"""A worldbook of a few entries, as a file."""

from __future__ import annotations

import json

ENTRIES = {
    str(n): {"uid": n, "key": [word], "comment": word, "content": f"{word}的事。"}
    for n, word in enumerate(("酒馆", "钥匙", "钟楼"))
}


def write_worldbook(path, entries=ENTRIES):
    path.write_text(json.dumps({"entries": entries}, ensure_ascii=False), "utf-8")
    return path
