"""What is stored about bots: the bot, its versions, their files and checks, its followers, tokens."""

from .bot import Bot
from .check_report import CheckReport
from .follow import Follow, News
from .token import Scope, Token
from .trial import Trial
from .upload_attempt import UploadAttempt
from .version import Archive, ImmutableVersion, Language, Status, Version, VersionQuerySet

__all__ = [
    "Archive",
    "Bot",
    "CheckReport",
    "Follow",
    "ImmutableVersion",
    "Language",
    "News",
    "Scope",
    "Status",
    "Token",
    "Trial",
    "UploadAttempt",
    "Version",
    "VersionQuerySet",
]
