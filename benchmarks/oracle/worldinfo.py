"""World info: generated worldbooks and scenes, and what the real one fires of them."""

from __future__ import annotations

from benchmarks.oracle.kept import keep
from benchmarks.oracle.lore.cases import cases, odds
from benchmarks.oracle.lore.scenes import scenes
from benchmarks.oracle.tavern import Tavern
from tests.oracle.report import Report
from tests.oracle.worldinfo import judge


def compare(tavern: Tavern, *, is_kept: bool) -> Report:
    """Ask the real one everything; ``is_kept`` writes its answers down for the suite."""
    drawn, played = [*cases(), *odds()], scenes()
    held = zip(drawn, tavern.ask("lore/scans", drawn), strict=True)
    staged = zip(played, tavern.ask("lore/scenes", played), strict=True)
    rows = [{"case": case, "answer": answer} for case, answer in held]
    rows += [{"scene": scene, "answer": answer} for scene, answer in staged]
    if is_kept:
        keep("worldinfo", rows)
    return judge(rows)
