"""What is stored about bots: bots, owners and followers, versions and which play, files, checks, tokens."""

from .bot import Bot
from .check import CheckReport, Trial
from .co_owner import BotDeed, CoOwner, SharedPast, prefetch_co_owners
from .follow import Follow, News
from .presence import RemotePresence
from .token import Scope, Token
from .upload import PendingFile, UploadAttempt
from .version import (
    PLAYABLE,
    ActiveVersion,
    Archive,
    ImmutableVersion,
    Language,
    Status,
    Version,
    VersionQuerySet,
    prefetch_active_rows,
    program_gone,
)

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
    "RemotePresence",
    "Scope",
    "SharedPast",
    "Status",
    "Token",
    "Trial",
    "UploadAttempt",
    "Version",
    "VersionQuerySet",
    "prefetch_active_rows",
    "prefetch_co_owners",
    "program_gone",
]
