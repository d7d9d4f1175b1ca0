"""StoryRenderer: from an extraction to the card a reader and a model see (design note 000 §4.1)."""

from __future__ import annotations

from dataclasses import dataclass

from engram_desktop.domain.extraction import PlotExtraction
from engram_desktop.domain.macros import expand_lines

CARD_ZH = """---
📅 时间: {{timestamp}}
📍 地点: {{location}}
🔑 关键词: {{keywords}}
---
📜 **事件摘要**:
{{summary}}

> {{details}}"""

CARD_EN = """---
📅 Time: {{timestamp}}
📍 Place: {{location}}
🔑 Keywords: {{keywords}}
---
📜 **What happened**:
{{summary}}

> {{details}}"""


@dataclass(frozen=True, slots=True)
class StoryRenderer:
    """Renders by template; lines with nothing to say are left out."""

    template: str = CARD_ZH

    def render(self, data: PlotExtraction) -> str:
        values = {
            "timestamp": data.timestamp,
            "location": data.location,
            "keywords": ", ".join(data.keywords),
            "summary": data.summary,
            "details": data.details.replace("\n", "\n> "),
        }
        return expand_lines(self.template, values)
