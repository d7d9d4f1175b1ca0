"""Which chat a front end's request is of, what memory it gets, and keeping what is said."""
