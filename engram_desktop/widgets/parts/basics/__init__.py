"""The smallest parts: labels, buttons, layouts, what folds and what lies behind tabs."""
