"""Decisions about notices. Services of other apps call :func:`tell`."""

from .address_deadlines import ask_for_addresses
from .delivery import deliver_due, forget_old
from .preferences import (
    NoSuchWish,
    add_webhook,
    dismiss,
    end_feed,
    new_feed,
    remove_webhook,
    stop_mails,
    verified_address,
    wish_for_mails,
    wishes_of,
)
from .sending import mark_read, tell

__all__ = [
    "NoSuchWish",
    "add_webhook",
    "ask_for_addresses",
    "deliver_due",
    "dismiss",
    "end_feed",
    "forget_old",
    "mark_read",
    "new_feed",
    "remove_webhook",
    "stop_mails",
    "tell",
    "verified_address",
    "wish_for_mails",
    "wishes_of",
]
