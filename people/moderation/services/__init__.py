"""Decisions of moderation."""

from .appeals import answer_appeal, appeal
from .decisions import (
    Why,
    act_of,
    ban,
    dismiss_reports,
    end_bans_that_are_over,
    end_if_over,
    hide,
    lift,
    link_to,
    rename,
    tidy,
)
from .files import drop_files_again
from .reports import report

__all__ = [
    "Why",
    "act_of",
    "answer_appeal",
    "appeal",
    "ban",
    "dismiss_reports",
    "drop_files_again",
    "end_bans_that_are_over",
    "end_if_over",
    "hide",
    "lift",
    "link_to",
    "rename",
    "report",
    "tidy",
]
