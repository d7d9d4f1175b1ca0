"""Memory in the loop: requests of front ends, which chat each is of, and what became of it."""
