"""What is run by hand and is no test: figures, mutants, a real SillyTavern (contributing.md)."""

from __future__ import annotations


def require(holds: object, what: str) -> None:
    """End with exit code 1 and a line that says ``what``: a time of work left undone is none."""
    if not holds:
        raise SystemExit(f"FAILED, these are no figures: {what}")
