"""The interface of a page, and the view of an empty one."""
