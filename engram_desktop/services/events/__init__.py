"""Events: store what a summary made, list them, and edit them by hand."""
