"""What a prompt gets: gathered, searched, composed within its budget, held still."""
