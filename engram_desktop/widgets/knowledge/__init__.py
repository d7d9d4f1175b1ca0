"""Who knows what: the dialogs and the page of secrets."""
