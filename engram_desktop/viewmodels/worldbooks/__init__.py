"""World books, their entries, and what each does now."""
