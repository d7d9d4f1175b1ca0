"""What a message asks of memory, judged by rules alone, where no model is asked."""

from engram_desktop.domain.recall.triage_rules.rules import triage_by_rules

__all__ = ["triage_by_rules"]
