"""Try the Windows installer under Wine: install, upgrade over it, remove; look at what is left.

python packaging/windows/try_under_wine.py [--nsis-target amd64-unicode] [--pictures FOLDER]

The frozen program itself cannot be made on Linux, so small programs stand in for it. What is tried
is everything around it: files, shortcuts, registry, path, a program that runs, and the user's own.
A Wine for 64 bits alone runs no installer of 32, which is what is released: say amd64-unicode then.
Debian: nsis, wine (wine32 too), gcc-mingw-w64-x86-64; for pictures xvfb, xdotool, imagemagick.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from windows import make_setup  # noqa: E402 - the folder of scripts is no package

COMPILER = "x86_64-w64-mingw32-gcc"
TOOLS = ("makensis", "wine", COMPILER)
STORY = "_internal/resources/story/月光酒馆.jsonl"
# Of the user: longer than the 1,024 characters of a text in NSIS, with a variable in it, and with
# folders that begin like ours.
OWN_PATH = ";".join(
    [
        "%USERPROFILE%\\bin",
        *(f"C:\\tools\\number {n}" for n in range(300)),
        r"D:\Engram Desktop2",
        "",
    ]
)
REG_SZ, REG_EXPAND_SZ = "REG_SZ", "REG_EXPAND_SZ"
KEY = r"HKCU\Software\Engram Desktop"
REMOVAL = r"HKCU\Software\Microsoft\Windows\CurrentVersion\Uninstall\Engram Desktop"
CLASSES = r"HKCU\Software\Classes"
TOO_OLD = 2  # what the installer ends with where Windows is too old
RUNS = 3  # what the installer ends with while the program runs


def missing_tools() -> list[str]:
    """Return what has to be installed before anything can be tried."""
    return [tool for tool in TOOLS if shutil.which(tool) is None]


def stand_ins(folder: Path, version: str, files: dict[str, str]) -> Path:
    """Make a folder as PyInstaller does, with programs that say ``version``."""
    (folder / "_internal").mkdir(parents=True)
    for name, options in (("engram", ()), ("engram-desktop", ("-mwindows",))):
        command = [COMPILER, f'-DVERSION="{version}"', *options, "-o", str(folder / f"{name}.exe")]
        subprocess.run([*command, str(HERE / "stand_in.c")], check=True)
    for name, text in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    return folder


class Windows:
    """A Windows of Wine's, in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.environment = os.environ | {
            "WINEPREFIX": str(folder),
            "WINEDEBUG": "-all",
            "WINEDLLOVERRIDES": "mscoree,mshtml=",  # asks for nothing to be downloaded
            "LC_ALL": "C.UTF-8",
        }
        self.run("wineboot", "--init")
        self.be("win10")
        self.user = next(p for p in (folder / "drive_c" / "users").iterdir() if p.name != "Public")
        for place in self.user.iterdir():  # Wine links the desktop and others to those of its user
            if place.is_symlink():
                place.unlink()
                place.mkdir()
        self.local = self.user / "AppData" / "Local"
        self.programs = self.local / "Programs" / "Engram Desktop"
        self.library = self.local / "Engram" / "library"
        roaming = self.user / "AppData" / "Roaming" / "Microsoft" / "Windows"
        self.menu = roaming / "Start Menu" / "Programs" / "Engram Desktop.lnk"
        self.link = self.user / "Desktop" / "Engram Desktop.lnk"

    def run(self, *command: str, expected: int | None = 0) -> str:
        """Run something; returns what it prints. Fails unless it ends with ``expected``."""
        # Into a file: what Wine starts beside it, and leaves running, would keep a pipe open.
        with tempfile.TemporaryFile() as output:
            done = subprocess.run(
                ["wine", *command], env=self.environment, stdout=output, timeout=300, check=False
            )
            output.seek(0)
            said = output.read().decode("utf-8", "replace")
        assert expected is None or done.returncode == expected, (command, done.returncode, said)
        return said

    def be(self, version: str) -> None:
        """Be another Windows: ``win7``, ``win10`` and so on."""
        self.run("winecfg", "/v", version)

    def path_of(self, file: Path) -> str:
        """Return what Windows calls a file of this Windows."""
        return "C:\\" + "\\".join(file.relative_to(self.folder / "drive_c").parts)

    def value(self, key: str, name: str) -> tuple[str, str] | None:
        """Return kind and text of a value of the registry; None where there is none."""
        # what `reg query` prints has lost every character that an old console cannot show
        exported = self.folder / "drive_c" / "exported.reg"
        exported.unlink(missing_ok=True)
        self.run("reg", "export", key, self.path_of(exported), "/y", expected=None)
        if not exported.exists():
            return None
        text = exported.read_text("utf-16").replace("\\\n  ", "")
        section = text.partition(f"[{key.replace('HKCU', 'HKEY_CURRENT_USER')}]\n")[2]
        section = section.partition("\n[")[0]
        label = re.escape(f'"{name}"') if name else "@"
        row = re.search(rf"^{label}=(.*)$", section, re.MULTILINE)
        return _read_value(row[1]) if row else None

    def set_path(self, kind: str, text: str) -> None:
        """Give the user this path."""
        self.run("reg", "add", r"HKCU\Environment", "/v", "Path", "/t", kind, "/d", text, "/f")

    def has_key(self, key: str) -> bool:
        return key.rpartition("\\")[2] in self.run("reg", "query", key, expected=None)

    def settle(self) -> None:
        """Wait for what was started and not waited for: an uninstaller goes on as a copy."""
        subprocess.run(["wineserver", "--wait"], env=self.environment, timeout=120, check=True)

    def close(self) -> None:
        subprocess.run(["wineserver", "--kill"], env=self.environment, check=False)


def _read_value(text: str) -> tuple[str, str]:
    """Read kind and text out of what a .reg file has behind the sign of equality."""
    if text.startswith('"'):
        return REG_SZ, re.sub(r"\\(.)", r"\1", text[1:-1])
    kind, _colon, digits = text.partition(":")
    if kind == "dword":
        return "REG_DWORD", digits
    assert kind == "hex(2)", text
    return REG_EXPAND_SZ, bytes.fromhex(digits.replace(",", "")).decode("utf-16-le").rstrip("\0")


@contextmanager
def windows() -> Iterator[Windows]:
    with tempfile.TemporaryDirectory(prefix="engram-wine-", ignore_cleanup_errors=True) as folder:
        made = Windows(Path(folder) / "prefix")
        try:
            yield made
        finally:
            made.close()


def make_setups(folder: Path, nsis_target: str) -> tuple[Path, Path]:
    """Make the installers of an older and a newer version."""
    old = {"_internal/gone.dll": "old", "_internal/lib/gone/old.txt": "old", STORY: "old"}
    new = {"_internal/new.dll": "new", "_internal/lib/kept.txt": "new", STORY: "new"}
    target = folder / "setups"
    return (
        make_setup.make(stand_ins(folder / "old", "0.1.0", old), target, "0.1.0", nsis_target),
        make_setup.make(stand_ins(folder / "new", "0.2.0", new), target, "0.2.0", nsis_target),
    )


def files_in(folder: Path) -> set[str]:
    return {p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file()}


def check_installed(pc: Windows, version: str, files: set[str]) -> None:
    """Check what stands after an installation: exactly these files, and what leads to them."""
    own = {"installed.txt", "uninstall.exe"}
    assert files_in(pc.programs) == files | own, files_in(pc.programs) ^ (files | own)
    assert pc.menu.exists()
    place = pc.path_of(pc.programs)
    assert pc.value(KEY, "Folder") == (REG_SZ, place)
    assert pc.value(KEY, "Version") == (REG_SZ, version)
    assert pc.value(REMOVAL, "DisplayName") == (REG_SZ, "Engram Desktop")
    assert pc.value(REMOVAL, "DisplayVersion") == (REG_SZ, version)
    assert pc.value(REMOVAL, "Publisher") == (REG_SZ, "Engram Desktop contributors")
    kind, size = pc.value(REMOVAL, "EstimatedSize") or ("", "0")
    assert kind == "REG_DWORD"
    on_disk = sum(f.stat().st_size for f in pc.programs.rglob("*.exe") if f.stem != "uninstall")
    assert abs(int(size, 16) * 1024 - on_disk) < 4096, (size, on_disk)
    assert pc.value(rf"{CLASSES}\.engram", "") == (REG_SZ, "EngramDesktop.Backup")
    opens = pc.value(rf"{CLASSES}\EngramDesktop.Backup\shell\open\command", "")
    assert opens == (REG_SZ, f'"{place}\\engram-desktop.exe" "%1"'), opens


def check_path(pc: Windows, *, has_ours: bool) -> None:
    """Check that the user's path is what it was, to the letter, with our folder behind or not."""
    ours = f";{pc.path_of(pc.programs)}" if has_ours else ""
    found = pc.value(r"HKCU\Environment", "Path")
    assert found == (REG_EXPAND_SZ, OWN_PATH + ours), (
        found and found[0],
        found and found[1][-200:],
    )


def try_all(nsis_target: str, folder: Path) -> None:
    """Install an older version, go over to a newer one, remove it."""
    older, newer = make_setups(folder, nsis_target)
    old_files, new_files = files_in(folder / "old"), files_in(folder / "new")
    with windows() as pc:
        pc.set_path(REG_EXPAND_SZ, OWN_PATH)
        pc.be("win7")
        pc.run(str(older), "/S", expected=TOO_OLD)
        assert not pc.programs.exists()
        pc.be("win10")
        pc.run(str(older), "/S")
        check_installed(pc, "0.1.0", old_files)
        check_path(pc, has_ours=True)
        assert not pc.link.exists(), "a link on the desktop is made only where it is asked for"
        print("installed: files, menu, registry, .engram, path", flush=True)

        own = pc.programs / "我的笔记.txt"
        for file in (own, pc.library / "library.db"):
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text("the user's", "utf-8")
        refuse_while_running(pc, newer, old_files | {own.name})
        upgrade(pc, newer, new_files | {own.name})
        refuse_to_be_removed(pc, new_files | {own.name})
        remove(pc)
        assert files_in(pc.programs) == {own.name}, files_in(pc.programs)
        assert files_in(pc.library) == {"library.db"}
        check_path(pc, has_ours=False)
        print("removed: the library and the user's file stand, the path is as it was", flush=True)


def upgrade(pc: Windows, setup: Path, files: set[str]) -> None:
    """Install a newer version over an older one, twice; the user has asked for a link by then."""
    pc.run("reg", "add", KEY, "/v", "Desktop", "/t", "REG_DWORD", "/d", "1", "/f")
    for _time in range(2):
        pc.run(str(setup), "/S")
        check_installed(pc, "0.2.0", files)
        check_path(pc, has_ours=True)
        assert (pc.programs / STORY).read_text("utf-8") == "new"
        assert not (pc.programs / "_internal" / "lib" / "gone").exists(), "an empty folder is left"
        assert pc.link.exists(), "what was chosen before was chosen again"
    print("upgraded, and over itself: the old version's files are gone, nothing twice", flush=True)


def remove(pc: Windows) -> None:
    """Remove the program and check that nothing leads to it any more."""
    pc.run(pc.path_of(pc.programs / "uninstall.exe"), "/S")
    pc.settle()
    assert not pc.menu.exists()
    assert not pc.link.exists()
    for key in (KEY, REMOVAL, rf"{CLASSES}\EngramDesktop.Backup"):
        assert not pc.has_key(key), key
    kind = pc.value(rf"{CLASSES}\.engram", "")
    assert kind is None or "Engram" not in kind[1], kind


def try_small_things(nsis_target: str, folder: Path) -> None:
    """No path before, another folder, another program that opens backups."""
    setup = make_setup.make(folder / "new", folder / "setups", "0.2.0", nsis_target)
    with windows() as pc:
        pc.programs = pc.folder / "drive_c" / "游戏 & Co" / "O'Brien's 100%"
        place = pc.path_of(pc.programs)
        pc.run("reg", "delete", r"HKCU\Environment", "/v", "Path", "/f", expected=None)
        pc.run(str(setup), "/S", *bare(f"/D={place}"))
        check_installed(pc, "0.2.0", files_in(folder / "new"))
        assert pc.value(r"HKCU\Environment", "Path") == (REG_EXPAND_SZ, place)
        # not with the long path above: Wine gives programs 1,024 characters of it
        said = pc.run("cmd", "/c", "engram").strip()
        assert said == "0.2.0", f"“engram” in a new terminal says {said!r}"
        # the user puts others around it, and lets another program open backups
        mixed = f"C:\\a;{place}2;{place.upper()};C:\\b"
        pc.set_path(REG_SZ, mixed)
        pc.run("reg", "add", rf"{CLASSES}\.engram", "/ve", "/d", "Other.Program", "/f")
        remove(pc)
        assert not pc.programs.exists()
        left = pc.value(r"HKCU\Environment", "Path")
        assert left == (REG_SZ, f"C:\\a;{place}2;C:\\b"), left
        assert pc.value(rf"{CLASSES}\.engram", "") == (REG_SZ, "Other.Program")
        pc.run("reg", "delete", r"HKCU\Environment", "/v", "Path", "/f")
        pc.run(str(setup), "/S", *bare(f"/D={place}"))
        remove(pc)
        assert pc.value(r"HKCU\Environment", "Path") is None, "there was none before"
        print("another folder, no path before, another program for backups: as it was", flush=True)


def bare(word: str) -> list[str]:
    """Return a last word as NSIS wants it: Wine puts quotes around one with blanks."""
    return word.split(" ")


def refuse_while_running(pc: Windows, setup: Path, files: set[str]) -> None:
    """Nothing is changed while the window or the command line runs."""
    for program in ("engram-desktop.exe", "engram.exe"):
        with running(pc, program):
            pc.run(str(setup), "/S", expected=RUNS)
            assert pc.value(KEY, "Version") == (REG_SZ, "0.1.0")
            assert files_in(pc.programs) == files | {"installed.txt", "uninstall.exe"}
    print("while it runs, the installer changes nothing", flush=True)


def refuse_to_be_removed(pc: Windows, files: set[str]) -> None:
    with running(pc, "engram-desktop.exe"):
        # told where it lies, it does not go on as a copy, and its answer can be seen
        place = pc.path_of(pc.programs)
        pc.run(f"{place}\\uninstall.exe", "/S", *bare(f"_?={place}"), expected=RUNS)
        assert files_in(pc.programs) == files | {"installed.txt", "uninstall.exe"}
    print("while it runs, it is not removed", flush=True)


@contextmanager
def running(pc: Windows, program: str) -> Iterator[None]:
    """Let one of the programs run for a while."""
    begun, end = (pc.folder / "drive_c" / name for name in ("begun", "end"))
    for file in (begun, end):
        file.unlink(missing_ok=True)
    command = [
        "wine",
        pc.path_of(pc.programs / program),
        "--wait",
        pc.path_of(begun),
        pc.path_of(end),
    ]
    process = subprocess.Popen(command, env=pc.environment)
    try:
        deadline = time.monotonic() + 60
        while not begun.exists():
            assert time.monotonic() < deadline, f"{program} does not start"
        yield
    finally:
        end.touch()
        process.wait(60)


def main() -> None:
    parser = argparse.ArgumentParser(description="Try the Windows installer under Wine.")
    parser.add_argument("--nsis-target", default="", help="such as amd64-unicode")
    given = parser.parse_args()
    if missing := missing_tools():
        sys.exit(f"install these first: {', '.join(missing)}")
    with tempfile.TemporaryDirectory() as temporary:
        try_all(given.nsis_target, Path(temporary))
        try_small_things(given.nsis_target, Path(temporary))


if __name__ == "__main__":
    main()
