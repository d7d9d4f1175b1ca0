"""What filters the list of events: facets to click on, and those that are set."""
