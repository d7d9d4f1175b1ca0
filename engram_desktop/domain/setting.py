"""The declaration of a setting: name, bounds, texts. All settings are in `settings`."""

from __future__ import annotations

from dataclasses import field
from typing import Any

from engram_desktop.domain.address import clean_url
from engram_desktop.domain.errors import BadEndpoint, BadSetting
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.domain.values import dataclass

_T = QT_TRANSLATE_NOOP


@dataclass(frozen=True, slots=True)
class Setting:
    """The name, bounds and description of one setting. ``default`` determines its type."""

    key: str
    title: str
    help: str
    default: Any
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()
    per_chat: bool = False
    is_address: bool = False  # of a server; may be empty

    def check(self, value: object) -> Any:
        """Check a value to be stored. Raises BadSetting.

        `parse` is more tolerant, for values stored by an earlier version.
        """
        result = self.parse(value)
        if not self.is_address or not result:
            return result
        try:
            return clean_url(result)
        except BadEndpoint as error:
            raise BadSetting(self.key, error.params["url"], error.args[0]) from None

    def parse(self, value: object) -> Any:
        """Parse ``value``, a text or a typed value. Raises BadSetting."""
        try:
            result = self._convert(value)
        except (TypeError, ValueError, OverflowError):
            raise BadSetting(
                self.key, value, Phrase(_T("reports", "it must be {kind}"), kind=self.kind)
            ) from None
        if self.choices and result not in self.choices:
            raise BadSetting(
                self.key,
                value,
                Phrase(
                    _T("reports", "it must be one of {choices}"), choices=", ".join(self.choices)
                ),
            )
        if self.low is not None and self.high is not None and not self.low <= result <= self.high:
            raise BadSetting(
                self.key,
                value,
                Phrase(
                    _T("reports", "it must be from {low} to {high}"),
                    low=f"{self.low:g}",
                    high=f"{self.high:g}",
                ),
            )
        return result

    @property
    def kind(self) -> str:
        kinds = {
            bool: _T("reports", "true or false"),
            int: _T("reports", "a whole number"),
            float: _T("reports", "a number"),
        }
        return Phrase(kinds.get(type(self.default), _T("reports", "text")))

    def _convert(self, value: object) -> Any:
        match self.default:
            case bool():
                if isinstance(value, bool):
                    return value
                return (
                    {"true": True, "1": True, "false": False, "0": False}[str(value).lower()]
                    if str(value).lower() in {"true", "1", "false", "0"}
                    else _refuse()
                )
            case int():
                if isinstance(value, bool) or (isinstance(value, float) and value != int(value)):
                    _refuse()
                return int(value)  # type: ignore[call-overload]
            case float():
                number = float(value)  # type: ignore[arg-type]
                return number if abs(number) < 1e300 else _refuse()
            case _:
                return str(value).strip()


def _refuse() -> Any:
    raise ValueError


def setting(
    key: str,
    default: Any,
    title: str,
    help: str = "",  # noqa: A002 - the word for it
    *,
    bounds: tuple[float | None, float | None] = (None, None),
    choices: tuple[str, ...] = (),
    per_chat: bool = False,
) -> Any:
    """Declare a field of `Settings`; ``bounds`` are its lowest and highest values."""
    declared = Setting(key, title, help, default, *bounds, choices, per_chat)
    return field(default=default, metadata={"setting": declared})


def address(key: str, title: str, help: str = "") -> Any:  # noqa: A002 - the word for it
    """Declare a field of `Settings` with the address of a server, which may be empty."""
    return field(default="", metadata={"setting": Setting(key, title, help, "", is_address=True)})
