"""What the play page asks for."""
