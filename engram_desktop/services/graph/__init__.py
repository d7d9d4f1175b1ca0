"""Entities and relations: resolve names, link events to them, edit them by hand."""
