"""What would be recalled, and the lab."""
