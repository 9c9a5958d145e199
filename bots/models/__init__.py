"""What is stored about bots: bots, owners and followers, versions and which play, files, checks, tokens."""

from bots.models.bot import Bot, Follow, News, RemotePresence, Scope, Token
from bots.models.co_owner import BotAuditEntry, CoOwner, SharedPast, prefetch_co_owners
from bots.models.version import (
    PLAYABLE,
    ActiveVersion,
    Archive,
    CheckReport,
    ImmutableVersion,
    Language,
    PendingFile,
    Status,
    Trial,
    UploadAttempt,
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
    "BotAuditEntry",
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
