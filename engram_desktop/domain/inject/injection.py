"""How much an injection holds, how it is worded, and the known facts it may name. Pure values."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, get_args

from engram_desktop.domain.graph.entity import EntityNode
from engram_desktop.domain.values import dataclass

Part = Literal["always", "present", "recalled", "snippets", "entities", "relations"]
InjectionOrder = Literal["stable", "story"]
# plain: what was said, when and by whom. attributed: how long ago, and who said it to whom.
# light: as plain, and the model is asked to let it colour the reply, never to recite it.
Manner = Literal["plain", "attributed", "light"]
MANNERS: tuple[Manner, ...] = get_args(Manner)

_STORY_LEAST = 44  # tokens: one line of all that happened, where that is a fifth at most
# (Smallest budget in tokens, share of it for the story so far), largest budget first. The share
# depends on the budget only, so the story block is the same for every question. A larger share
# costs evidence: figures in resources/docs/recall.md.
_STORY_STEPS = ((4_000, 0.20), (1_500, 0.12), (0, 0.07))
_PRESENT_SHARE = 20  # 1/20 of the budget is kept for facts about the characters present


@dataclass(frozen=True, slots=True)
class Allowance:
    """``tokens`` for the whole text.

    ``order`` stable: the story so far comes first and changes seldom, what was recalled follows;
    story: both in one line of story order. ``visible_from`` is the first floor the prompt still
    holds as it was written; None: none.
    """

    tokens: int = 6000
    order: InjectionOrder = "stable"
    manner: Manner = "plain"
    visible_from: int | None = None

    @property
    def story(self) -> int:
        """Tokens that the story so far may take."""
        share = next(share for least, share in _STORY_STEPS if self.tokens >= least)
        return max(int(self.tokens * share), min(_STORY_LEAST, self.tokens // 5))

    @property
    def present(self) -> int:
        """Tokens kept for facts about the characters present, before anything else is chosen."""
        return self.tokens // _PRESENT_SHARE


@dataclass(frozen=True, slots=True)
class KnownRelation:
    """An edge by its names, with the floors that say so last; ``until`` where it holds no more.

    ``floors`` is None for what a user wrote by hand.
    """

    src: str
    predicate: str
    dst: str
    floors: tuple[int, int] | None = None
    until: int | None = None


@dataclass(frozen=True, slots=True)
class Facts:
    """Entities and relations worth naming, the most telling first."""

    entities: tuple[EntityNode, ...] = ()
    relations: tuple[KnownRelation, ...] = ()

    def without(self, fact: EntityNode | KnownRelation) -> Facts:
        """Return these facts without one of them."""
        if isinstance(fact, EntityNode):
            return replace(self, entities=tuple(e for e in self.entities if e.id != fact.id))
        return replace(self, relations=tuple(r for r in self.relations if r != fact))


NO_FACTS = Facts()
