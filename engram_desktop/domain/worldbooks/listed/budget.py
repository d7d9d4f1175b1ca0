"""What SillyTavern's budget holds of the entries that are on, and what falls out of it."""

from __future__ import annotations

from collections.abc import Iterable

from engram_desktop.domain.values import dataclass
from engram_desktop.domain.worldbooks.activation import Activation
from engram_desktop.domain.worldbooks.worldbook import Entry, Worldbook


@dataclass(frozen=True, slots=True)
class Budget:
    """``size``: tokens there are. The rest is of the next reply, of all worldbooks that are on.

    ``constant`` is what entries take that are always on and count; ``fallen`` are titles of the
    entries that would fire and have no room, those of the worldbook shown first.
    """

    size: int
    used: int = 0
    of_worldbook: int = 0
    constant: int = 0
    fallen: tuple[str, ...] = ()

    @property
    def is_overfull(self) -> bool:
        """Whether the entries that are always on leave no room for others, or for themselves."""
        return self.constant >= self.size


def budget_of(size: int, worldbook: Worldbook) -> Budget:
    """Return what can be said of a worldbook without a chat."""
    return Budget(size, constant=constant_tokens(worldbook.entries))


def budget_in(activation: Activation, name: str) -> Budget:
    """Return what a scan found; ``name`` is the worldbook shown."""
    outcomes = activation.outcomes
    fallen = [o for o in outcomes if o.reason.why == "budget"]
    fallen.sort(key=lambda outcome: outcome.key[0] != name)
    return Budget(
        activation.budget,
        sum(o.tokens for o in outcomes if o.has_fired and not o.entry.ignore_budget),
        sum(o.tokens for o in outcomes if o.has_fired and o.key[0] == name),
        constant_tokens(outcome.entry for outcome in outcomes),
        tuple(outcome.entry.title for outcome in fallen),
    )


def constant_tokens(entries: Iterable[Entry]) -> int:
    """Count the tokens of entries that are always on and limited by the budget."""
    on = (e for e in entries if e.is_constant and not e.is_disabled and not e.ignore_budget)
    return sum(entry.tokens for entry in on)
