"""Decides which version of a bot plays on which board.

Of the versions that passed on a board, the one that was activated last plays there. So a new version takes
only the boards on which it passed, and the last good one stays on the others.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from arena.web.audit_log import add_audit_entry
from bots.errors import NotActivatable
from bots.follows import note_release
from bots.locks import lock_bot
from bots.models import PLAYABLE, ActiveVersion, Bot, BotAuditEntry, Status, Trial, Version
from bots.port import field_changed

if TYPE_CHECKING:
    from arena.accounts.models import User


@transaction.atomic
def choose_active(bot: int) -> None:
    """Bring up to date which version of a bot plays on which board.

    Call it in the transaction in which a check, the bench or an owner changed what may play, with the bot and
    whoever is told locked before that (`bots.locks`). A benched version gives its boards to an
    earlier one that passed there; where there is none, it keeps them for when it returns.
    """
    Bot.objects.select_for_update(no_key=True).filter(pk=bot).first()
    activated = Version.objects.filter(bot=bot, activated_at__isnull=False, status__in=PLAYABLE)
    order = {
        key: (benched is None, at, number)
        for key, benched, at, number in activated.values_list("pk", "benched_at", "activated_at", "number")
    }
    passed = Trial.objects.filter(version__in=order, verdict=Trial.Verdict.PASSED)
    chosen: dict[str, int] = {}
    for board, key in passed.values_list("board", "version"):
        if board not in chosen or order[chosen[board]] < order[key]:
            chosen[board] = key
    ActiveVersion.objects.filter(bot=bot).exclude(board__in=chosen).delete()
    ActiveVersion.objects.bulk_create(
        [ActiveVersion(bot_id=bot, board=board, version_id=key) for board, key in sorted(chosen.items())],
        update_conflicts=True,
        unique_fields=["bot", "board"],
        update_fields=["version"],
    )
    boards = Counter(chosen.values())
    most = max(order, key=lambda key: (boards[key], order[key]), default=None)
    Bot.objects.filter(pk=bot).update(active_version=most)


def assert_activatable(version: Version) -> None:
    """Raise :class:`NotActivatable` unless the version passed somewhere and its bot is in play."""
    if version.bot.is_withdrawn:
        raise NotActivatable(gettext("%(bot)s is withdrawn. Restore it first.") % {"bot": version.bot.name})
    if version.status not in PLAYABLE:
        raise NotActivatable(
            gettext("Version %(number)s is %(status)s. Only an accepted version can be active.")
            % {"number": version.number, "status": Status(version.status).label}
        )


@transaction.atomic
def activate_version(version: Version, *, by: User | None = None) -> None:
    """Make ``version`` play on every board on which it passed. Raises :class:`NotActivatable`.

    ``by`` is the one of its bot's owners who asks; its owner if nobody is named. Raises
    :class:`~bots.errors.OwnerGone` if the bot is no longer theirs.
    """
    acting = by or version.bot.owner
    if acting is not None:
        version.bot = lock_bot(version.bot, acting)
    assert_activatable(version)
    Version.objects.filter(pk=version.pk).update(activated_at=timezone.now())
    choose_active(version.bot_id)
    add_audit_entry(version.bot.audit_log, by, BotAuditEntry.What.ACTIVATED, version=version)
    note_release(version)
    version.bot.refresh_from_db(fields=["active_version"])
    field_changed()


@transaction.atomic
def deactivate_version(version: Version, *, by: User | None = None) -> None:
    """Let ``version`` play nowhere any more; an earlier one that passed takes its boards, if there is one.

    ``by`` is as in `activate_version`. Raises :class:`NotActivatable` if it is not active, or if nothing
    would play for the bot then, and :class:`~bots.errors.OwnerGone`.
    """
    acting = by or version.bot.owner
    if acting is not None:
        version.bot = lock_bot(version.bot, acting)
    active = ActiveVersion.objects.filter(bot=version.bot_id)
    if not active.filter(version=version).exists():
        raise NotActivatable(gettext("Version %(number)s is not active.") % {"number": version.number})
    Version.objects.filter(pk=version.pk).update(activated_at=None)
    choose_active(version.bot_id)
    if not active.exists():
        raise NotActivatable(
            gettext("No other version could play. Withdraw the bot if it should no longer play.")
        )
    add_audit_entry(version.bot.audit_log, by, BotAuditEntry.What.DEACTIVATED, version=version)
    version.bot.refresh_from_db(fields=["active_version"])
    field_changed()
