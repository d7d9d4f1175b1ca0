"""Write the version resource of our Windows programs, as PyInstaller reads it.

python packaging/windows/version_resource.py engram-desktop build/version-engram-desktop.txt

Explorer shows it under Properties, the task manager as the program's name, and “Open with” as
what opens a backup. The version is the one of `engram_desktop.__version__`.
"""

from __future__ import annotations

import sys
from pathlib import Path

from engram_desktop import __version__

PUBLISHER = "Engram Desktop contributors"
DESCRIPTIONS = {
    "engram-desktop": "Engram Desktop",
    "engram": "Engram Desktop, command line",
}
_FORM = """VSVersionInfo(
  ffi=FixedFileInfo(
    filevers={numbers},
    prodvers={numbers},
    mask=0x3F,
    flags=0x0,
    OS=0x40004,
    fileType=0x1,
    subtype=0x0,
    date=(0, 0),
  ),
  kids=[
    StringFileInfo([StringTable("040904B0", [
{strings}
    ])]),
    VarFileInfo([VarStruct("Translation", [0x0409, 1200])]),
  ],
)
"""


def four_numbers(version: str) -> tuple[int, int, int, int]:
    """Return ``version`` as Windows counts: four numbers. Raises ValueError for any other form."""
    parts = [int(part) for part in version.split(".")]
    if len(parts) > 4 or not all(0 <= part < 65536 for part in parts):
        raise ValueError(f"{version} is no version that Windows can have")
    major, minor, patch, build = [*parts, 0, 0, 0, 0][:4]
    return major, minor, patch, build


def version_info(program: str, version: str = __version__) -> str:
    """Return the text of the version file of ``program``, a key of `DESCRIPTIONS`."""
    strings = {
        "CompanyName": PUBLISHER,
        "FileDescription": DESCRIPTIONS[program],
        "FileVersion": version,
        "InternalName": program,
        "LegalCopyright": f"{PUBLISHER}; MIT licence",
        "OriginalFilename": f"{program}.exe",
        "ProductName": "Engram Desktop",
        "ProductVersion": version,
    }
    rows = "\n".join(f'      StringStruct("{name}", "{text}"),' for name, text in strings.items())
    return _FORM.format(numbers=four_numbers(version), strings=rows)


def write(program: str, target: Path) -> Path:
    """Write the version file of ``program``."""
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(version_info(program), "utf-8")
    return target


if __name__ == "__main__":
    print(write(sys.argv[1], Path(sys.argv[2])))
