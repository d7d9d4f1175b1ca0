"""The versions that packaging/constraints.txt pins where the tests run."""

from __future__ import annotations

from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

FILE = Path(__file__).parents[1] / "packaging" / "constraints.txt"


def pinned_versions() -> dict[str, str]:
    """Return versions by the one spelling of each name; some are for other systems alone."""
    lines = FILE.read_text("utf-8").splitlines()
    pins = [Requirement(line) for line in lines if line and not line.startswith("#")]
    return {
        canonicalize_name(pin.name): str(pin.specifier).removeprefix("==")
        for pin in pins
        if pin.marker is None or pin.marker.evaluate()
    }
