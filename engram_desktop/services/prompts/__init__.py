"""What is said to models: prompts, what of a message is story, scripts and macros."""
