"""What models were asked and what it cost, by day, and what is spent of a day's limit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engram_desktop.services.library.usage import metering

if TYPE_CHECKING:
    from engram_desktop.domain.pipeline.model_call import ModelCall
    from engram_desktop.domain.pipeline.usage import DayUsage, UsageRow
    from engram_desktop.services.library.session import Session


class UsageService:
    """What models cost."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def rows(self, chat_id: str | None = None) -> list[UsageRow]:
        """What models were asked, by local day, task and model; of one chat or of all."""
        return metering.usage_rows(self._session.library, self._session.settings(), chat_id)

    def requests(self) -> list[ModelCall]:
        """Return the newest requests to models since the program began, the newest first."""
        return self._session.requests.newest()

    @property
    def request_count(self) -> int:
        """How many requests there were since the program began."""
        return self._session.requests.count

    def today(self) -> DayUsage:
        """What was spent of today's limit, in the whole library."""
        return self._session.meter.today()
