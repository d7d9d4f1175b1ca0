"""A scene in which some people become known, and what is read of messages behind it."""

from __future__ import annotations

from benchmarks.findings import read_all

KNOWN_EN = [
    ("Narrator", "Anna looked up. She nodded. Tom smiled. He sat down. Greta yawned. She left."),
    ("Robin", "*I nod.* Good day."),
    ("Narrator", "Anna nodded. She smiled. Tom sat down. He laughed. Greta came back. She sat."),
]
KNOWN_ZH = [
    ("旁白", "沈砚看了看窗外。他点点头。苏棠笑了。她坐下来。陆三走了进来。他咳了一声。"),
    ("林远", "*我看着他们*"),
    ("旁白", "沈砚嗯了一声。他坐下。苏棠点点头。她站了起来。"),
]


def told(*messages):
    """Read messages after some that make people known; a text alone is the narrator's."""
    is_zh = any(not (m if isinstance(m, str) else m[1]).isascii() for m in messages)
    narrator, player = ("旁白", "林远") if is_zh else ("Narrator", "Robin")
    people = ["沈砚", "苏棠", "陆三"] if is_zh else ["Anna", "Tom", "Greta"]
    rows = [(narrator, m) if isinstance(m, str) else m for m in messages]
    return read_all([*(KNOWN_ZH if is_zh else KNOWN_EN), *rows], player, known=people)


def over(*messages):
    """Return the sentences that are over."""
    return [f.quotes[0].text for f in told(*messages)[1] if f.kind == "superseded"]
