"""Memory for other programs: which chat a request is of, what it gets, and keeping what is said."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engram_desktop.domain.marks import QT_TRANSLATE_NOOP

if TYPE_CHECKING:
    from engram_desktop.services.inject.inject_service import InjectService
    from engram_desktop.services.library.session import Session
    from engram_desktop.services.play.play_service import PlayService

_T = QT_TRANSLATE_NOOP


class ServingService:
    """Serving. Safe from any thread; nothing here waits for a model."""

    def __init__(self, session: Session, inject: InjectService, play: PlayService) -> None:
        self._session = session
        self._inject = inject
        self._play = play
