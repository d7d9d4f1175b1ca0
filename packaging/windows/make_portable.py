"""Make the portable ZIP file for Windows out of a frozen folder.

python packaging/windows/make_portable.py dist/engram dist/release

It uses the same library as an installed program, wherever it is unpacked to: a program that looked
for its library beside itself would open an empty one as soon as its folder is moved or replaced.
"""

from __future__ import annotations

import sys
import zipfile
from pathlib import Path

from engram_desktop import __version__

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from windows import make_setup  # noqa: E402 - the folder of scripts is no package

INSIDE = "Engram Desktop"
README = "README.txt"


def make(folder: Path, target: Path, version: str = __version__) -> Path:
    """Write Engram-<version>-portable.zip into the folder ``target``; returns its path."""
    paths = make_setup.contents(folder)
    if faults := make_setup.bad_names(paths):
        sys.exit("\n".join(faults))
    target.mkdir(parents=True, exist_ok=True)
    archive = target / f"Engram-{version}-portable.zip"
    text = (HERE / "portable.txt").read_text("utf-8").format(version=version)
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        # Notepad of older Windows knows UTF-8 by its mark, and lines by both characters.
        readme = text.replace("\n", "\r\n").encode("utf-8-sig")
        packed.writestr(f"{INSIDE}/{README}", readme, zipfile.ZIP_DEFLATED)
        for path in paths:
            if (folder / path).is_file():
                packed.write(folder / path, f"{INSIDE}/{path.as_posix()}")
    return archive


if __name__ == "__main__":
    print(make(Path(sys.argv[1]), Path(sys.argv[2])))
