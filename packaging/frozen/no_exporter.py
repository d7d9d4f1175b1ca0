"""Runs before the frozen program: stands in for the exporter of Chroma's telemetry.

Chroma imports it with its client and makes one only for an address in its own settings, which are
never set here. With what it needs it is 20 MB of gRPC, left out of the frozen program.
"""

import sys
import types


class OTLPSpanExporter:
    """Refuses to be made: nothing is sent anywhere."""

    def __init__(self, *_arguments: object, **_options: object) -> None:
        raise RuntimeError("this program has no telemetry exporter")


def _provide(name: str, **contents: object) -> None:
    module = types.ModuleType(name)
    vars(module)["__path__"] = []  # so that a name below it can be imported
    vars(module).update(contents)
    sys.modules[name] = module


_EXPORTER = "opentelemetry.exporter"
for _name in ("", ".otlp", ".otlp.proto", ".otlp.proto.grpc"):
    _provide(_EXPORTER + _name)
_provide(_EXPORTER + ".otlp.proto.grpc.trace_exporter", OTLPSpanExporter=OTLPSpanExporter)
