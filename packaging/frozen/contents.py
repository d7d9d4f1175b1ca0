"""What goes into the frozen program and what does not, by name; `engram.spec` asks.

Every entry is something that a package brings along and this program never runs. `smoke.py` tries
what is left. Sizes are those of Linux, unpacked.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterable
from fnmatch import fnmatch
from pathlib import Path, PurePosixPath

# Modules, with everything that only they need.
EXCLUDED = (
    # Chroma: its own server's parts, and its default embedder (ours is another).
    *("kubernetes", "onnxruntime", "tokenizers", "uvloop", "httptools", "bcrypt"),
    # Its telemetry (no_exporter.py stands in): 20 MB.
    *("grpc", "google.protobuf", "google.rpc", "opentelemetry.exporter", "opentelemetry.proto"),
    # Second clients that openai and httpx2 can use, and parts of openai for voice: 12 MB.
    *("aiohttp", "websockets", "trio"),
    # Command-line shells of libraries, and what only they colour: 2 MB.
    *("cel.cli", "typer", "prompt_toolkit", "markdown_it", "IPython", "rich", "pygments"),
    # Parts that no use here reaches: NumPy's generators, transforms and wrapper of Fortran, the
    # first version's interface of pydantic.
    *("numpy.random", "numpy.fft", "numpy.f2py", "numpy.testing", "pydantic.v1"),
    # Builders of packages, which some libraries ask for their own version.
    *("setuptools", "distutils", "pkg_resources"),
    # For developers: type checkers' plugins, test tools.
    *("mypy", "hypothesis", "pytest", "_pytest", "librt", "ast_serialize"),
    *("tkinter", "matplotlib", "PIL", "curses", "lib2to3", "pydoc_data"),
)

# Files, by their path in the folder (`*` reaches over slashes).
_LEFT_OUT = (
    # Embedded screens, and platforms without a desktop; `offscreen` stays for pictures.
    "*/plugins/platforms/*eglfs*",
    "*/plugins/platforms/*linuxfb*",
    "*/plugins/platforms/*minimal*",
    "*/plugins/platforms/*vkkhr*",
    "*/plugins/platforms/*vnc*",
    "*/plugins/egldeviceintegrations/*",
    "*/plugins/generic/*",
    # The theme of GTK brings GTK itself, 25 MB; the desktop's own dialogs come by its portal.
    "*/plugins/platformthemes/*gtk3*",
    "*/plugins/networkinformation/*",
    "*/plugins/platforminputcontexts/*virtualkeyboard*",
    "*/plugins/imageformats/*qpdf*",
    "*/plugins/imageformats/*qtiff*",
    "*/plugins/imageformats/*qtga*",
    "*/plugins/imageformats/*qwbmp*",
    "*/plugins/imageformats/*qicns*",
    # Of rapidfuzz only distances are used; without these it has its own slower ones.
    "*/rapidfuzz/fuzz_cpp*",
    "*/rapidfuzz/process_cpp*",
    # opencc's own programs, and the texts that .qm files are made of.
    "*/opencc/clib/bin/*",
    "*.ts",
    # Modules of Qt that a plugin above needed.
    "*Qt6EglF*",
    "*Qt6Pdf*",
    "*Qt6Qml*",
    "*Qt6Quick*",
    "*Qt6VirtualKeyboard*",
    "*opengl32sw.dll",
    # Test data and sources that wheels carry.
    "*/numpy/*/tests/*",
    "networkx/*/tests/*",
    "chromadb/test/*",
    "*.dist-info/sboms/*",
    "*.pyi",
    "*.h",
    "*.lib",
    "*.a",
)
_QT_TEXTS = "*PySide6/*translations/*"
_QT_TEXTS_USED = ("*/qtbase_zh_CN.qm", "*/qtbase_ja.qm", "*/qtbase_en.qm")


def is_needed(path: str) -> bool:
    """Tell whether a file of a package belongs into the folder at ``path``."""
    path = "/" + PurePosixPath(path.replace("\\", "/")).as_posix()
    if fnmatch(path, _QT_TEXTS):
        return any(fnmatch(path, used) for used in _QT_TEXTS_USED)
    return not any(fnmatch(path, left_out) for left_out in _LEFT_OUT)


def reached(libraries: dict[str, str], needs: Callable[[str], Iterable[str]]) -> set[str]:
    """Return the paths in ``libraries`` that the packages' own files lead to.

    ``libraries`` maps a path in the folder to the file it is made from. Those that lie in a
    package's folder are wanted for themselves; those beside them at the top came along as what
    another needs, and stay only where one that stays still does. ``needs`` gives the names of the
    libraries a file is linked against.
    """
    waiting = [path for path in libraries if "/" in path.replace("\\", "/")]
    kept = set(waiting)
    by_name: dict[str, list[str]] = {}
    for path in libraries:
        by_name.setdefault(PurePosixPath(path.replace("\\", "/")).name, []).append(path)
    while waiting:
        for name in needs(libraries[waiting.pop()]):
            for path in by_name.get(PurePosixPath(name).name, ()):
                if path not in kept:
                    kept.add(path)
                    waiting.append(path)
    return kept


def imported(package: Path) -> set[str]:
    """Return the libraries, not Python's own, that the modules of a package import by name."""
    names: set[str] = set()
    for file in package.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            match node:
                case ast.Import(names=modules):
                    names |= {module.name.partition(".")[0] for module in modules}
                case ast.ImportFrom(module=str(name), level=0):
                    names.add(name.partition(".")[0])
    return names - sys.stdlib_module_names - {package.name}
