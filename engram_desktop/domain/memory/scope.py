"""Who may know a memory (design note 003 §2.2), and the state of a chat's pipeline."""

from __future__ import annotations

from typing import Literal

from engram_desktop.domain.values import dataclass

# Who may know a memory: everybody; witnesses, those who were told, and its owner; only its owner;
# those who meet its condition. A condition counts in every scope: unmet or unreadable, it denies
# access.
ScopeName = Literal["global", "shared", "private", "conditional"]


# The name of a group in the form of `norm_name`, and the last floor whose knowledge a former member
# has: None for a member.
MemberOf = tuple[str, int | None]


@dataclass(frozen=True, slots=True)
class Actor:
    """Who asks: every name of this character, in the form of `norm_name`.

    ``at`` is the floor it is at, None for the last; ``fulfilled`` are references of memories with a
    condition that it meets there; ``groups`` are those it has joined by then.
    """

    norms: frozenset[str]
    at: int | None = None
    fulfilled: frozenset[str] = frozenset()
    groups: tuple[MemberOf, ...] = ()

    def norms_on(self, floor: int) -> frozenset[str]:
        """Return the names under which it perceives a floor: its own, and its groups' then."""
        return self.norms | {g for g, until in self.groups if until is None or floor <= until}


@dataclass(frozen=True, slots=True)
class ScopeState:
    """The progress of one chat's pipeline. Floors are numbers of messages done, so 0 means none.

    Automation leaves floors before ``automatic_from`` to the user. ``token_usage_accumulated`` and
    ``last_compressed_at`` (when the newest outline was made, in milliseconds) are not stored but
    computed by `ChatStore.accounted_state`.
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
    """Return whether outlines, exports and prompts without a character may use a memory.

    That is so for public memories and those of witnesses. A private one belongs to its owner, and
    one with a condition to those who meet it.
    """
    return scope in _ORDINARY and not condition
