"""Who may know a memory (design note 003 §2.2), and where a chat's pipeline stands."""

from __future__ import annotations

from typing import Literal

from engram_desktop.domain.values import dataclass

# Who may know a memory: everybody; who was there or was told since, and its owner; its owner alone;
# who is under its condition. A condition counts in every scope: unmet or unreadable, it denies.
ScopeName = Literal["global", "shared", "private", "conditional"]


# A name of a group, as `norm_name` makes it, and the last floor of what it learned that its member
# knows: None for who is still one.
MemberOf = tuple[str, int | None]


@dataclass(frozen=True, slots=True)
class Actor:
    """Who asks: every name it is known under, as `norm_name` makes it.

    ``at`` is the floor it stands at, None for the last; ``fulfilled`` are references of
    memories with a condition that holds for it there; ``groups`` it has joined by then.
    """

    norms: frozenset[str]
    at: int | None = None
    fulfilled: frozenset[str] = frozenset()
    groups: tuple[MemberOf, ...] = ()

    def norms_on(self, floor: int) -> frozenset[str]:
        """Return the names by which it perceives a floor: its own, and its groups' of then."""
        return self.norms | {g for g, until in self.groups if until is None or floor <= until}


@dataclass(frozen=True, slots=True)
class ScopeState:
    """The cursor of one chat's pipeline. Floors count messages done, so 0 means none.

    Automation leaves floors before ``automatic_from`` to the user. ``token_usage_accumulated`` and
    ``last_compressed_at`` (when the newest outline was made, in milliseconds) are not kept here but
    counted, by `ChatStore.accounted_state`.
    """

    last_summarized_floor: int = 0
    token_usage_accumulated: int = 0
    last_compressed_at: int = 0
    active_summary_order: int = 0
    last_extracted_floor: int = 0
    automatic_from: int = 0
    last_reflected_floor: int = 0


_ORDINARY: frozenset[ScopeName] = frozenset({"global", "shared"})


def is_ordinary(scope: ScopeName, condition: str | None) -> bool:
    """Whether outlines, exports and prompts that are for no one character tell of a memory.

    Those are public memories and those of who was there. A private one is its owner's, and one
    with a condition is for those for whom that holds.
    """
    return scope in _ORDINARY and not condition
