"""Decisions about challenges."""

from .answers import accept, block, decline, expire_due, forget_old, withdraw
from .requests import MOST_GOING, MOST_TO_ONE, Wish, ask
from .terms import MOST_PER_DAY, set_terms, unblock

__all__ = [
    "MOST_GOING",
    "MOST_PER_DAY",
    "MOST_TO_ONE",
    "Wish",
    "accept",
    "ask",
    "block",
    "decline",
    "expire_due",
    "forget_old",
    "set_terms",
    "unblock",
    "withdraw",
]
