"""What macOS reads of our bundle: Info.plist for PyInstaller's BUNDLE, and its texts in Chinese.

python packaging/macos/bundle_info.py "dist/Engram Desktop.app"     adds the texts

`packaging/frozen/engram.spec` takes `info()` and `BUNDLE_ID`; PyInstaller splits the folder into
Frameworks and Resources as codesign wants them.
"""

from __future__ import annotations

import plistlib
import sys
from pathlib import Path
from typing import Any

from engram_desktop import __version__

APP = "Engram Desktop.app"
BUNDLE_ID = "io.github.engram-desktop.Engram"
KIND = f"{BUNDLE_ID}.backup"
# Qt 6.10 and 6.11 are for 13, but pip on a newer Mac takes the NumPy that is for 14.
OLDEST_MACOS = "14.0"
_BACKUP = "Engram Desktop backup"
# What a folder of each language says instead of the words of Info.plist.
TEXTS = {
    "en": {_BACKUP: _BACKUP},
    "zh-Hans": {_BACKUP: "Engram Desktop 备份"},
}


def info(version: str = __version__) -> dict[str, Any]:
    """Return Info.plist."""
    return {
        "CFBundleName": "Engram Desktop",
        "CFBundleDisplayName": "Engram Desktop",
        "CFBundleIdentifier": BUNDLE_ID,
        "CFBundleExecutable": "engram-desktop",
        "CFBundleIconFile": "engram.icns",
        "CFBundlePackageType": "APPL",
        "CFBundleInfoDictionaryVersion": "6.0",
        "CFBundleShortVersionString": version,
        "CFBundleVersion": version,
        "CFBundleDevelopmentRegion": "en",
        "CFBundleLocalizations": list(TEXTS),
        "LSApplicationCategoryType": "public.app-category.utilities",
        "LSMinimumSystemVersion": OLDEST_MACOS,
        "NSHighResolutionCapable": True,
        "NSRequiresAquaSystemAppearance": False,  # a dark window where the system is dark
        "NSHumanReadableCopyright": "Engram Desktop contributors; MIT licence",
        "UTExportedTypeDeclarations": [
            {
                "UTTypeIdentifier": KIND,
                "UTTypeDescription": _BACKUP,
                "UTTypeConformsTo": ["public.data"],
                "UTTypeTagSpecification": {"public.filename-extension": ["engram"]},
            }
        ],
        "CFBundleDocumentTypes": [
            {
                "CFBundleTypeName": _BACKUP,
                "CFBundleTypeRole": "Editor",
                "CFBundleTypeIconFile": "engram.icns",
                "LSHandlerRank": "Owner",
                "LSItemContentTypes": [KIND],
            }
        ],
    }


def add_texts(app: Path) -> None:
    """Write what the bundle is called in each language. Before it is signed."""
    for language, texts in TEXTS.items():
        folder = app / "Contents" / "Resources" / f"{language}.lproj"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "InfoPlist.strings").write_bytes(plistlib.dumps(texts))


if __name__ == "__main__":
    add_texts(Path(sys.argv[1]))
