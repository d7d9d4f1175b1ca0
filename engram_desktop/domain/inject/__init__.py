"""What a prompt gets: budgets, how memories are told, and what closes no block."""
