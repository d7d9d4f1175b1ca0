"""Who perceives what, and what each character therefore knows."""
