"""Which of several texts SillyTavern picks at one place of a text in one chat: always the same.

It sows a generator of random numbers with a hash of the chat, the text and the place.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

_LOW = 0xFFFFFFFF  # 32 bits, as `Math.imul` and `>>>` of JavaScript leave


@lru_cache(maxsize=4)
def text_hash(text: str) -> int:
    """Return the hash that SillyTavern makes of a text: 53 bits (cyrb53)."""
    one, other = 0xDEADBEEF, 0x41C6CE57
    units = text.encode("utf-16-le", "surrogatepass")
    for at in range(0, len(units), 2):
        unit = units[at] | units[at + 1] << 8
        one = (one ^ unit) * 2_654_435_761 & _LOW
        other = (other ^ unit) * 1_597_334_677 & _LOW
    one = _mixed(one, 16, 2_246_822_507) ^ _mixed(other, 13, 3_266_489_909)
    other = _mixed(other, 16, 2_246_822_507) ^ _mixed(one, 13, 3_266_489_909)
    return (other & 0x1FFFFF) << 32 | one


def _mixed(number: int, shift: int, factor: int) -> int:
    return (number ^ number >> shift) * factor & _LOW


def picked(count: int, chat: str, text: int, place: int) -> int:
    """Return which of ``count`` is picked: ``chat`` and ``text`` are said by their hashes."""
    parts = chat.split("-", 1)
    seed = "-".join([parts[0], str(text), str(place), *parts[1:]])
    return int(_first_number(str(text_hash(seed))) * count)


def _first_number(seed: str) -> float:
    """The first number, from 0 up to 1, of an ARC4 stream sown with a text."""
    key: list[int] = []
    smear = 0
    for at, unit in enumerate(seed.encode("ascii")):
        known = key[at & 255] if at < len(key) else None
        smear = 0 if known is None and at == 0 else smear ^ (known or 0) * 19
        value = smear + unit & 255
        if known is None:
            key.append(value)
        else:
            key[at & 255] = value
    stream = _arc4(key)
    for _ in range(256):
        next(stream)

    def taken(count: int) -> int:
        number = 0
        for _ in range(count):
            number = number * 256 + next(stream)
        return number

    number, below, more = taken(6), 256**6, 0
    while number < 2**52:
        number = (number + more) * 256
        below *= 256
        more = taken(1)
    while number >= 2**53:
        number //= 2
        below //= 2
        more >>= 1
    return (number + more) / below


def _arc4(key: list[int]) -> Iterator[int]:
    box = list(range(256))
    other = 0
    for at in range(256):
        other = other + key[at % len(key)] + box[at] & 255
        box[at], box[other] = box[other], box[at]
    at = other = 0
    while True:
        at = at + 1 & 255
        other = other + box[at] & 255
        box[at], box[other] = box[other], box[at]
        yield box[box[at] + box[other] & 255]
