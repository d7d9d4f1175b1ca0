"""Why there is no graph to see: it is not read yet, nobody is known, or all is filtered out."""

from __future__ import annotations

from collections.abc import Collection

from engram_desktop.domain.graph.entity import EntityType
from engram_desktop.viewmodels.graph.graph_view import GraphPageModel, PlacedGraph
from engram_desktop.widgets.parts.pages.empty_state import EmptyState


class WhyEmpty(EmptyState):
    def say_why(
        self, model: GraphPageModel, graph: PlacedGraph, hidden: Collection[EntityType]
    ) -> None:
        """Say why nothing is drawn; ``hidden`` are the types that are switched off."""
        if not model.is_loaded:
            self.wait()
        elif not graph.view.entities:
            self._say_that_nobody_is_known(model)
        elif all(e.type in hidden for e in graph.view.entities):
            self.say(
                self.tr("Every type is switched off"),
                self.tr("Switch a type on again in the legend above."),
                self.tr("Show all types"),
            )
        else:
            self.say(
                self.tr("Everything is filtered out"),
                self.tr("No entity has that many relations."),
                self.tr("Show all"),
            )

    def _say_that_nobody_is_known(self, model: GraphPageModel) -> None:
        if model.time.at is not None:
            text = self.tr("Up to floor {floor} the story told of none of them.")
            self.say(self.tr("Nobody is known yet"), text.format(floor=model.time.at))
        elif model.actor:
            text = self.tr("Nothing that {name} perceived tells of anybody.")
            self.say(
                self.tr("{name} knows nobody").format(name=model.actor),
                text.format(name=model.actor),
            )
        else:
            self.say(
                self.tr("No entities yet"),
                self.tr("People, places and things appear here when the buffer is consolidated."),
            )
