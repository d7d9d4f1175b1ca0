"""Job runners on QThread lanes, the change hub, and background jobs of the window."""
