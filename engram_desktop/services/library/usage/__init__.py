"""What models were asked: counted, held against a limit, and the newest requests themselves."""
