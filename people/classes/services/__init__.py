"""Decisions about classes."""

from .events import limit_event, open_event
from .joining import join, leave, remove
from .teaching import create, delete, rename, renew_key, take_members

__all__ = [
    "create",
    "delete",
    "join",
    "leave",
    "limit_event",
    "open_event",
    "remove",
    "rename",
    "renew_key",
    "take_members",
]
