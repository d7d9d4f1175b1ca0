"""temporary"""

from __future__ import annotations

import re

_P = re.compile(r"[\u3400-\u9fff\u3040-\u30ff\uac00-\ud7af]+|[a-z0-9]+")


def index_tokens(text: str) -> list[str]:
    out = []
    for m in _P.findall(text.lower()):
        if m[0] > "\u3000":
            out += list(m)
            out += [m[i : i + 2] for i in range(len(m) - 1)]
        else:
            out.append(m)
    return out


def match_query(text: str) -> str:
    out = []
    for m in _P.findall(text.lower()):
        if m[0] > "\u3000":
            out += [m] if len(m) == 1 else [m[i : i + 2] for i in range(len(m) - 1)]
        else:
            out.append(m)
    return " AND ".join('"' + t + '"' for t in out)
