"""Does a fault that is put into the program fail a test? Picked by a seed, tried on a copy."""
