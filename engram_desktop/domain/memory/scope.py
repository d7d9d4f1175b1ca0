"""Who may know a memory (design note 003 §2.2), and where a chat's pipeline stands."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal

from engram_desktop.domain.values import dataclass

ScopeName = Literal["global", "shared", "private", "conditional"]


@dataclass(frozen=True, slots=True)
class Actor:
    """Who asks: every name it is known under, as `norm_name` makes it.

    ``at`` is the floor it stands at, None for the last; ``fulfilled`` are references of
    conditional memories whose condition holds for it there.
    """

    norms: frozenset[str]
    at: int | None = None
    fulfilled: frozenset[str] = frozenset()


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


# What is told of in outlines, exports and prompts that are for no one character: public memories,
# and those of whoever was there. Private and conditional ones are their owners'.
ORDINARY: frozenset[ScopeName] = frozenset({"global", "shared"})


def can_access(
    actor: str | None,
    scope: ScopeName,
    *,
    owner: str | None = None,
    participants: Collection[str] = (),
    condition_holds: bool = False,
) -> bool:
    """Whether ``actor`` may know it. None is the human curator, who sees everything.

    ``participants`` are those who were there and those who were told since: of a shared memory
    nobody else knows.

    An unmet or unreadable condition denies.
    """
    if actor is None:
        return True
    match scope:
        case "global":
            return True
        case "shared":
            return actor == owner or actor in participants
        case "private":
            return actor == owner
        case "conditional":
            return condition_holds
