"""Who is in the scene, from one message to the next: a value, to go on from anywhere."""

from __future__ import annotations

from engram_desktop.domain.knowledge.perception import How
from engram_desktop.domain.values import dataclass

# Messages after which somebody who neither speaks nor is spoken to is no longer taken to be there:
# of the bundled story the next larger values wrongly keep those who went without a word.
STALE = 8
UNSEEN = 4  # messages for which somebody listens unseen who is not told to go; a choice
_FADES = 0.04  # of confidence, a message: who is silent for long is less surely there


@dataclass(frozen=True, slots=True)
class Standing:
    """How sure it is that somebody is there, and since how many messages nothing says so."""

    name: str
    confidence: float = 1.0
    silent: int = 0
    how: How = "there"

    @property
    def sureness(self) -> float:
        if not self.silent:
            return self.confidence
        return round(max(0.0, self.confidence - _FADES * self.silent), 2)


@dataclass(frozen=True, slots=True)
class Scene:
    """Those in a scene. ``is_alone``: a text said that there is nobody else.

    ``is_away``: the player is told not to be there.
    """

    people: tuple[Standing, ...] = ()
    is_alone: bool = False
    is_away: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(standing.name for standing in self.people)

    def older(self) -> Scene:
        """Return the scene a message later: the silent fade."""
        people = tuple(
            Standing(some.name, some.confidence, some.silent + 1, some.how)
            for some in self.people
            if some.silent < STALE
        )
        return Scene(people, self.is_alone and bool(people), self.is_away)

    def with_(self, name: str, confidence: float, how: How = "there") -> Scene:
        """Return the scene with somebody of whom the text says so; what is surer stays."""
        for at, some in enumerate(self.people):
            if some.name == name:
                standing = Standing(name, max(confidence, some.sureness), 0, "there")
                return self._of((*self.people[:at], standing, *self.people[at + 1 :]))
        return self._of((*self.people, Standing(name, confidence, 0, how)))

    def overheard_by(self, name: str, confidence: float) -> Scene:
        """Return the scene with somebody who listens unseen: a while, for they seldom stay."""
        standing = Standing(name, confidence, STALE - UNSEEN, "overheard")
        others = self.without(name).people
        return self._of((*others, standing))

    def without(self, name: str) -> Scene:
        return self._of(tuple(some for some in self.people if some.name != name))

    def _of(self, people: tuple[Standing, ...]) -> Scene:
        return Scene(people, self.is_alone, self.is_away)
