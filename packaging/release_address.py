"""Write where newer versions are told of into resources/release.toml, before a release is made.

python packaging/release_address.py https://…/releases/latest
"""

from __future__ import annotations

import json
import re
import sys
import tomllib
from pathlib import Path

from engram_desktop.domain.address import clean_url

FILE = Path(__file__).resolve().parent.parent / "resources" / "release.toml"


def written(text: str, address: str) -> str:
    """Return the file with ``address`` in it. Raises BadEndpoint."""
    line = f"address = {json.dumps(clean_url(address))}"  # a string of JSON is one of TOML
    return re.sub(r"^address = .*$", lambda _old: line, text, flags=re.MULTILINE)


def main(address: str) -> None:
    FILE.write_text(written(FILE.read_text("utf-8"), address), "utf-8", newline="\n")
    print(tomllib.loads(FILE.read_text("utf-8"))["address"])


if __name__ == "__main__":
    main(sys.argv[1])
