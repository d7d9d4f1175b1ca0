"""What is found of a bank of English changes, and how little is reported of what is none."""

from __future__ import annotations

import pytest

from benchmarks.changes_bank_en import Scene, Share, scenes
from tests.findings_stories import FOLDER


@pytest.fixture(scope="module")
def bank() -> list[Scene]:
    return scenes(FOLDER / "bank_en.txt")


def test_a_bank_is_large_and_cut_in_halves(bank: list[Scene]):
    changes = [scene for scene in bank if not scene.is_decoy]
    assert len(changes) >= 240
    assert len(bank) - len(changes) >= 120
    assert 0.4 < sum(scene.is_dev for scene in bank) / len(bank) < 0.6
    assert len({scene.id for scene in bank}) == len(bank)


@pytest.mark.parametrize(("is_dev", "least"), [(True, 0.40), (False, 0.47)])
def test_changes_are_found_and_decoys_are_not(bank: list[Scene], is_dev: bool, least: float):
    share = Share.of(scene for scene in bank if scene.is_dev == is_dev)
    assert share.changes >= least
    assert share.decoys <= 0.05
