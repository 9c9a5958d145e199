"""Owners of bots who leave: what becomes of their bots (`people.deletion` deletes the account)."""

from __future__ import annotations

import contextlib
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING

from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import transaction
from django.db.models import ProtectedError, Q, RestrictedError
from django.utils import timezone
from django.utils.translation import gettext_lazy

from arena.notices.models import Kind
from arena.notices.sending import tell
from arena.web.audit_log import add_audit_entry
from arena.web.i18n.phrases import fill
from arena.web.paths import path
from bots.errors import LimitReached, OwnerGone
from bots.files import remove_unpacked
from bots.limits import assert_may_take
from bots.locks import lock_account, lock_people
from bots.models import (
    Archive,
    Bot,
    BotAuditEntry,
    CheckReport,
    CoOwner,
    Follow,
    Language,
    PendingFile,
    RemotePresence,
    SharedPast,
    Status,
    Trial,
    Version,
)
from bots.port import authors_changed, port, stop_playing

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from django.db.models import Model

    from arena.accounts.models import User


class _AnotherHeir(Exception):
    """Somebody became an heir just now, whose account is not locked."""


@transaction.atomic
def forget_owner(owner: User) -> list[int]:
    """Delete the bots of ``owner``. Those that have played stay as nameless, withdrawn bots without files.

    Other bots' results depend on those games, so versions stay as rows with their hashes. Names,
    descriptions, files and check logs are deleted. A bot with co-owners goes to the one who has been that for
    longest. Returns the keys of the others.
    """
    lock_with_heirs(owner)
    inherited = hand_over(owner)
    # Whoever begins to follow one at this moment locks it, too: they come before, or find no bot.
    bots = list(Bot.objects.select_for_update(of=("self",)).filter(owner=owner).order_by("pk"))
    keys = [bot.pk for bot in bots]
    contents = set(Version.objects.filter(bot__in=bots).values_list("sha256", flat=True))
    _take_out(keys)
    forget_in_log(Bot, keys)
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
    return keys


def _take_out(bots: Collection[int]) -> None:
    """Have bots, which are locked, play no more: they lose their files, and leave everything they are in."""
    Bot.objects.filter(pk__in=bots, withdrawn_at=None).update(withdrawn_at=timezone.now())
    versions = Version.objects.filter(bot__in=bots)
    versions.update(archive=None)
    versions.filter(language=Language.REMOTE).update(activated_at=None)
    stop_playing(versions)


def hand_over(owner: User) -> set[int]:
    """Give each bot of an account that is being deleted to its longest-serving co-owner; the keys of those.

    Call it in the transaction that deletes the account. Nobody is asked: the bot would be lost. One for which
    the co-owner has no room arrives withdrawn. Bots whose co-owners are all suspended stay.
    """
    accepted = CoOwner.objects.filter(status=CoOwner.Status.ACCEPTED, user__is_active=True)
    given = set()
    for bot in Bot.objects.select_for_update(of=("self",)).filter(owner=owner).order_by("pk"):
        heir = accepted.filter(bot=bot).select_related("user").first()
        if heir is None:
            continue
        sentence, withdrawn_at = gettext_lazy("%(bot)s is yours now: its owner deleted their account."), None
        try:
            assert_may_take(heir.user, bot)
        except LimitReached:
            sentence = gettext_lazy(
                "%(bot)s is yours now: its owner deleted their account. It is withdrawn, because it exceeds "
                "what one account can have."
            )
            withdrawn_at = timezone.now()
        Bot.objects.filter(pk=bot.pk).update(owner=heir.user, withdrawn_at=bot.withdrawn_at or withdrawn_at)
        if withdrawn_at is not None:
            stop_playing(bot.versions.all())
        CoOwner.objects.filter(bot=bot).update(offered_at=None)
        heir.delete()
        port().handed_over(bot, heir.user)
        add_audit_entry(bot.audit_log, heir.user, BotAuditEntry.What.INHERITED)
        tell(
            [heir.user.pk],
            Kind.TOGETHER,
            f"bot {bot.pk} inherited",
            fill(sentence, bot=bot.name),
            path("bots:owners", bot.slug),
        )
        given.add(bot.pk)
    return given


def lock_with_heirs(owner: User) -> None:
    """Lock an account and those that may get its bots. Raises OwnerGone if there is no account.

    Whoever accepts an invitation has locked the account of the bot's owner. So somebody may have become an
    heir while this waited: then it gives all locks back and takes them again, always in the same order.
    """
    heirs = CoOwner.objects.filter(bot__owner=owner, status=CoOwner.Status.ACCEPTED)
    locked = False
    while not locked:
        with contextlib.suppress(_AnotherHeir), transaction.atomic():
            known = set(heirs.values_list("user", flat=True))
            lock_people(owner.pk, *known, no_key=False)
            lock_account(owner)
            if not known.issuperset(heirs.values_list("user", flat=True)):
                raise _AnotherHeir
            locked = True


def _remember(owner: User, inherited: set[int], nameless: set[int]) -> None:
    """Note that these bots, and those of which they were a co-owner, had an owner in common.

    Each two are noted, so that a bot that is deleted later takes no others apart. One of the two is a bot
    that somebody else owns or once owned: otherwise there is nobody who could gain.
    """
    known = CoOwner.objects.exclude(joined_at=None)
    others = set(known.filter(Q(user=owner) | Q(bot__in=nameless)).values_list("bot", flat=True)) | inherited
    if others:
        SharedPast.objects.bulk_create(
            (
                SharedPast(one_id=one, other_id=other)
                for one, other in combinations(sorted(others | nameless), 2)
                if one in others or other in others
            ),
            batch_size=1_000,
            ignore_conflicts=True,
        )
        authors_changed()


def forget_in_log(model: type[Model], keys: Iterable[int]) -> None:
    """Remove the names of rows from the admin log."""
    kind = ContentType.objects.get_for_model(model)
    LogEntry.objects.filter(content_type=kind, object_id__in=[str(key) for key in keys]).update(
        object_repr="departed"
    )


def departed_name(bot: int) -> tuple[str, str]:
    """What a bot is called whose owner's account is gone, and its slug."""
    return f"Departed bot {bot}", f"departed-bot-{bot}"


def _make_nameless(bot: Bot) -> None:
    """Keep only what other players' results need of ``bot``."""
    Follow.objects.filter(bot=bot).delete()
    CheckReport.objects.filter(version__bot=bot).delete()
    PendingFile.objects.filter(version__bot=bot).delete()
    RemotePresence.objects.filter(bot=bot).update(seen_at=None)
    Trial.objects.filter(version__bot=bot).update(log="", record=None)
    versions = Version.objects.filter(bot=bot)
    versions.update(filename="", note="", release_notes="", trial_asked_at=None, uploaded_by=None)
    # Those who owned it once still count as its authors in the ratings.
    CoOwner.objects.filter(bot=bot, joined_at=None).delete()
    CoOwner.objects.filter(bot=bot).update(status=CoOwner.Status.LEFT, offered_at=None)
    BotAuditEntry.objects.filter(bot=bot).delete()
    # Without files nothing can be checked, and nobody else's check may wait for it.
    versions.filter(status__in=(Status.UPLOADED, Status.CHECKING)).update(status=Status.REJECTED)
    name, slug = departed_name(bot.pk)
    Bot.objects.filter(pk=bot.pk).update(
        name=name,
        look=None,
        slug=slug,
        **dict.fromkeys(Bot.TEXTS, ""),
        owner=None,
        open_to_all=False,
    )


def drop_unused_archives() -> None:
    """Delete archives that no version refers to any more."""
    Archive.objects.filter(versions=None).delete()


def end_invitations(owner: User) -> set[int]:
    """Return the bots that go with an account, having nobody who gets them; nobody can join these any more.

    Otherwise somebody could get a bot of which half is deleted. They lose their files now.
    """
    with contextlib.suppress(OwnerGone), transaction.atomic():
        lock_account(owner, no_key=True)
        heirs = CoOwner.objects.filter(status=CoOwner.Status.ACCEPTED, user__is_active=True).values("bot")
        bots = Bot.objects.select_for_update(of=("self",), no_key=True).filter(owner=owner)
        alone = set(bots.exclude(pk__in=heirs).order_by("pk").values_list("pk", flat=True))
        asked = CoOwner.objects.filter(
            bot__in=alone, status__in=(CoOwner.Status.INVITED, CoOwner.Status.DECLINED)
        )
        asked.exclude(joined_at=None).update(status=CoOwner.Status.LEFT)
        asked.delete()
        # Before the account is locked for its deletion: who holds an event may wait to refer to the account.
        _take_out(alone)
        return alone
    return set()
