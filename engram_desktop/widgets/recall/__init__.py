"""The page of recall: questions, reasons, the injected text, the lab."""
