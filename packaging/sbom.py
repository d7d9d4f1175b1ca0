"""Write the software bill of materials: what the program is put together from, as CycloneDX 1.6.

    python packaging/sbom.py FILE.cdx.json

The tree is that of `third_party.py`, with the same parts inside packages; each component names its
version, its licence and its package URL, and what it needs.
"""

from __future__ import annotations

import os
import sys
import uuid
from collections.abc import Mapping
from datetime import UTC, datetime
from importlib.metadata import Distribution
from pathlib import Path

from cyclonedx.contrib.license.factories import LicenseFactory
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.output import make_outputter
from cyclonedx.schema import OutputFormat, SchemaVersion
from packageurl import PackageURL
from third_party import DATA, SHIPPED, declared, direct_needs, notice_of, tree

from engram_desktop import __version__

_LICENCES = LicenseFactory()
# A number that names this program's bills; each version's own is made from it.
_NAMESPACE = uuid.UUID("6f3f3f0e-6d7c-4b0f-9d3c-1f1b7a5d2c11")


def bill(packages: Mapping[str, Distribution]) -> Bom:
    """Return the bill of this version with ``packages``, by their names in one spelling."""
    bom = Bom(serial_number=uuid.uuid5(_NAMESPACE, __version__))
    stamp = os.environ.get("SOURCE_DATE_EPOCH")
    bom.metadata.timestamp = datetime.fromtimestamp(int(stamp), UTC) if stamp else datetime.now(UTC)
    program = Component(
        name="engram-desktop",
        version=__version__,
        type=ComponentType.APPLICATION,
        licenses=[_LICENCES.make_from_string("MIT")],
        bom_ref="engram-desktop",
    )
    bom.metadata.component = program
    components = {name: _package(name, package) for name, package in packages.items()}
    inside = [_shipped(name, *facts) for name, facts in SHIPPED.items()]
    for component in (*components.values(), *inside):
        bom.components.add(component)
    direct = {need for need in direct_needs(declared()) if need in components}
    bom.register_dependency(program, [*(components[name] for name in direct), *inside])
    for name, component in components.items():
        needs = direct_needs(declared_by(packages[name]))
        bom.register_dependency(component, [components[n] for n in needs if n in components])
    return bom


def declared_by(package: Distribution) -> list[str]:
    return list(package.requires or ())


def _package(name: str, package: Distribution) -> Component:
    notice = notice_of(name, package)
    component = Component(
        name=notice.name,
        version=notice.version,
        type=ComponentType.LIBRARY,
        licenses=[_LICENCES.make_from_string(notice.licence)],
        purl=PackageURL("pypi", None, name, notice.version),
        bom_ref=f"{name}=={notice.version}",
    )
    for part in DATA:
        if part.of == name:
            component.components.add(
                Component(
                    name=part.name,
                    type=ComponentType.DATA if "weights" in part.name else ComponentType.LIBRARY,
                    licenses=[_LICENCES.make_from_string(part.licence)],
                )
            )
    return component


def _shipped(name: str, version: str, licence: str, _home: str, _text: str) -> Component:
    return Component(
        name=name,
        version=version,
        type=ComponentType.LIBRARY,
        licenses=[_LICENCES.make_from_string(licence)],
        bom_ref=f"{name}=={version}",
    )


def main(file: Path) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    outputter = make_outputter(bill(tree(declared())), OutputFormat.JSON, SchemaVersion.V1_6)
    file.write_text(outputter.output_as_string(indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
