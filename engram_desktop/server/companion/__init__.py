"""What the companion inside a SillyTavern asks of the server, and is answered."""
