"""SQL for what a branch sees of the graph: whether an event it sees tells of a row."""

from __future__ import annotations

from engram_desktop.storage.chat.messages.branches import Path, seen


def is_told(entity: str, path: Path) -> str:
    """SQL: whether ``path`` sees an event that names the entity, or no event ever did."""
    return (
        f"{entity}.is_hidden = 0 AND ({entity}.is_locked = 1 OR NOT EXISTS (SELECT 1 FROM evidence"
        f" WHERE entity_id = {entity}.id) OR EXISTS (SELECT 1 FROM evidence v JOIN event s"
        f" ON s.id = v.event_id WHERE v.entity_id = {entity}.id AND s.is_deleted = 0"
        f" AND {seen('s', path)}))"
    )


def is_said(relation: str, path: Path) -> str:
    """SQL: whether ``path`` sees an event that tells of the relation.

    True as well for one that a user made by hand, or that no event ever told of.
    """
    return (
        f"({relation}.valid_from IS NOT NULL OR NOT EXISTS (SELECT 1 FROM evidence"
        f" WHERE relation_id = {relation}.id)"
        " OR EXISTS (SELECT 1 FROM evidence v JOIN event s ON s.id = v.event_id"
        f" WHERE v.relation_id = {relation}.id AND s.is_deleted = 0 AND {seen('s', path)}))"
    )
