"""Locks accounts and their bots, the accounts first, so that nothing waits in a circle."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib.auth import get_user_model
from django.utils.translation import gettext

from bots.errors import OwnerGone
from bots.models import Bot

if TYPE_CHECKING:
    from arena.accounts.models import User


def lock_owner(owner: User) -> None:
    """Lock ``owner`` for this transaction, so that limits hold in races.

    What only refers to the account, such as a notice to it, does not wait; its deletion does.
    Raises :class:`~bots.errors.OwnerGone` if the account was deleted or suspended since the request began.
    """
    if not lock_account(owner, no_key=True).is_active:
        raise OwnerGone(gettext("Your account has been suspended in the meantime. Nothing was stored."))


def lock_owners(by: User, owner: User | None) -> None:
    """Lock who acts for a bot and its owner for this transaction, always in the same order.

    Raises :class:`~bots.errors.OwnerGone`.
    """
    active = lock_accounts(by, owner.pk if owner else None)
    if owner is None:
        return
    if owner.pk not in active:
        raise OwnerGone(gettext("The bot has another owner now. Try again."))
    if not active[owner.pk]:
        raise OwnerGone(gettext("This bot is withdrawn because its owner’s account is suspended."))


def lock_accounts(by: User, *others: int | None) -> dict[int, bool]:
    """Lock who acts and these other accounts, always in the same order; whether each one there is is active.

    What tells somebody, or notes what they did, refers to their account. Whoever holds a bot by then would
    wait for an account that is being deleted, and its deletion for the bot: so lock these before the bot.
    Raises :class:`~bots.errors.OwnerGone` if who acts is deleted or suspended.
    """
    active = lock_people(by.pk, *others)
    if not active.get(by.pk):
        lock_owner(by)  # which says why
    return active


def lock_people(*keys: int | None, no_key: bool = True) -> dict[int, bool]:
    """Lock these accounts, always in the same order; whether each one there is is active. None is nobody."""
    wanted = {key for key in keys if key is not None}
    users = get_user_model().objects.select_for_update(no_key=no_key).filter(pk__in=wanted)
    return dict(users.order_by("pk").values_list("pk", "is_active"))


def lock_bot(bot: Bot, by: User) -> Bot:
    """Lock a bot and those whose limits count, and return it as it is now.

    Raises :class:`~bots.errors.OwnerGone` if it is not theirs any more.
    """
    lock_owners(by, bot.owner)
    rows = Bot.objects.select_for_update(of=("self",), no_key=True).select_related("owner")
    found = rows.filter(pk=bot.pk).first()
    if found is None or not found.is_owned_by(by):
        raise OwnerGone(gettext("You no longer own this bot. Nothing was stored."))
    if found.owner_id != bot.owner_id:
        raise OwnerGone(gettext("The bot has another owner now. Try again."))
    return found


def lock_with_owners(bot: int) -> Bot | None:
    """Lock a bot for what the arena itself changes, and its owners, who are told; None if it is gone."""
    found = Bot.objects.filter(pk=bot).first()
    if found is None:
        return None
    lock_people(*found.owner_keys)
    return Bot.objects.select_for_update(of=("self",), no_key=True).filter(pk=bot).first()


def lock_account(owner: User, *, no_key: bool = False) -> User:
    """The account as it is now, locked. Raises OwnerGone if there is none."""
    users = get_user_model().objects.select_for_update(no_key=no_key)
    found: User | None = users.filter(pk=owner.pk).first()
    if found is None:
        raise OwnerGone(gettext("Your account has been deleted in the meantime. Nothing was stored."))
    return found
