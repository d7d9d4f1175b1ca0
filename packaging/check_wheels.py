"""Ask the package index whether every pinned dependency has a wheel for each platform and Python.

python packaging/check_wheels.py [--extra frozen] [--python 3.12]

pip evaluates markers such as `sys_platform == "win32"` for the computer it runs on, whatever
platform it is asked about; so the tree is walked here, with the markers of each platform, and pip
is asked for the pinned versions of one level of the tree at a time, without what they need. Only
names and versions are printed.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
PYTHONS = ("3.11", "3.12", "3.13")
_NOT_FOUND = re.compile(r"No matching distribution found for (\S+)")


@dataclass(frozen=True)
class Target:
    """A platform: what markers see of it, and the wheels it takes, the newest first."""

    name: str
    sys_platform: str
    system: str
    machine: str
    os_name: str
    wheels: tuple[str, ...]

    def environment(self, python: str) -> dict[str, str]:
        """Return what markers are evaluated with."""
        return {
            "os_name": self.os_name,
            "sys_platform": self.sys_platform,
            "platform_system": self.system,
            "platform_machine": self.machine,
            "platform_python_implementation": "CPython",
            "implementation_name": "cpython",
            "python_version": python,
            "python_full_version": f"{python}.0",
            "extra": "",
        }


def _mac(machine: str, newest: int) -> tuple[str, ...]:
    """Wheels a macOS takes: its own version's and older ones'."""
    old = (
        [f"macosx_10_{minor}_{machine}" for minor in range(16, 8, -1)]
        if machine == "x86_64"
        else []
    )
    new = [
        f"macosx_{major}_0_{kind}"
        for major in range(newest, 10, -1)
        for kind in (machine, "universal2")
    ]
    both = [f"macosx_10_{minor}_universal2" for minor in range(16, 8, -1)]
    return (*new, *old, *both)


def _linux(machine: str, glibc: int) -> tuple[str, ...]:
    """Wheels a Linux with this glibc 2 or a later one takes."""
    named = ("manylinux2014", "manylinux1") if machine == "x86_64" else ("manylinux2014",)
    return (
        *(f"manylinux_2_{minor}_{machine}" for minor in range(glibc, 4, -1)),
        *(f"{name}_{machine}" for name in named),
    )


# The oldest of each that everything has wheels for, found by asking. Qt sets the limit on Linux
# (2.34: Debian 12, Ubuntu 22.04; 2.39 on ARM: Debian 13, Ubuntu 24.04), onnxruntime on macOS.
TARGETS = (
    Target("Windows 10 x64", "win32", "Windows", "AMD64", "nt", ("win_amd64",)),
    Target("macOS 14 arm64", "darwin", "Darwin", "arm64", "posix", _mac("arm64", 14)),
    Target("macOS 13 Intel", "darwin", "Darwin", "x86_64", "posix", _mac("x86_64", 13)),
    Target("Linux x86_64, glibc 2.34", "linux", "Linux", "x86_64", "posix", _linux("x86_64", 34)),
    Target("Linux arm64, glibc 2.39", "linux", "Linux", "aarch64", "posix", _linux("aarch64", 39)),
)


def pins(environment: dict[str, str]) -> dict[str, str]:
    """Return what packaging/constraints.txt pins in an environment, by names in one spelling."""
    lines = (ROOT / "packaging" / "constraints.txt").read_text("utf-8").splitlines()
    pinned = [Requirement(line) for line in lines if line and not line.startswith("#")]
    return {
        canonicalize_name(pin.name): str(pin.specifier).removeprefix("==")
        for pin in pinned
        if pin.marker is None or pin.marker.evaluate(environment)
    }


def roots(*extras: str) -> list[Requirement]:
    """Return what pyproject.toml asks for, with these extras."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    asked = list(project["dependencies"])
    for extra in extras:
        asked += project["optional-dependencies"][extra]
    return [Requirement(text) for text in asked]


def wanted(requirement: Requirement, environment: dict[str, str], extras: set[str]) -> bool:
    """Say whether a requirement holds in an environment, for one of the extras asked for."""
    if requirement.marker is None:
        return True
    return any(requirement.marker.evaluate({**environment, "extra": e}) for e in {"", *extras})


def ask(asked: list[str], target: Target, python: str) -> tuple[list[dict[str, Any]], list[str]]:
    """Return the metadata of wheels for a platform, and those of ``asked`` that have none there.

    Nothing is downloaded but metadata. pip names one that it does not find, and is asked for the
    others again.
    """
    missing: list[str] = []
    while left := [requirement for requirement in asked if requirement not in missing]:
        with tempfile.TemporaryDirectory() as nowhere:
            command = [
                *(sys.executable, "-m", "pip", "install", "--dry-run", "--no-deps", "--quiet"),
                *("--ignore-installed", "--only-binary=:all:", "--disable-pip-version-check"),
                *("--python-version", python, "--implementation", "cp", "--target", nowhere),
                *(part for wheel in target.wheels for part in ("--platform", wheel)),
                *("--report", "-", *left),
            ]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
        if not done.returncode:
            return [row["metadata"] for row in json.loads(done.stdout)["install"]], missing
        name = _NOT_FOUND.search(done.stderr)
        if name is None or name[1] not in left:
            sys.exit(f"pip could not be asked for {left}:\n{done.stderr}")
        missing.append(name[1])
    return [], missing


@dataclass(frozen=True)
class Answer:
    """What one platform and Python needs; what has no wheel, no pin, or an unwanted version."""

    versions: dict[str, str] = field(default_factory=dict)
    missing: list[str] = field(default_factory=list)
    unpinned: list[str] = field(default_factory=list)
    conflicts: list[str] = field(default_factory=list)


def walk(target: Target, python: str, *extras: str) -> Answer:
    """Follow what our requirements need, at the pinned versions, a level of the tree at a time."""
    environment = target.environment(python)
    pinned = pins(environment)
    answer = Answer()
    followed: set[tuple[str, frozenset[str]]] = set()
    metadata_of: dict[str, dict[str, Any]] = {}
    level = [(requirement, set[str]()) for requirement in roots(*extras)]
    while level:
        now = {
            (canonicalize_name(r.name), frozenset(r.extras))
            for r, of_extras in level
            if wanted(r, environment, of_extras)
        } - followed
        followed |= now
        asked = {
            name: f"{name}=={pinned[name]}" if name in pinned else name
            for name, _extras in now
            if name not in metadata_of and name not in answer.missing
        }
        found, missing = ask(sorted(asked.values()), target, python)
        metadata_of |= {canonicalize_name(row["name"]): row for row in found}
        answer.missing.extend(name for name in asked if asked[name] in missing)
        answer.conflicts.extend(
            f"{r} (is {metadata_of[name]['version']})"
            for r, of_extras in level
            if (name := canonicalize_name(r.name)) in metadata_of
            and wanted(r, environment, of_extras)
            and not r.specifier.contains(metadata_of[name]["version"], prereleases=True)
        )
        answer.unpinned.extend(sorted(name for name in asked if name not in pinned))
        level = [
            (Requirement(text), set(of_extras))
            for name, of_extras in now
            for text in metadata_of.get(name, {}).get("requires_dist", ())
        ]
    answer.versions.update({name: str(row["version"]) for name, row in metadata_of.items()})
    return answer


def answers(pythons: Sequence[str], extras: Sequence[str]) -> Iterator[tuple[Target, str, Answer]]:
    """Ask about every platform, with these Pythons."""
    for target in TARGETS:
        for python in pythons:
            yield target, python, walk(target, python, *extras)


def table(rows: list[tuple[Target, str, Answer]]) -> str:
    """Return the answers as a Markdown table."""
    lines = [
        "| Platform | Python | Packages | Without a wheel | Not pinned | Not as wanted |",
        "|---|---|---|---|---|---|",
    ]
    for target, python, answer in rows:
        faults = (answer.missing, answer.unpinned, answer.conflicts)
        cells = " | ".join(", ".join(names) or "none" for names in faults)
        count = len(answer.versions) + len(answer.missing)
        lines.append(f"| {target.name} | {python} | {count} | {cells} |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description="Are there wheels of everything, everywhere?")
    parser.add_argument("--extra", action="append", default=[], help="such as frozen")
    parser.add_argument("--python", action="append", choices=PYTHONS, help="only this one")
    given = parser.parse_args()
    rows = list(answers(given.python or PYTHONS, given.extra))
    print(table(rows))
    sys.exit(any(a.missing or a.unpinned or a.conflicts for _target, _python, a in rows))


if __name__ == "__main__":
    main()
