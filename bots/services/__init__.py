"""Decisions about bots. Views, tasks and commands call these services."""

from .bots import create_bot, edit_bot, restore_bot, withdraw_bot
from .checks import claim_check, enqueue_check, record_check, release_check
from .files import archive_of, materialise, read_archive, remove_forgotten
from .house import register_house_bots
from .owners import also_forget, delete_account, forget_owner
from .submissions import SentFile, submit_bot, submit_version
from .tokens import authenticate, create_token, revoke_token
from .versions import activate_version, upload_version

__all__ = [
    "SentFile",
    "activate_version",
    "also_forget",
    "archive_of",
    "authenticate",
    "claim_check",
    "create_bot",
    "create_token",
    "delete_account",
    "edit_bot",
    "enqueue_check",
    "forget_owner",
    "materialise",
    "read_archive",
    "record_check",
    "register_house_bots",
    "release_check",
    "remove_forgotten",
    "restore_bot",
    "revoke_token",
    "submit_bot",
    "submit_version",
    "upload_version",
    "withdraw_bot",
]
