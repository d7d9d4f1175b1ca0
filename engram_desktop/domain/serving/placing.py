"""Where in a request the memory stands. Pure: lists of messages in, lists of messages out."""

from __future__ import annotations

from typing import Literal, get_args

# After the leading system messages; before the message that many from the end; before the last.
Place = Literal["system", "depth", "last"]
PLACES: tuple[Place, ...] = get_args(Place)
PLACEHOLDER = "{{engramSummaries}}"  # wins over any place
