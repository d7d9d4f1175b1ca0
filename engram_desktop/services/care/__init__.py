"""The library looked after: checked, mended, written out."""
