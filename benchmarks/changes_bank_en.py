"""How many changes of a bank of scenes are found: ``python -m benchmarks.changes_bank_en FILE``.

Prints by facet what of the old facts is found to be over, and how many decoys are reported, apart
for the half that rules may be made on (*dev*) and the half that only is counted (*held*). A hash
of a scene's id says which half it is of. ``--show`` prints what is missed and reported of *dev*.
"""

from __future__ import annotations

import argparse
import hashlib
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from benchmarks.findings import read_all
from engram_desktop.domain.claims.claim import Finding

PLAYER = "Robin"
_SENDERS = {"N": "Narrator", "P": PLAYER}
_PRONOUNS = {"m": "He", "f": "She", "n": "They"}
_MARKED = re.compile(r"\{([^}]*)\}")


@dataclass(frozen=True)
class Scene:
    """A few messages, the last of which ends what an earlier one says, or (a decoy) does not."""

    id: str
    facet: str
    is_decoy: bool
    messages: tuple[tuple[str, str], ...]
    old: tuple[str, ...]
    before: int  # the floor of ``old``

    @property
    def is_dev(self) -> bool:
        return hashlib.sha256(self.id.encode()).digest()[0] % 2 == 0

    def found(self) -> list[Finding]:
        """Return what is found to be over."""
        return [f for f in read_all(self.messages, PLAYER)[1] if f.kind == "superseded"]

    def is_hit(self, findings: Iterable[Finding]) -> bool:
        """Whether the change is among what was found."""
        last, text = len(self.messages) - 1, self.messages[self.before][1]
        return any(
            found.floors == (self.before, last)
            and any(_is_near(text, words, found.quotes[0].text) for words in self.old)
            for found in findings
        )

    def is_reported(self, findings: Iterable[Finding]) -> bool:
        """Whether anything is said to be over that the scene itself tells."""
        return any(found.floors[-1] > self.before for found in findings)


def _is_near(text: str, words: str, quote: str) -> bool:
    at, said = text.find(words), text.find(quote)
    return said <= at < said + len(quote) + 1 or at <= said < at + len(words) or words in quote


_GREETINGS = (
    '{0} looked up. "Good day," said {0}. {1} smiled.',
    "{0} nodded. {1} sat down.",
    '"Well," said {0}. {1} waited a little, and {0} smiled.',
)


def _introduced(people: Iterable[str]) -> list[tuple[str, str]]:
    """Return messages that make people known, as the floors before a change would."""
    told = [(PLAYER, "*I nod to everybody.* Good day.")]
    known = [person.partition("/") for person in people]
    for greeting in _GREETINGS:
        each = [greeting.format(n, _PRONOUNS[g]) for n, _, g in known if n != PLAYER]
        told.append(("Narrator", "\n\n".join(each) or "Rain."))
    return told


def _scene(text: str) -> Scene:
    head, *lines = text.strip().split("\n")
    name, facet, rest = head.split(" ", 2)
    is_decoy = rest.endswith(" decoy")
    people = re.findall(r"(\S[^/]*/[mfn])", rest)
    messages = _introduced(reversed(people))
    old: tuple[str, ...] = ()
    before = -1
    for line in lines:
        sender, _, said = line.partition(": ")
        if marked := _MARKED.findall(said):
            before, old = (before, old) if old else (len(messages), tuple(marked))
        messages.append((_SENDERS.get(sender, sender), _MARKED.sub(r"\1", said)))
    return Scene(name, facet, is_decoy, tuple(messages), old, before)


def scenes(file: Path) -> list[Scene]:
    """Return the scenes of a bank; its head says how they are written."""
    _, *texts = re.split(r"^## ", file.read_text("utf-8"), flags=re.MULTILINE)
    return [_scene(text) for text in texts]


@dataclass
class Share:
    """How many scenes of a half there are, and of how many the change is found, by facet."""

    there: Counter[str]
    found: Counter[str]

    @classmethod
    def of(cls, bank: Iterable[Scene], *, show: bool = False) -> Share:
        """Measure scenes; decoys count as the facet "decoy", reported ones as found."""
        share = cls(Counter(), Counter())
        for scene in bank:
            findings = scene.found()
            is_told = scene.is_reported if scene.is_decoy else scene.is_hit
            facet = "decoy" if scene.is_decoy else scene.facet
            share.there[facet] += 1
            share.found[facet] += is_told(findings)
            if show and is_told(findings) == scene.is_decoy:
                print(scene.id, *(f"\n    {text}" for _, text in scene.messages[scene.before :]))
                for found in findings:
                    print(
                        "    =", found.about, found.facet, *(q.text for q in found.quotes), sep="|"
                    )
        return share

    @property
    def changes(self) -> float:
        """The share of changes that is found."""
        there, found = self.there.total(), self.found.total()
        return (found - self.found["decoy"]) / max(1, there - self.there["decoy"])

    @property
    def decoys(self) -> float:
        """The share of decoys that is reported."""
        return self.found["decoy"] / max(1, self.there["decoy"])


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("file", type=Path)
    parser.add_argument("--show", action="store_true")
    args = parser.parse_args()
    bank = scenes(args.file)
    for half in ("dev", "held"):
        of_half = [scene for scene in bank if scene.is_dev == (half == "dev")]
        share = Share.of(of_half, show=args.show and half == "dev")
        by_facet = (f"{facet} {share.found[facet]}/{n}" for facet, n in sorted(share.there.items()))
        print(
            f"{half}: found {share.changes:.2f}, decoys {share.decoys:.2f}:", *by_facet, sep=" | "
        )


if __name__ == "__main__":
    main()
