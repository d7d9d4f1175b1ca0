"""What follows from what is said: for the page of findings."""
