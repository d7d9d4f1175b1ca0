"""Lines above every page that say what holds for all of it, with the way out."""
