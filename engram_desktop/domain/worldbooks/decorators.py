"""Lines at the beginning of an entry's content that start with @@: orders, not text.

A line with @@@ stands in for the one before it, where that is an order nobody here knows. As in
SillyTavern an order counts only if its line says nothing else, blanks included, and of content
that is nothing but orders all is text too.
"""

from __future__ import annotations

KNOWN = ("@@activate", "@@dont_activate")


def split_decorators(content: str) -> tuple[frozenset[str], str]:
    """Return the orders that count, and the content without any of those lines."""
    if not content.startswith("@@"):
        return frozenset(), content
    orders: set[str] = set()
    lines = content.split("\n")
    is_unknown = False  # the order before, for which the next may stand in
    for number, line in enumerate(lines):
        if not line.startswith("@@"):
            return frozenset(orders), "\n".join(lines[number:])
        if line.startswith("@@@") and not is_unknown:
            continue
        order = line[1:] if line.startswith("@@@") else line
        is_known = order.startswith(KNOWN)
        if is_known:
            orders.add(order)
        is_unknown = not is_known
    return frozenset(orders), content
