"""How many changes of the bank of scenes are found, and how many of its decoys are reported.

``python -m benchmarks.findings --bank``: for each half, by facet. Rules are mended on what is not
found of the half ``dev``; of ``held`` only the figures are looked at, never a scene.
"""

from __future__ import annotations

from collections import Counter

from benchmarks.findings import read_all
from engram_desktop.domain.claims.claim import Finding
from engram_desktop.domain.values import dataclass
from tests.findings_stories.changes_bank_zh import NARRATOR, PLAYER, Scene, scenes


@dataclass(frozen=True)
class BankFigures:
    """Of a half of the bank: how many changes and decoys it has, found and reported, by facet."""

    there: Counter[str]
    found: Counter[str]
    decoys: Counter[str]
    reported: Counter[str]

    @property
    def share(self) -> float:
        return self.found.total() / self.there.total()

    @property
    def reported_share(self) -> float:
        return self.reported.total() / self.decoys.total()


def superseded_of(scene: Scene) -> list[Finding]:
    """Return what is superseded in a scene, after lines in which its people act."""
    before = [f"*{name}看了看窗外。*{name}说：“嗯。”{name}点点头。" for name in scene.people]
    messages = [(NARRATOR, "\n".join(before)), (PLAYER, "*看着他们*"), *scene.messages]
    return [f for f in read_all(messages, PLAYER, known=scene.people)[1] if f.kind == "superseded"]


def is_found(scene: Scene, findings: list[Finding]) -> bool:
    """Whether one of them is the change of a scene: it quotes what is over, and what ends it."""
    return any(
        any(words in finding.quotes[0].text for words in scene.old)
        and finding.quotes[-1].text in scene.messages[-1][1]
        for finding in findings
    )


def measure_bank(half: str, *, show: bool = False) -> BankFigures:
    """Count what is found and reported in one half, ``dev`` or ``held``."""
    figures = BankFigures(Counter(), Counter(), Counter(), Counter())
    for scene in scenes(half):
        findings = superseded_of(scene)
        is_right = is_found(scene, findings)
        if scene.is_decoy:
            figures.decoys[scene.facet] += 1
            figures.reported[scene.facet] += bool(findings)
        else:
            figures.there[scene.facet] += 1
            figures.found[scene.facet] += is_right
        if (show and is_right == scene.is_decoy) or (show and scene.is_decoy and findings):
            told = [(f.facet, f.about, [q.text for q in f.quotes]) for f in findings]
            print("reported:" if scene.is_decoy else "not found:", scene.line, told or "")
    return figures


def tell_bank(*, show: bool = False) -> None:
    """Print the figures of both halves; ``show``: and what is wrong in the half ``dev``."""
    for half in ("dev", "held"):
        got = measure_bank(half, show=show and half == "dev")
        print(f"{half}: {got.found.total()} of {got.there.total()} changes = {got.share:.2f}")
        print("  " + ", ".join(f"{f} {got.found[f]} of {n}" for f, n in got.there.items()))
        told = {f: n for f, n in got.reported.items() if n}
        count = f"{got.reported.total()} of {got.decoys.total()}"
        print(f"  decoys reported: {count} = {got.reported_share:.2f}", told or "")
