"""Who has another name in a newer telling of the same story: the words are the same.

A character that is renamed "in past chats", or a persona that is synced, changes the name on every
message and nothing else; what is remembered of them stays true.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from engram_desktop.domain.memory.message import Role
from engram_desktop.domain.values import dataclass


@dataclass(frozen=True, slots=True)
class Saying:
    """What was said, and by whom."""

    name: str
    role: Role
    text: str


def renamed_speakers(old: Iterable[Saying], new: Iterable[Saying]) -> Mapping[str, str]:
    """Names of the old telling that are others in the new, by the texts both hold just once.

    A name counts as changed where most of its texts are said under one other name.
    """
    before, after = _names_by_text(old), _names_by_text(new)
    votes: dict[str, Counter[str]] = {}
    for said, name in before.items():
        if said in after:
            votes.setdefault(name, Counter())[after[said]] += 1
    renamed: dict[str, str] = {}
    for name, names in votes.items():
        new_name, count = names.most_common(1)[0]
        if new_name != name and 2 * count > names.total():
            renamed[name] = new_name
    return renamed


def _names_by_text(sayings: Iterable[Saying]) -> dict[tuple[Role, str], str]:
    names: dict[tuple[Role, str], str] = {}
    repeated: set[tuple[Role, str]] = set()
    for saying in sayings:
        said = (saying.role, saying.text)
        if said in names:
            repeated.add(said)
        names[said] = saying.name
    return {said: name for said, name in names.items() if said not in repeated}
