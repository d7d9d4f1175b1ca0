"""Memories without a model: key sentences, names, places and words, in Chinese and English.

What somebody without an API key gets. Quotes and attributes; never invents, never guesses a cause.
"""

from engram_desktop.domain.claims.attribution import Attribution, Attributions
from engram_desktop.services.extractive.background import Background, background
from engram_desktop.services.extractive.events import extract

__all__ = ["Attribution", "Attributions", "Background", "background", "extract"]
