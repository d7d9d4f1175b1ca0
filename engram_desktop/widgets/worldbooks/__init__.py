"""The page of worldbooks, its panel and its dialogs."""
