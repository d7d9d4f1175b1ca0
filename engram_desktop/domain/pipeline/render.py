"""StoryRenderer: from an extraction to the card a reader and a model see (design note 000 §4.1)."""

from __future__ import annotations

from engram_desktop.domain.macros import fill
from engram_desktop.domain.memory.extraction import PlotExtraction
from engram_desktop.domain.values import dataclass

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

CARDS = {"zh": CARD_ZH, "en": CARD_EN}


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
        return fill.expand_lines(self.template, values)


def relabelled(card: str, data: PlotExtraction, template: str) -> str:
    """Return ``card`` as ``template`` makes it, if one of the built-in templates had made it.

    A card of the user's own template, or of another tool, stays as it is.
    """
    others = (other for other in CARDS.values() if other != template)
    if any(
        _heading(other) in card and StoryRenderer(other).render(data) == card for other in others
    ):
        return StoryRenderer(template).render(data)
    return card


def renderer_like(card: str) -> StoryRenderer:
    """Return what makes cards with the labels of ``card``."""
    same = (template for template in CARDS.values() if _heading(template) in card)
    return StoryRenderer(next(same, CARD_ZH))


def _heading(template: str) -> str:
    """The line of a template that no other has: it tells cards apart without rendering them."""
    return next(line for line in template.splitlines() if line.startswith("📜"))
