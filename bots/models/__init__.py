"""What is stored about bots: bots, owners and followers, versions and which play, files, checks, tokens."""

from .active_version import ActiveVersion
from .bot import Bot
from .check_report import CheckReport
from .co_owner import BotDeed, CoOwner, SharedPast
from .follow import Follow, News
from .pending_file import PendingFile
from .token import Scope, Token
from .trial import Trial
from .upload_attempt import UploadAttempt
from .version import PLAYABLE, Archive, ImmutableVersion, Language, Status, Version, VersionQuerySet

__all__ = [
    "PLAYABLE",
    "ActiveVersion",
    "Archive",
    "Bot",
    "BotDeed",
    "CheckReport",
    "CoOwner",
    "Follow",
    "ImmutableVersion",
    "Language",
    "News",
    "PendingFile",
    "Scope",
    "SharedPast",
    "Status",
    "Token",
    "Trial",
    "UploadAttempt",
    "Version",
    "VersionQuerySet",
]
