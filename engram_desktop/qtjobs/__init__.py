"""Jobs on QThread lanes and the change hub."""
