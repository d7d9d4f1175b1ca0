"""How a reply is asked for and heard: prompts, tools, the voice that speaks."""
