"""What of a bank of short scenes is found: ``python -m benchmarks.outcomes_bank [--show]``.

Prints, by language and kind, how many promises, lies, mistakes and contradictions are found and
how many have the right status, and how many decoys are reported, each half of the scenes apart.
``--show`` prints what is missed of the half that rules are mended on, never of the other. With
``--apart`` the scenes that no rule was mended on; nothing of them is shown. With ``--prose`` the
scenes of what is over, by facet, and of things that show a lie.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable

from benchmarks.findings import read_all
from tests.findings_stories.outcomes_bank import LANGUAGES, OutcomeScene, bank


def figures(scenes: Iterable[OutcomeScene], *, show: bool = False) -> Counter[tuple[str, str]]:
    """Count by kind and status what is there, found, right, and said that is no case."""
    count: Counter[tuple[str, str]] = Counter()
    for scene in scenes:
        findings = read_all(scene.messages, scene.player, known=scene.people)[1]
        hit = scene.found(findings)
        is_over = scene.kind == "superseded"
        is_right = hit is not None and (is_over or hit.status == scene.status)
        keys = [scene.kind]
        if is_over or scene.kind == "promise":
            keys.append(f"{scene.kind} {scene.status}")
        for key in keys:
            count[key, "there"] += 1
            count[key, "found"] += hit is not None
            count[key, "right"] += is_right
        extra = [f for f in findings if f.kind in scene.kinds and f.id != (hit.id if hit else "")]
        count["other", "found"] += len(extra)
        if show and (hit is not None if scene.kind == "decoy" else not is_right):
            print(f"\n# {scene.name}:", (hit.kind, hit.status) if hit else "not found")
            if scene.kind == "decoy" and hit:
                print("  ", *hit.quotes)
            print("\n".join(f"  {name}: {text}" for name, text in scene.messages))
        if show and extra:
            print(f"\n# {scene.name}: also")
            for finding in extra:
                print("  ", finding.kind, finding.status, *finding.quotes)
    return count


def _tell(title: str, count: Counter[tuple[str, str]]) -> None:
    print(title)
    for key in sorted({key for key, what in count if what == "there"}):
        there, found, right = (count[key, w] for w in ("there", "found", "right"))
        print(f"  {key}: {found} of {there} found, {right} right")
    print(f"  other findings: {count['other', 'found']}")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--language", choices=LANGUAGES)
    parser.add_argument("--apart", action="store_true")
    parser.add_argument("--prose", action="store_true")
    args = parser.parse_args()
    for language in [args.language] if args.language else LANGUAGES:
        if args.apart:
            _tell(f"{language} apart", figures(bank(language, "apart")))
            continue
        for held in (False, True):
            of = "prose" if args.prose else "outcomes"
            of_half = [scene for scene in bank(language, of) if scene.is_held == held]
            half = "held half" if held else "half that rules are mended on"
            _tell(f"{language} {half}", figures(of_half, show=args.show and not held))


if __name__ == "__main__":
    main()
