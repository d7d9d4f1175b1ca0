"""What takes long: runs of hours and of a million checks, outside of CI."""
