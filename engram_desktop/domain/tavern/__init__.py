"""What lies in a SillyTavern folder, and what other tools left there."""
