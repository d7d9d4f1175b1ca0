"""Entities and relations: who is who, curating them by hand, joining events to them."""
