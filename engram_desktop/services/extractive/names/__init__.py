"""Whom, where and what a text names, in Chinese and English."""
