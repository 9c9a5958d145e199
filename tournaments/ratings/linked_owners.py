"""Whose a bot is, as the rated pool sees it: the house, or an author with all accounts that belong together.

Accounts belong together if staff linked them, or if they own a bot together or ever did: otherwise somebody
could leave a bot, or hand it over, and then let it lose against their others. Only staff may put accounts
together that have met in rated games (`have_met`): whoever could take such games back would choose which.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import F, Q
from django.db.models.functions import Coalesce
from django.utils.translation import gettext

from analysis.ratings.pools import HOUSE
from bots.models import CoOwner, SharedPast, Version
from tournaments.models import AccountLink, Entry, Pairing
from tournaments.models.embargo import seeing_hidden

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from django.db.models import QuerySet

    from arena.accounts.models import User

AT_ONCE = 1_000
"""Keys in one query; databases limit how many there may be."""


def linked_accounts(*, by_staff: bool = False) -> dict[int, int]:
    """For each account that belongs together with others, the least key of them all.

    `by_staff` asks only what staff linked. Whoever owns a bot with somebody must not have to answer for
    everything that the other's bots do.
    A bot whose account is gone has minus its own key, as in :func:`owners_of`, and is never the least.
    """
    least: dict[int, int] = {}

    def root(account: int) -> int:
        while least.setdefault(account, account) != account:
            account = least[account]
        return account

    for one, other in _by_staff() if by_staff else _links():
        first, second = sorted((root(one), root(other)), key=lambda key: (key < 0, abs(key)))
        least[second] = first
    return {account: root(account) for account in least}


def _links() -> QuerySet[AccountLink, tuple[int, int]]:
    """The couples that belong together, in one query: staff's, owners of a bot, and bots of the departed."""
    owners = CoOwner.objects.exclude(joined_at=None).order_by()
    pasts = SharedPast.objects.order_by().values_list(_author("one"), _author("other"))
    return _by_staff().union(owners.values_list(_author("bot"), "user"), pasts, all=True)


def _by_staff() -> QuerySet[AccountLink, tuple[int, int]]:
    return AccountLink.objects.order_by().values_list("one", "other")


def _author(bot: str) -> Coalesce:
    """The account of a bot, or minus its key if that is gone."""
    return Coalesce(f"{bot}__owner", -F(f"{bot}__pk"))


def owners_of(versions: Iterable[int]) -> dict[int, int]:
    """The author of each version: 0 for the house, below 0 for a bot whose account is gone."""
    linked = linked_accounts()
    keys, found = sorted(set(versions)), {}
    for start in range(0, len(keys), AT_ONCE):
        rows = Version.objects.filter(pk__in=keys[start : start + AT_ONCE]).values_list(
            "pk", "bot", "bot__owner", "bot__is_house"
        )
        for version, bot, owner, is_house in rows:
            author = -bot if owner is None else owner
            found[version] = HOUSE if is_house else linked.get(author, author)
    return found


def has_bot_among(user: User, versions: Iterable[int]) -> bool:
    """Whether one of these versions is of this account or of one that belongs together with it."""
    account = linked_accounts().get(user.pk, user.pk)
    return account in owners_of(versions).values()


@seeing_hidden()
def have_met(one: User, other: User) -> bool:
    """Whether rated games count between two accounts, or others that belong to either of them."""
    linked = linked_accounts()
    if linked.get(one.pk, one.pk) == linked.get(other.pk, other.pk):
        return False
    return Pairing.objects.filter(
        _sits(one, linked), _sits(other, linked), tournament__rated=True, pairs_done__gt=0
    ).exists()


def why_not_together(owner: User, other: User) -> str:
    """Why two accounts cannot own a bot together: their bots have met in rated games, which would not count
    any more. Empty if nothing speaks against it."""
    if not have_met(owner, other):
        return ""
    return gettext(
        "Bots of %(one)s and %(other)s have played rated games against each other. If the two owned a "
        "bot together, these results would no longer count, so only staff can allow it, by linking the "
        "two accounts."
    ) % {"one": owner, "other": other}


def _sits(account: User, linked: Mapping[int, int]) -> Q:
    """Of meetings: those with a bot of an account or of one that belongs together with it."""
    least = linked.get(account.pk, account.pk)
    keys = {account.pk, *(key for key, found in linked.items() if found == least)}
    bots = Q(version__bot__owner__in=[key for key in keys if key > 0])
    entries = Entry.objects.filter(bots | Q(version__bot__in=[-key for key in keys if key < 0]))
    seats = [Q(**{f"{seat}__in": entries}) for seat in ("first", "second", "third", "fourth")]
    return seats[0] | seats[1] | seats[2] | seats[3]
