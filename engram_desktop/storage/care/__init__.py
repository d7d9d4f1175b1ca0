"""Create, migrate, back up and restore databases, and keep their files private."""
