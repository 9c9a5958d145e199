"""What is stored about bots: bots and their owners, immutable versions, files, checks, and tokens."""

from .bot import Bot
from .check_report import CheckReport
from .co_owner import BotDeed, CoOwner, SharedPast
from .token import Scope, Token
from .trial import Trial
from .upload_attempt import UploadAttempt
from .version import Archive, ImmutableVersion, Language, Status, Version, VersionQuerySet

__all__ = [
    "Archive",
    "Bot",
    "BotDeed",
    "CheckReport",
    "CoOwner",
    "ImmutableVersion",
    "Language",
    "Scope",
    "SharedPast",
    "Status",
    "Token",
    "Trial",
    "UploadAttempt",
    "Version",
    "VersionQuerySet",
]
