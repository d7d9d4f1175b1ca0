"""The door of the server: who may come in, how slowly, and how much is taken at once."""
