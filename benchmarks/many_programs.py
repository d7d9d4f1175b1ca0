"""Twenty programs, one of them a window, at one library for a minute: is anything lost?"""

from __future__ import annotations

import sys

import pytest

from tests.many_programs import run

pytestmark = pytest.mark.timeout(600)
PROGRAMS, SECONDS = 20, 60


def test_twenty_programs_for_a_minute(tmp_path):
    account = run(tmp_path, PROGRAMS, SECONDS, has_window=True)
    print(f"\n{sum(account.codes.values())} commands, {account.refused} refused with a reason,")
    print(f"{account.acknowledged} promises, {len(account.lost)} of them lost")
    print(", ".join(f"{name}: {count}" for name, count in sorted(account.codes.items())))
    print("longest, in s:", account.slowest)
    assert account.failures == []
    assert account.lost == []
    assert account.faults == []


if __name__ == "__main__":
    sys.exit(pytest.main(["-s", __file__, *sys.argv[1:]]))
