"""What pages and dialogs are built of."""
