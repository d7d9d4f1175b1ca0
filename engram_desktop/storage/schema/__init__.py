"""The tables of both kinds of database, and how vectors stand in them."""
