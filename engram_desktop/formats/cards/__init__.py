"""Character cards: V1 to V3, in PNG, JSON and CHARX."""
