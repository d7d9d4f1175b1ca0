"""Draw which part of the program imports which into resources/docs/architecture.md.

Every folder of the program is a box, `services` one box a room. An arrow that follows from others
is left out (the transitive reduction), so that what is drawn can be read.
"""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path

import grimp
import networkx as nx

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "resources" / "docs" / "architecture.md"
PROGRAM, ROOMS = "engram_desktop", "services"
_FRAMES = {PROGRAM, f"{PROGRAM}.{ROOMS}"}  # they hold a docstring
_PICTURE = re.compile(r"```mermaid\n.*?```\n", re.DOTALL)


def box_of(module: str) -> str:
    """Return the box a module is drawn in: its folder, or its room of the services."""
    parts = module.split(".")[1:]
    return "/".join(parts[:2]) if parts[0] == ROOMS else parts[0]


def imports() -> nx.DiGraph:
    """Return boxes and which imports which, straight from the source."""
    graph = grimp.build_graph(PROGRAM, cache_dir=None)
    boxes = nx.DiGraph()
    for module in graph.modules - _FRAMES:
        boxes.add_node(box_of(module))
        for imported in graph.find_modules_directly_imported_by(module):
            if imported not in {PROGRAM, f"{PROGRAM}.{ROOMS}"} and box_of(imported) != box_of(
                module
            ):
                boxes.add_edge(box_of(module), box_of(imported))
    return boxes


def picture() -> str:
    """Return the Mermaid block, sorted, so that the same code always gives the same."""
    drawn = nx.transitive_reduction(imports())
    rooms = sorted(box for box in drawn if box.startswith(f"{ROOMS}/"))
    lines = ["```mermaid", "flowchart TB", f"  subgraph {ROOMS}"]
    lines += [f"    {_name(room)}[{room.removeprefix(f'{ROOMS}/')}]" for room in rooms]
    lines += ["  end"]
    lines += [f"  {_name(box)}[{box}]" for box in sorted(drawn) if box not in rooms]
    lines += [f"  {_name(a)} --> {_name(b)}" for a, b in sorted(drawn.edges)]
    return "\n".join([*lines, "```\n"])


def _name(box: str) -> str:
    return box.replace("/", "_").strip("_")  # Mermaid knows no slash in a name


def page() -> str:
    """Return the page with the picture as it is now."""
    return _PICTURE.sub(lambda _old: picture(), PAGE.read_text("utf-8"), count=1)


if __name__ == "__main__":
    assert isinstance(sys.stdout, io.TextIOWrapper)
    sys.stdout.reconfigure(encoding="utf-8")
    PAGE.write_text(page(), "utf-8")
