"""Make everything for Windows, on Windows: freeze, try, installer, portable ZIP file, try those.

python packaging/windows/build.py            freeze and make both in dist/release
python packaging/windows/build.py --install  also install, try and remove the program for this user

Needs Python 3.11 to 3.13 with `pip install -e .[frozen] -c packaging/constraints.txt`, and NSIS.
Each step is a script of its own and can be run alone.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE.parent))

import app_icons  # noqa: E402 - the folder of scripts is no package
from windows import make_portable, make_setup, version_resource  # noqa: E402

FROZEN = ROOT / "dist" / "engram"
RELEASE = ROOT / "dist" / "release"


def freeze() -> None:
    """Make dist/engram; packaging/frozen/engram.spec takes icon and version files from build/."""
    app_icons.write(ROOT / "build" / "engram.ico")
    for program in version_resource.DESCRIPTIONS:
        version_resource.write(program, ROOT / "build" / f"version-{program}.txt")
    freezing = (sys.executable, "-m", "PyInstaller", "--noconfirm", "--log-level", "WARN")
    subprocess.run([*freezing, "packaging/frozen/engram.spec"], cwd=ROOT, check=True)


def smoke(folder: Path) -> None:
    """Try a frozen folder as a user would."""
    subprocess.run([sys.executable, ROOT / "packaging" / "smoke.py", folder], check=True)


def try_portable(archive: Path) -> None:
    """Unpack the ZIP file somewhere with blanks and Chinese in its name, and try what is in it."""
    with tempfile.TemporaryDirectory() as temporary:
        place = Path(temporary) / "便携 portable"
        with zipfile.ZipFile(archive) as packed:
            packed.extractall(place)
        smoke(place / make_portable.INSIDE)


def try_setup(setup: Path) -> None:
    """Install, try and remove the program. It takes the place of one this user has installed."""
    local = Path(os.environ["LOCALAPPDATA"])
    place = local / "Programs" / "Engram Desktop"
    subprocess.run([setup, "/S"], check=True)
    try:
        smoke(place)
    finally:
        # The first word is the remover; told where it lies it does not go on as a copy.
        subprocess.run(f'"{place / "uninstall.exe"}" /S _?={place}', check=True)
    left = {path.name for path in place.iterdir()} if place.exists() else set()
    if left - {"uninstall.exe"}:  # it cannot delete itself when it is told where it lies
        sys.exit(f"removing left something behind: {left}")


def main() -> None:
    parser = argparse.ArgumentParser(description="Make everything for Windows.")
    parser.add_argument("--install", action="store_true", help="try the installer on this user")
    given = parser.parse_args()
    freeze()
    smoke(FROZEN)
    archive = make_portable.make(FROZEN, RELEASE)
    try_portable(archive)
    setup = make_setup.make(FROZEN, RELEASE)
    if given.install:
        try_setup(setup)
    print(f"{setup}\n{archive}")


if __name__ == "__main__":
    main()
