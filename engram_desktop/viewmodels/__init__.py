"""Item models and commands: what widgets show and do, without drawing."""
