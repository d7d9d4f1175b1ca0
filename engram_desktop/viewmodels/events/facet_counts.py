"""The numbers beside every page, added up from what was counted for facets."""

from __future__ import annotations

from engram_desktop.domain.memory.event import EventCounts
from engram_desktop.domain.memory.facets import OUTLINE, YES, Facet, FacetCube, Facets


def counts_of(cube: FacetCube) -> EventCounts:
    """Count what there is, as the curator's counts are."""
    every = Facets()
    asked = (
        Facet("status", "buffer"),
        Facet("status", "archived"),
        Facet("level", OUTLINE),
        Facet("stale", YES),
    )
    return EventCounts(cube.every, *(cube.total(every.combined(facet, "alone")) for facet in asked))
