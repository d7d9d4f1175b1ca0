"""Requests in the shapes that front ends send: builders, and recorded ones in our own words."""
