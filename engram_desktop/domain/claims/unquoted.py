"""Whether words without quotes are speech or narration, in messages that mix styles."""

from __future__ import annotations

from functools import cached_property

from engram_desktop.domain.claims.hearers import Hearers
from engram_desktop.domain.claims.speech import (
    CALLS,
    CLOSES,
    HAN,
    HEADED,
    OPENS,
    OWN_DEED,
    OWN_WORDS,
    YOU_TOLD,
    is_term,
)
from engram_desktop.domain.knowledge.parts import TextPart, stars_only_head


class Unquoted(Hearers):
    """Tells speech from narration by the marks of a message and by its sender's style."""

    @cached_property
    def has_brackets(self) -> bool:
        """Return whether the sender's own deeds stand in brackets."""
        return any(
            piece.kind == "bracket" and self.shown.startswith(OWN_DEED, piece.start + 1)
            for piece in self.pieces
        )

    @cached_property
    def has_stars(self) -> bool:
        return any(piece.is_starred and not self._is_name(piece) for piece in self.pieces)

    @cached_property
    def are_stars_heads(self) -> bool:
        return not self.has_brackets and stars_only_head(self.pieces)

    @cached_property
    def has_speech(self) -> bool:
        return any(p.kind == "speech" and not self._is_term(p) for p in self.pieces)

    def _is_term(self, piece: TextPart) -> bool:
        return is_term(self.shown, piece.start, piece.end)

    def _is_name(self, piece: TextPart) -> bool:
        mention = next(iter(self.names.find(self.shown, piece.start, piece.end)), None)
        return mention is not None and (mention.start, mention.end) == (piece.start, piece.end)

    def _is_said(self, piece: TextPart) -> bool:
        """Return whether unquoted words are speech, in chats with asterisks around actions."""
        if piece.kind != "told" or piece.is_starred or not self.own:
            return False
        if not (self.has_stars or self.has_brackets):
            return not self.sender.quotes and not self.has_speech
        if not self.sender.quotes or self._is_at_quotes(piece):
            return not self.sender.quotes
        is_told = self.are_stars_heads or self._is_of_others(piece)
        return not (self.has_speech and is_told)

    def _is_of_others(self, piece: TextPart) -> bool:
        """Return whether words tell of others: no “I” or “you”, and he, she or a name acts.

        In English so do those right before a quoted speech.
        """
        words = self.shown[piece.start : piece.end]
        if OWN_WORDS.search(words) or YOU_TOLD.search(words):
            return False
        if HEADED.match(words) is not None or self._begins_unnamed(piece.start):
            return True
        behind = self.shown[piece.end : piece.end + 2].lstrip(" ")[:1]
        leads_in = bool(behind) and behind in OPENS
        return HAN.search(words) is None and (leads_in or self._tells_of_named(piece))

    def _tells_of_named(self, piece: TextPart) -> bool:
        """Return whether a sentence tells what a person of the story does."""
        named = self.names.find(self.shown, piece.start, piece.end)[:1]
        if not named or self.shown[piece.end - 1] in "?!":
            return False
        is_called = CALLS.match(self.shown, named[0].end) is not None
        return not is_called and self.subject_in(piece.start, piece.end) == named[0].name

    def _is_at_quotes(self, piece: TextPart) -> bool:
        """Return whether words are directly after or before a quoted speech."""
        before = self.shown[: piece.start].rstrip(" ")[-1:]
        after = self.shown[piece.end : piece.end + 1]
        return before in CLOSES or after in OPENS
