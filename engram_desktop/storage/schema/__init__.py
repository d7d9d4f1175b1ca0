"""The tables of both kinds of database, and the format of stored vectors."""
