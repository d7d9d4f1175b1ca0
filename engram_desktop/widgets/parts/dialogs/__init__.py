"""What dialogs are built of, and the small dialogs any page may open."""
