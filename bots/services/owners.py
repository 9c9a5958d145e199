"""Owners of bots: locks what an owner has, and deletes accounts."""

from __future__ import annotations

import contextlib
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

from django.contrib.admin.models import LogEntry
from django.contrib.auth import get_user_model
from django.contrib.contenttypes.models import ContentType
from django.db import transaction
from django.db.models import ProtectedError, Q, RestrictedError
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy

from arena.accounts.sessions import end_sessions
from arena.common.paths import path
from arena.common.phrases import filled
from bots.errors import OwnerGone
from bots.models import (
    Archive,
    Bot,
    BotDeed,
    CheckReport,
    CoOwner,
    Follow,
    SharedPast,
    Status,
    Trial,
    Version,
)
from notices.models import Kind
from notices.services import tell

from .deeds import note_deed
from .files import remove_unpacked
from .listeners import authors_changed, field_changed, listeners

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from django.db.models import Model

    from arena.accounts.models import User


def lock_owner(owner: User) -> None:
    """Lock ``owner`` for this transaction, so that limits hold in races.

    What only refers to the account, such as a notice to it, does not wait; its deletion does.
    Raises :class:`~bots.errors.OwnerGone` if the account was deleted or suspended since the request began.
    """
    if not _locked(owner, no_key=True).is_active:
        raise OwnerGone(gettext("Your account has been suspended in the meantime. Nothing was stored."))


def lock_owners(by: User, owner: User | None) -> None:
    """Lock who acts for a bot and its owner for this transaction, always in the same order.

    Raises :class:`~bots.errors.OwnerGone`.
    """
    if owner is None or owner.pk == by.pk:
        lock_owner(by)
        return
    users = get_user_model().objects.select_for_update(no_key=True).filter(pk__in=(by.pk, owner.pk))
    active = dict(users.order_by("pk").values_list("pk", "is_active"))
    if not active.get(by.pk):
        lock_owner(by)  # which says why
    if owner.pk not in active:
        raise OwnerGone(gettext("The bot has another owner now. Try again."))
    if not active[owner.pk]:
        raise OwnerGone(gettext("This bot is withdrawn because its owner’s account is suspended."))


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


def _locked(owner: User, *, no_key: bool = False) -> User:
    """The account as it is now, locked. Raises OwnerGone if there is none."""
    users = get_user_model().objects.select_for_update(no_key=no_key)
    found: User | None = users.filter(pk=owner.pk).first()
    if found is None:
        raise OwnerGone(gettext("Your account has been deleted in the meantime. Nothing was stored."))
    return found


@transaction.atomic
def forget_owner(owner: User) -> list[int]:
    """Delete the bots of ``owner``. Those that have played stay as nameless, withdrawn bots without files.

    Other bots' results depend on those games, so versions stay as rows with their hashes. Names,
    descriptions, files and check logs are deleted. A bot with co-owners goes to the one who has been that for
    longest. Returns the keys of the others.
    """
    _lock_with_heirs(owner)
    inherited = hand_over(owner)
    # Whoever begins to follow one at this moment locks it, too: they come before, or find no bot.
    bots = list(Bot.objects.select_for_update(of=("self",)).filter(owner=owner).order_by("pk"))
    keys = [bot.pk for bot in bots]
    contents = set(Version.objects.filter(bot__in=bots).values_list("sha256", flat=True))
    _forget_in_log(Bot, keys)
    nameless = set()
    for bot in bots:
        key = bot.pk
        try:
            with transaction.atomic():
                bot.delete()
        except (ProtectedError, RestrictedError):
            _make_nameless(bot)
            nameless.add(key)
    _remember(owner, inherited, nameless)
    owner.bot_tokens.all().delete()
    drop_unused_archives()
    gone = contents - set(Archive.objects.filter(sha256__in=contents).values_list("sha256", flat=True))
    transaction.on_commit(partial(remove_unpacked, gone))
    field_changed()
    return keys


def hand_over(owner: User) -> set[int]:
    """Give each bot of an account that is being deleted to its longest-serving co-owner; the keys of those.

    Call it in the transaction that deletes the account. Nobody is asked, and no limit counts: the bot would
    be lost. Bots whose co-owners are all suspended stay.
    """
    accepted = CoOwner.objects.filter(status=CoOwner.Status.ACCEPTED, user__is_active=True)
    given = set()
    for bot in Bot.objects.select_for_update(of=("self",)).filter(owner=owner):
        heir = accepted.filter(bot=bot).select_related("user").first()
        if heir is None:
            continue
        Bot.objects.filter(pk=bot.pk).update(owner=heir.user)
        CoOwner.objects.filter(bot=bot).update(offered_at=None)
        heir.delete()
        note_deed(bot, heir.user, BotDeed.What.INHERITED)
        tell(
            [heir.user.pk],
            Kind.TOGETHER,
            f"bot {bot.pk} inherited",
            filled(gettext_lazy("%(bot)s is yours now: its owner deleted their account."), bot=bot.name),
            path("bots:owners", bot.slug),
        )
        given.add(bot.pk)
    return given


def _lock_with_heirs(owner: User) -> None:
    """Lock an account and those that may get its bots. Raises OwnerGone if there is no account."""
    heirs = CoOwner.objects.filter(bot__owner=owner, status=CoOwner.Status.ACCEPTED).values("user")
    users = get_user_model().objects.select_for_update().filter(Q(pk=owner.pk) | Q(pk__in=heirs))
    list(users.order_by("pk").values_list("pk"))
    _locked(owner)


def _remember(owner: User, inherited: set[int], nameless: set[int]) -> None:
    """Note that these bots, and those of which they were a co-owner, had an owner in common.

    Without any that stay in play there is nobody who could gain.
    """
    together = CoOwner.objects.filter(user=owner).exclude(joined_at=None).values_list("bot", flat=True)
    if staying := inherited | set(together):
        SharedPast.objects.bulk_create(
            (SharedPast(one_id=one, other_id=other) for one, other in pairwise(sorted(staying | nameless))),
            ignore_conflicts=True,
        )
        authors_changed()


def _forget_in_log(model: type[Model], keys: Iterable[int]) -> None:
    """Remove the names of rows from the admin log."""
    kind = ContentType.objects.get_for_model(model)
    LogEntry.objects.filter(content_type=kind, object_id__in=[str(key) for key in keys]).update(
        object_repr="departed"
    )


def _make_nameless(bot: Bot) -> None:
    """Keep only what other players' results need of ``bot``."""
    Follow.objects.filter(bot=bot).delete()
    CheckReport.objects.filter(version__bot=bot).delete()
    Trial.objects.filter(version__bot=bot).update(log="", record=None)
    versions = Version.objects.filter(bot=bot)
    versions.update(
        archive=None, filename="", note="", release_notes="", trial_asked_at=None, uploaded_by=None
    )
    # Those who owned it once still count as its authors in the ratings.
    CoOwner.objects.filter(bot=bot, joined_at=None).delete()
    CoOwner.objects.filter(bot=bot).update(status=CoOwner.Status.LEFT, offered_at=None)
    BotDeed.objects.filter(bot=bot).delete()
    # Without files nothing can be checked, and nobody else's check may wait for it.
    versions.filter(status__in=(Status.UPLOADED, Status.CHECKING)).update(status=Status.REJECTED)
    Bot.objects.filter(pk=bot.pk).update(
        name=f"Departed bot {bot.pk}",
        look=None,
        slug=f"departed-bot-{bot.pk}",
        description="",
        owner=None,
        open_to_all=False,
        withdrawn_at=bot.withdrawn_at or timezone.now(),
    )


def drop_unused_archives() -> None:
    """Delete archives that no version refers to any more."""
    Archive.objects.filter(versions=None).delete()


def delete_account(owner: User) -> None:
    """Delete the user, every session, everything in :func:`forget_owner`, and what the bots wrote.

    That comes first, and little by little, so that nobody waits for the end of a long transaction; whatever
    breaks this off, the account is still there and can be deleted again. What others own or organise with
    them goes to the others.
    """
    began = timezone.now()
    heirs = CoOwner.objects.filter(status=CoOwner.Status.ACCEPTED, user__is_active=True).values("bot")
    alone = set(Bot.objects.filter(owner=owner).exclude(pk__in=heirs).values_list("pk", flat=True))
    for bot in alone:
        _forget_words(bot, None)
    # A second click, or another page, may have deleted it meanwhile: then it is done.
    with contextlib.suppress(OwnerGone), transaction.atomic():
        _lock_with_heirs(owner)
        for listener in listeners():
            listener.owner_is_leaving(owner)
        bots = forget_owner(owner)
        _forget_in_log(get_user_model(), [owner.pk])
        transaction.on_commit(partial(end_sessions, owner.pk))
        for bot in bots:
            # The last co-owner may have left meanwhile.
            transaction.on_commit(partial(_forget_words, bot, began if bot in alone else None))
        for listener in listeners():
            listener.owner_leaves(owner)
        owner.delete()


def _forget_words(bot: int, since: datetime | None) -> None:
    for listener in listeners():
        listener.forget(bot, since)
