"""The folder of a SillyTavern installation: its settings, presets, scripts and items."""
