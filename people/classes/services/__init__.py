"""Decisions about classes."""

from .assignments import assign, take_back
from .classrooms import create, delete, rename, renew_key, take_members
from .events import limit_event, open_event
from .members import join, leave, remove

__all__ = [
    "assign",
    "create",
    "delete",
    "join",
    "leave",
    "limit_event",
    "open_event",
    "remove",
    "rename",
    "renew_key",
    "take_back",
    "take_members",
]
