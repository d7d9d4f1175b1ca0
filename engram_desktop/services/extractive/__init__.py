"""Memories without a model: key sentences, names, places and words, in Chinese and English.

Used without an API key. It quotes and attributes; it never invents, and never infers a cause.
"""

from engram_desktop.domain.claims.attribution import Attribution, Attributions
from engram_desktop.services.extractive.background import Background, background
from engram_desktop.services.extractive.events import extract

__all__ = ["Attribution", "Attributions", "Background", "background", "extract"]
