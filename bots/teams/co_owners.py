"""Several owners of a bot: invitations, answers, how somebody leaves, and how the bot is handed over.

The owner invites people. Whoever accepts may do with the bot what the owner may, but neither invites nor
removes anybody. Each function locks the accounts first, also that of whom it is about, and then the bot: so
limits hold in races, nobody joins a bot whose owner changes at that moment, and no account that is being
deleted waits for a bot that waits for the account.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy

from arena.accounts.confirmation import assert_confirmed
from arena.notices.models import Kind
from arena.notices.sending import tell
from arena.web.audit_log import add_audit_entry
from arena.web.i18n.phrases import fill
from arena.web.paths import path
from bots.errors import LimitReached, OwnerGone, OwnersRefused
from bots.limits import assert_may_take
from bots.locks import lock_accounts, lock_owners
from bots.models import Bot, BotAuditEntry, CoOwner
from bots.port import authors_changed, port
from bots.teams.invitations import account_named, nobody_named, why_not_again, why_not_today

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from django_stubs_ext import StrOrPromise

    from arena.accounts.models import User

MOST: Final = 5
"""People who own a bot beside its owner, or are asked to."""
Status = CoOwner.Status
What = BotAuditEntry.What


@transaction.atomic
def invite(bot: Bot, by: User, name: str) -> CoOwner:
    """Ask somebody, by user name, to own a bot as well; they are told.

    Raises AddressNotConfirmed, LimitReached, OwnerGone or OwnersRefused.
    """
    assert_confirmed(by)
    person = account_named(name)
    locked = _owned(bot, by, person)
    if person is None or not account_named(name):  # which may be gone or suspended by now
        raise OwnersRefused(nobody_named(name), "user")
    if person.pk == by.pk:
        raise OwnersRefused(gettext("You own this bot."), "user")
    row = CoOwner.objects.filter(bot=locked, user=person).first()
    if row is not None and row.status != Status.LEFT:
        accepted = gettext("%(name)s is already a co-owner of this bot.")
        raise OwnersRefused(why_not_again(row.status, row.user, accepted), "user")
    _assert_room(locked, person)
    _assert_together(locked, person)
    if why := why_not_today(BotAuditEntry.objects.filter(what=What.INVITED), by):
        raise LimitReached(why, "user")
    key = f"own {locked.pk}" + (f" after {row.answered_at}" if row else "")
    made, _ = CoOwner.objects.update_or_create(
        bot=locked,
        user=person,
        defaults={"status": Status.INVITED, "invited_by": by, "invited_at": timezone.now()},
    )
    add_audit_entry(locked.audit_log, by, What.INVITED, person=person)
    _tell(locked, person, key, gettext_lazy("%(name)s asks you to be a co-owner of %(bot)s."), by)
    return made


def accept(bot: Bot, user: User) -> None:
    """Be a co-owner of a bot one was invited to. Raises AddressNotConfirmed, OwnerGone or OwnersRefused."""
    assert_confirmed(user)
    with transaction.atomic():
        locked, now = _locked(bot, user), timezone.now()
        asked = _rows(locked, user, Status.INVITED, Status.DECLINED)
        # Who declined held no place: others may have been asked since.
        _assert_room(locked, user)
        _assert_together(locked, user)
        # Whoever owned the bot before has been one of its authors since then.
        is_first = not asked.exclude(joined_at=None).exists()
        _answer(asked, status=Status.ACCEPTED, answered_at=now, joined_at=Coalesce("joined_at", now))
        add_audit_entry(locked.audit_log, user, What.JOINED)
        if is_first:
            authors_changed()
        joins = gettext_lazy("%(name)s is now a co-owner of %(bot)s.")
        _tell(locked, locked.owner, f"co-owner {user.pk} of {locked.pk} {now}", joins, user)


def decline(bot: Bot, user: User) -> None:
    """Say no to an invitation. Raises OwnerGone or OwnersRefused."""
    with transaction.atomic():
        locked, now = _locked(bot, user), timezone.now()
        _answer(_rows(locked, user, Status.INVITED), status=Status.DECLINED, answered_at=now)
        add_audit_entry(locked.audit_log, user, What.DECLINED)
        declines = gettext_lazy("%(name)s declined to be a co-owner of %(bot)s.")
        _tell(locked, locked.owner, f"co-owner {user.pk} of {locked.pk} {now}", declines, user)


def leave(bot: Bot, user: User) -> None:
    """Own a bot no longer. Raises OwnerGone or OwnersRefused, for its owner, too, who hands it over first."""
    with transaction.atomic():
        locked, now = _locked(bot, user), timezone.now()
        if locked.owner_id == user.pk:
            raise OwnersRefused(gettext("You own this bot. Hand it over before you leave."))
        if not _end(_rows(locked, user, Status.ACCEPTED)):
            raise OwnersRefused(gettext("You are not a co-owner of this bot."))
        add_audit_entry(locked.audit_log, user, What.LEFT)
        left = gettext_lazy("%(name)s is no longer a co-owner of %(bot)s.")
        _tell(locked, locked.owner, f"co-owner {user.pk} of {locked.pk} {now}", left, user)


def remove(bot: Bot, by: User, person: User) -> None:
    """Take an invitation back, or have somebody own a bot no longer; they are told the latter.

    Raises OwnerGone or OwnersRefused. Who declined can no longer change their mind; they stay in the list,
    and so are not asked again.
    """
    with transaction.atomic():
        locked, now = _owned(bot, by, person), timezone.now()
        asked = _rows(locked, person, Status.INVITED)
        # Who owned the bot before stays in the list as somebody who left.
        taken_back = asked.exclude(joined_at=None).update(status=Status.LEFT) or asked.delete()[0]
        if taken_back or _rows(locked, person, Status.DECLINED).update(status=Status.CLOSED):
            add_audit_entry(locked.audit_log, by, What.UNINVITED, person=person)
        elif _end(_rows(locked, person, Status.ACCEPTED)):
            add_audit_entry(locked.audit_log, by, What.REMOVED, person=person)
            removed = gettext_lazy("%(name)s removed you as a co-owner of %(bot)s.")
            key = f"co-owner of {locked.pk} removed {now}"
            _tell(locked, person, key, removed, by, url=locked.get_absolute_url())
        else:
            raise OwnersRefused(gettext("%(name)s is not a co-owner of this bot.") % {"name": person})


def offer(bot: Bot, by: User, person: User) -> None:
    """Offer a bot to a co-owner, who takes it over once they accept. Raises OwnerGone or OwnersRefused."""
    with transaction.atomic():
        locked, now = _owned(bot, by, person), timezone.now()
        if CoOwner.objects.filter(bot=locked, offered_at__isnull=False).exists():
            raise OwnersRefused(gettext("You have already offered this bot. Take that offer back first."))
        if not _rows(locked, person, Status.ACCEPTED).update(offered_at=now):
            raise OwnersRefused(gettext("%(name)s is not a co-owner of this bot.") % {"name": person})
        add_audit_entry(locked.audit_log, by, What.OFFERED, person=person)
        offers = gettext_lazy("%(name)s wants to hand %(bot)s over to you.")
        # Once a day: an offer that is taken back and made again is no news.
        _tell(locked, person, f"offer of {locked.pk} {now:%Y-%m-%d}", offers, by)


def keep(bot: Bot, by: User) -> None:
    """Take the offer of a bot back. Raises OwnerGone or OwnersRefused."""
    with transaction.atomic():
        locked = _owned(bot, by)
        offered = CoOwner.objects.filter(bot=locked, offered_at__isnull=False)
        _answer(offered, offered_at=None)
        add_audit_entry(locked.audit_log, by, What.KEPT)


def refuse(bot: Bot, user: User) -> None:
    """Decline to take a bot over, and stay a co-owner. Raises OwnerGone or OwnersRefused."""
    with transaction.atomic():
        locked, now = _locked(bot, user), timezone.now()
        _answer(_rows(locked, user, Status.ACCEPTED).exclude(offered_at=None), offered_at=None)
        add_audit_entry(locked.audit_log, user, What.REFUSED)
        refuses = gettext_lazy("%(name)s declined to take over %(bot)s.")
        _tell(locked, locked.owner, f"offer of {locked.pk} refused {now}", refuses, user)


def take_over(bot: Bot, user: User) -> None:
    """Become the owner of a bot that one was offered; who owned it is a co-owner from now on.

    Raises AddressNotConfirmed, LimitReached, OwnerGone or OwnersRefused; then nothing has changed.
    """
    assert_confirmed(user)
    with transaction.atomic():
        found = Bot.objects.select_related("owner").filter(pk=bot.pk).first()
        lock_owners(user, found.owner if found else None)
        locked, now = _locked(bot, user), timezone.now()
        before = locked.owner
        offered = _rows(locked, user, Status.ACCEPTED).exclude(offered_at=None)
        if before is None or not offered.exists():
            raise OwnersRefused(gettext("Nobody offers you this bot any more."))
        assert_may_take(user, locked)
        offered.delete()
        # They have owned it for longer than any co-owner.
        CoOwner.objects.create(
            bot=locked,
            user=before,
            status=Status.ACCEPTED,
            answered_at=locked.created_at,
            joined_at=locked.created_at,
        )
        Bot.objects.filter(pk=locked.pk).update(owner=user)
        port().handed_over(locked, user)
        add_audit_entry(locked.audit_log, user, What.TOOK_OVER, person=before)
        took = gettext_lazy("%(name)s took %(bot)s over from you. You are a co-owner now.")
        _tell(locked, before, f"offer of {locked.pk} accepted {now}", took, user)


def _owned(bot: Bot, by: User, person: User | None = None) -> Bot:
    """The bot, locked. Raises OwnerGone, and OwnersRefused unless the account owns it, not as a co-owner."""
    locked = _locked(bot, by, person)
    if locked.owner_id != by.pk:
        raise OwnersRefused(gettext("Only the owner of this bot can do that."))
    return locked


def _locked(bot: Bot, by: User, person: User | None = None) -> Bot:
    """The bot as it is now, locked for this transaction after who acts, its owner and who it is about.

    Raises OwnerGone, and OwnersRefused if nobody owns it any more. Its owner may be suspended: one may leave
    their bot, too.
    """
    owner = Bot.objects.filter(pk=bot.pk).values_list("owner", flat=True).first()
    lock_accounts(by, owner, person.pk if person else None)
    rows = Bot.objects.select_for_update(of=("self",), no_key=True).filter(pk=bot.pk)
    found = rows.exclude(owner=None).first()
    if found is None:
        raise OwnersRefused(gettext("This bot is gone: its owner deleted the account."))
    if found.owner_id != owner:
        raise OwnerGone(gettext("The bot has another owner now. Try again."))
    return found


def _assert_room(bot: Bot, person: User) -> None:
    """Raise OwnersRefused if others take all the places of a bot, which the caller has locked."""
    places = CoOwner.objects.filter(bot=bot, status__in=(Status.INVITED, Status.ACCEPTED))
    if places.exclude(user=person).count() >= MOST:
        raise OwnersRefused(
            gettext("A bot can have at most %(most)s co-owners, open invitations included.") % {"most": MOST},
            "user",
        )


def _assert_together(bot: Bot, person: User) -> None:
    """Raise OwnersRefused if something speaks against these two owning a bot together."""
    if bot.owner is not None and (why := port().why_not_together(bot.owner, person)):
        raise OwnersRefused(why, "user")


def _rows(bot: Bot, user: User, *statuses: str) -> QuerySet[CoOwner]:
    return CoOwner.objects.filter(bot=bot, user=user, status__in=statuses)


def _end(rows: QuerySet[CoOwner]) -> int:
    """Have these be co-owners no longer; how many."""
    return rows.update(status=Status.LEFT, answered_at=timezone.now(), offered_at=None)


def _answer(rows: QuerySet[CoOwner], **values: object) -> None:
    """Give an invitation or an offer its answer, by conditional update; OwnersRefused if there is none."""
    if not rows.update(**values):
        raise OwnersRefused(gettext("There is no such invitation or offer, or it was taken back."))


def _tell(
    bot: Bot, person: User | None, key: str, sentence: StrOrPromise, name: User, *, url: str = ""
) -> None:
    tell(
        [person.pk if person else None],
        Kind.TOGETHER,
        key,
        fill(sentence, name=name.get_username(), bot=bot.name),
        url or path("bots:owners", bot.slug),
    )


def open_invitations(user: User) -> QuerySet[CoOwner]:
    """What the user can still answer: invitations to own a bot, and offers of one, the newest first."""
    open_ones = Q(status=CoOwner.Status.INVITED) | Q(offered_at__isnull=False)
    rows = CoOwner.objects.filter(open_ones, user=user, bot__owner__isnull=False)
    return rows.select_related("bot", "invited_by").order_by("-invited_at", "-pk")


def co_ownership(bot: Bot, user: Any) -> CoOwner | None:
    """What the owner of a bot asked of a user and what they said; None if it was nothing."""
    if not user.is_authenticated or bot.owner_id is None:
        return None
    return CoOwner.objects.filter(bot=bot, user=user.pk).select_related("user").first()


def invited_co_owners(bot: Bot) -> list[CoOwner]:
    """Who was asked to be a co-owner of a bot and has not said yes."""
    rows = CoOwner.objects.filter(bot=bot).exclude(status__in=(CoOwner.Status.ACCEPTED, CoOwner.Status.LEFT))
    return list(rows.select_related("user").order_by("invited_at", "pk"))
