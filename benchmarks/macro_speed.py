"""A megabyte of hostile macro text: `python -m benchmarks.macro_speed` prints it.

Each text repeats one piece; half of it takes half the time.
"""

from __future__ import annotations

import sys
import time

import pytest

from engram_desktop.domain.macros.fill import fill
from engram_desktop.domain.macros.scope import MacroScope

pytestmark = pytest.mark.timeout(900)
CHARS = 1_000_000
PIECES = (
    *("{{", "}}", "{{{", "{{a::", "{{user}}", "{{if a}}", "{{/if}}", "{{if a}}x{{/if}}", "{{."),
    *(
        "{{.x = ",
        "{{.x++ 5}}",
        "{{a:::",
        "{{a名",
        "{{/",
        "{{//",
        "{{!",
        "\\{",
        "{{trim}}\n",
        "{{else}}",
    ),
    *("{{else}}", "{{time_UTC+", "<USER", "{{user}}x{{/user}} ", "{{if 1}}{{if 1}}a{{/if}}{{/if}}"),
    "{{setvar::x::{{getvar::x}}{{getvar::x}}a}}",
)


@pytest.mark.parametrize("piece", PIECES)
def test_hostile_text_is_filled_in_time_that_grows_with_it(piece):
    seconds = []
    for chars in (CHARS // 2, CHARS):
        text = piece * (chars // len(piece))
        begin = time.perf_counter()
        filled = fill(text, MacroScope({"user": "Anna"})).text
        seconds.append(time.perf_counter() - begin)
        assert piece != "{{user}}" or filled == "Anna" * (chars // len(piece))
    print(f"{piece:45} {seconds[0]:6.2f} s {seconds[1]:6.2f} s")
    assert seconds[1] < 60


if __name__ == "__main__":
    sys.exit(pytest.main(["-s", __file__, *sys.argv[1:]]))
