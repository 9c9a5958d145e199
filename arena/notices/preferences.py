"""How users want to be told: by e-mail to a verified address, and by webhook."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from allauth.account.models import EmailAddress
from django.contrib.auth import get_user_model
from django.db import transaction
from django.utils.translation import gettext

from arena.notices.models import Dismissal, Kind, Webhook, Wishes, new_secret
from arena.web.http.outbound import AddressRefused, checked_url

if TYPE_CHECKING:
    from collections.abc import Iterable

    from arena.accounts.models import User
    from arena.notices.models import SiteNotice

MOST_WEBHOOKS: Final = 3


class NoSuchWish(Exception):
    """What was asked for cannot be; ``str()`` is a sentence for the user."""


def wishes_of(user: User) -> Wishes:
    """What a user wants by e-mail; everything, until they say otherwise."""
    return Wishes.objects.get_or_create(user=user)[0]


def verified_address(user: User) -> str:
    """The address that mails go to; empty as long as none is verified."""
    found = EmailAddress.objects.filter(user=user, verified=True).order_by("-primary", "pk").first()
    return str(found.email) if found else ""


def wish_for_mails(user: User, kinds: Iterable[str]) -> None:
    """Be told these kinds by e-mail, and no others."""
    asked = set(kinds)
    wishes_of(user)
    Wishes.objects.filter(user=user).update(by_mail=[kind for kind in Kind.values if kind in asked])


def stop_mails(secret: str) -> bool:
    """Send no more mails to whoever has this secret; False if nobody has."""
    return bool(Wishes.objects.filter(secret=secret).update(by_mail=[]))


def new_feed(user: User) -> str:
    """Give the user's feed a new secret address, and return the secret. An address it had ends."""
    wishes_of(user)
    secret = new_secret()
    Wishes.objects.filter(user=user).update(feed_secret=secret)
    return secret


def end_feed(user: User) -> None:
    """Let the user have no feed any more."""
    Wishes.objects.filter(user=user).update(feed_secret=None)


@transaction.atomic
def add_webhook(user: User, url: str, kinds: Iterable[str]) -> Webhook:
    """Add a webhook. Raises :class:`NoSuchWish`."""
    if not get_user_model().objects.select_for_update().filter(pk=user.pk):
        raise NoSuchWish(gettext("Your account has been deleted in the meantime. Nothing was stored."))
    if Webhook.objects.filter(owner=user).count() >= MOST_WEBHOOKS:
        raise NoSuchWish(
            gettext("You already have %(most)s webhooks, the most one account can have.")
            % {"most": MOST_WEBHOOKS}
        )
    try:
        checked_url(url)
    except AddressRefused as error:
        raise NoSuchWish(str(error)) from error
    asked = set(kinds)
    chosen = [kind for kind in Kind.values if kind in asked]
    if not chosen:
        raise NoSuchWish(gettext("Choose at least one kind of news."))
    return Webhook.objects.create(owner=user, url=url, kinds=chosen)


def remove_webhook(user: User, key: int) -> bool:
    """Remove a webhook of the user; False if there is none."""
    return bool(Webhook.objects.filter(owner=user, pk=key).delete()[0])


def dismiss(user: User, notice: SiteNotice) -> None:
    """Show a site notice to this user no more, on any device. Twice is once."""
    Dismissal.objects.bulk_create([Dismissal(user=user, notice=notice)], ignore_conflicts=True)
