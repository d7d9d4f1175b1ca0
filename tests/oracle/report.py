"""What one kind of question came to, and where the answers of the real one are kept."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ANSWERS = Path(__file__).resolve().parent / "answers"


@dataclass
class Report:
    """How many answers agree; ``known`` counts the named differences, ``differ`` tells the rest."""

    kind: str
    agree: int = 0
    known: Counter[str] = field(default_factory=Counter)
    differ: list[str] = field(default_factory=list)

    @property
    def total(self) -> int:
        return self.agree + self.known.total() + len(self.differ)

    def text(self, shown: int = 20) -> str:
        """One line of figures, then the named differences and the first unnamed ones."""
        share = self.agree / self.total if self.total else 0.0
        lines = [f"{self.kind}: {self.agree} of {self.total} agree ({share:.1%})"]
        lines += [f"  {count} differ: {reason}" for reason, count in self.known.most_common()]
        lines += [f"  DIFFERS {each}" for each in self.differ[:shown]]
        return "\n".join(lines)


def recorded(kind: str) -> list[dict[str, Any]]:
    """The recorded cases of a kind, each with its ``answer``."""
    text = (ANSWERS / f"{kind}.jsonl").read_text("utf-8")
    return [json.loads(line) for line in text.split("\n") if line]
