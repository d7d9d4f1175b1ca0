"""From what a model said to values: JSON however it is wrapped, extractions checked."""
