"""Cards: one that is a widget, and lists that paint many."""
