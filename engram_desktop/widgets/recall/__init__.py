"""The page of recall: questions, reasons, the text of a prompt, the lab."""
