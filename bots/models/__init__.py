"""What is stored about bots: the bot, its immutable versions, their files, checks, and authors' tokens."""

from .bot import Bot
from .check_report import CheckReport
from .token import Scope, Token
from .trial import Trial
from .upload_attempt import UploadAttempt
from .version import Archive, ImmutableVersion, Language, Status, Version, VersionQuerySet

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
