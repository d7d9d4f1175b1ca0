"""Claims (who asserts what in a story) and findings: over, denied, contradicted, promised."""
