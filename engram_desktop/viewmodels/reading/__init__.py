"""What the page of a chat's own text asks for."""
