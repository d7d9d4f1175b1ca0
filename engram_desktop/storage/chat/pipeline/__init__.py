"""What models were asked and answered: drafts, answers not stored yet, the ledger."""
