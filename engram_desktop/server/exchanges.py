"""The newest requests that went through the server, for the page and for whoever asks later.

Bodies hold a user's story: they live in memory only, for the newest requests, within a limit.
"""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace

from engram_desktop.domain.serving.exchange import Exchange

_LOG = logging.getLogger(__name__)
_MOST = 500  # exchanges held: some hours of play, half a kB each without their bodies
_WITH_BODIES = 50  # of them, the newest, with what was sent: a reader looks at the last few
_MOST_BODIES = 32_000_000  # characters of all bodies together; one of 100,000 floors has some MB

Hear = Callable[[Exchange], object]


def unheard(exchange: Exchange) -> None:
    """For a server that nobody watches."""
    del exchange


class Exchanges:
    """A ring of exchanges by number. Safe from any thread; ``hear`` is told of every change.

    ``hear`` is called on the thread that changed it, and must return at once. What it raises is
    logged: no reply is lost for a page that cannot show it.
    """

    def __init__(self, hear: Hear = unheard) -> None:
        self._hear = hear
        self._lock = threading.Lock()
        self._by_number: OrderedDict[int, Exchange] = OrderedDict()
        self._sizes: OrderedDict[int, int] = OrderedDict()  # of those whose bodies are held
        self._last = 0

    def begin(self, at: int, path: str, **fields: object) -> Exchange:
        """Begin an exchange and return it with its number."""
        with self._lock:
            self._last += 1
            exchange = Exchange(self._last, at, path, **fields)  # type: ignore[arg-type]
            self._keep(exchange)
        self._tell(exchange)
        return exchange

    def change(self, number: int, **fields: object) -> Exchange | None:
        """Change an exchange; None where it is no longer held."""
        with self._lock:
            exchange = self._by_number.get(number)
            if exchange is None:
                return None
            exchange = replace(exchange, **fields)  # type: ignore[arg-type]
            self._keep(exchange)
            exchange = self._by_number[number]
        self._tell(exchange)
        return exchange

    def get(self, number: int) -> Exchange | None:
        """Return an exchange, or None where it is no longer held."""
        with self._lock:
            return self._by_number.get(number)

    def newest(self, count: int = _MOST) -> list[Exchange]:
        """Return the newest exchanges, the newest first."""
        with self._lock:
            numbers = sorted(self._by_number, reverse=True)[:count]
            return [self._by_number[number] for number in numbers]

    def _keep(self, exchange: Exchange) -> None:
        number = exchange.number
        self._by_number[number] = exchange
        size = len(exchange.before) + len(exchange.after)
        if size:
            self._sizes[number] = size
        while len(self._sizes) > _WITH_BODIES or sum(self._sizes.values()) > _MOST_BODIES:
            oldest, _size = self._sizes.popitem(last=False)
            bare = replace(self._by_number[oldest], before="", after="")
            self._by_number[oldest] = bare
        while len(self._by_number) > _MOST:
            gone, _exchange = self._by_number.popitem(last=False)
            self._sizes.pop(gone, None)

    def _tell(self, exchange: Exchange) -> None:
        try:
            self._hear(exchange)
        except Exception:  # noqa: BLE001 - logged; see the class
            _LOG.exception("an exchange could not be shown")
