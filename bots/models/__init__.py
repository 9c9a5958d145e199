"""What is stored about bots: the bot, its immutable versions, their files, checks, and authors' tokens."""

from .bot import Bot, UploadAttempt
from .token import Scope, Token
from .version import (
    Archive,
    CheckReport,
    ImmutableVersion,
    Language,
    Status,
    Trial,
    Version,
    VersionQuerySet,
)

__all__ = [
    "Archive",
    "Bot",
    "CheckReport",
    "ImmutableVersion",
    "Language",
    "Scope",
    "Status",
    "Token",
    "Trial",
    "UploadAttempt",
    "Version",
    "VersionQuerySet",
]
