"""What every part stands on: endpoints, meters, backups, one undoable step, files written whole."""
