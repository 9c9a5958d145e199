"""Decisions about bots. Views, tasks and commands call these services."""

from .activation import activate_version, choose_active, deactivate_version
from .bots import BotDetails, edit_bot, restore_bot, withdraw_bot
from .checks import (
    CHECK_SECONDS,
    CHECK_TASK,
    CLOCK_WORDS,
    LADDER_CLOCK,
    TrialReport,
    ask_for_trials,
    ask_next_unknown,
    boards_to_try,
    claim_check,
    claim_next_check,
    enqueue_check,
    may_ask_for_trials,
    put_off_check,
    record_check,
    record_trials,
    release_check,
)
from .files import SentFile, archive_of, materialise, read_archive, remove_forgotten
from .follows import FOLLOWED_KINDS, SPREAD, follow, forget_old_news, note_news, spread_news, unfollow
from .house import register_house_bots
from .locks import lock_bot, lock_owner
from .owners import forget_owner
from .tokens import authenticate, create_token, revoke_token
from .uploads import Submission, create_bot, inspect_file, submit_bot, submit_version, upload_version

__all__ = [
    "CHECK_SECONDS",
    "CHECK_TASK",
    "CLOCK_WORDS",
    "FOLLOWED_KINDS",
    "LADDER_CLOCK",
    "SPREAD",
    "BotDetails",
    "SentFile",
    "Submission",
    "TrialReport",
    "activate_version",
    "archive_of",
    "ask_for_trials",
    "ask_next_unknown",
    "authenticate",
    "boards_to_try",
    "choose_active",
    "claim_check",
    "claim_next_check",
    "create_bot",
    "create_token",
    "deactivate_version",
    "edit_bot",
    "enqueue_check",
    "follow",
    "forget_old_news",
    "forget_owner",
    "inspect_file",
    "lock_bot",
    "lock_owner",
    "materialise",
    "may_ask_for_trials",
    "note_news",
    "put_off_check",
    "read_archive",
    "record_check",
    "record_trials",
    "register_house_bots",
    "release_check",
    "remove_forgotten",
    "restore_bot",
    "revoke_token",
    "spread_news",
    "submit_bot",
    "submit_version",
    "unfollow",
    "upload_version",
    "withdraw_bot",
]
