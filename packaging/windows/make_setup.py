"""Make the installer for Windows out of a frozen folder, with NSIS (makensis), here or on Windows.

python packaging/windows/make_setup.py dist/engram dist/release

Writes Engram-<version>-setup.exe and prints its path. Debian's package `nsis` has makensis;
for Windows it comes from https://nsis.sourceforge.io.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from engram_desktop import __version__

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE.parent))

import app_icons  # noqa: E402 - the folder of scripts is no package
from windows.version_resource import four_numbers  # noqa: E402

SCRIPT = HERE / "engram.nsi"
# Behind the folder of a user, a path may have 260 characters where long ones are not switched on:
# C:\Users\<20>\AppData\Local\Programs\Engram Desktop is 65.
LONGEST = 180
_WHERE = (r"C:\Program Files (x86)\NSIS\makensis.exe", r"C:\Program Files\NSIS\makensis.exe")
_FORBIDDEN = set('<>:"|?*\\')
_RESERVED = {"con", "prn", "aux", "nul"} | {f"{n}{i}" for n in ("com", "lpt") for i in range(1, 10)}


def makensis() -> str | None:
    """Return the path of makensis, or None where it is not installed."""
    return shutil.which("makensis") or next((p for p in _WHERE if Path(p).exists()), None)


def contents(folder: Path) -> list[Path]:
    """Return every file and folder in ``folder``, relative to it; files first, then the deepest."""
    found = [path.relative_to(folder) for path in folder.rglob("*")]
    files = sorted(path for path in found if not (folder / path).is_dir())
    folders = (path for path in found if (folder / path).is_dir())
    return files + sorted(folders, key=lambda path: (-len(path.parts), path))


def bad_names(paths: list[Path]) -> list[str]:
    """Return what Windows cannot store, or not everywhere: names, lengths, names in two cases."""
    faults = []
    spellings: dict[str, Path] = {}
    for path in paths:
        if len(str(path)) > LONGEST:
            faults.append(f"{path} is longer than {LONGEST} characters")
        for part in path.parts:
            if (
                _FORBIDDEN.intersection(part)
                or part[-1] in ". "
                or ".." in part
                or not part.isprintable()
            ):
                faults.append(f"{path} has a name that Windows does not take")
            elif part.partition(".")[0].casefold() in _RESERVED:
                faults.append(f"{path} has the name of a device")
        other = spellings.setdefault(str(path).casefold(), path)
        if other != path:
            faults.append(f"{path} and {other} are one file on Windows")
    return faults


def installed_list(folder: Path) -> bytes:
    """Return what the installer writes down of ``folder``, as NSIS reads it: UTF-16, no mark."""
    lines = [
        "\\".join(path.parts) + ("\\" if (folder / path).is_dir() else "")
        for path in contents(folder)
    ]
    return "".join(f"{line}\r\n" for line in lines).encode("utf-16-le")


def make(folder: Path, target: Path, version: str = __version__, nsis_target: str = "") -> Path:
    """Write the installer of ``folder`` into the folder ``target``; returns its path."""
    tool = makensis()
    if tool is None:
        sys.exit("makensis is not installed (Debian: nsis; Windows: https://nsis.sourceforge.io)")
    faults = bad_names(contents(folder))
    if faults:
        sys.exit("\n".join(faults))
    target.mkdir(parents=True, exist_ok=True)
    setup = target.resolve() / f"Engram-{version}-setup.exe"
    size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
    with tempfile.TemporaryDirectory() as temporary:
        listed = Path(temporary) / "installed.txt"
        listed.write_bytes(installed_list(folder))
        values = {
            "VERSION": version,
            "FOUR_NUMBERS": ".".join(map(str, four_numbers(version))),
            "SOURCE": str(folder.resolve() / "*"),
            "LIST": str(listed),
            "ICON": str(app_icons.write(Path(temporary) / "engram.ico")),
            "SIDE": str(app_icons.write(Path(temporary) / "side.bmp")),
            "SIZE_KB": str(-(-size // 1024)),
            "OUTPUT": str(setup),
        }
        if nsis_target:
            values["TARGET"] = nsis_target
        command = [tool, "-V2", "-WX", "-INPUTCHARSET", "UTF8"]
        command += [f"-D{name}={value}" for name, value in values.items()]
        # Where the locale is not UTF-8, makensis cannot name the files it packs.
        environment = os.environ | {"LC_ALL": "C.UTF-8"}
        subprocess.run([*command, str(SCRIPT)], check=True, env=environment)
    return setup


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Make the installer for Windows.")
    parser.add_argument("folder", type=Path, help="the frozen program")
    parser.add_argument("target", type=Path, help="where to put the installer")
    parser.add_argument("--version", default=__version__)
    parser.add_argument("--nsis-target", default="", help="such as amd64-unicode")
    given = parser.parse_args()
    print(make(given.folder, given.target, given.version, given.nsis_target))
