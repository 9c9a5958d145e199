"""Whose a bot is, as the rated pool sees it: the house, or an author with all accounts that staff linked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis.ratings.pools import HOUSE
from bots.models import Version
from tournaments.models import AccountLink

if TYPE_CHECKING:
    from collections.abc import Iterable

    from arena.accounts.models import User

AT_ONCE = 1_000
"""Keys in one query; databases limit how many there may be."""


def linked_accounts() -> dict[int, int]:
    """For each account that is linked to others, the least key of them all."""
    least: dict[int, int] = {}

    def root(account: int) -> int:
        while least.setdefault(account, account) != account:
            account = least[account]
        return account

    for one, other in AccountLink.objects.values_list("one", "other"):
        first, second = sorted((root(one), root(other)))
        least[second] = first
    return {account: root(account) for account in least}


def owners_of(versions: Iterable[int]) -> dict[int, int]:
    """The owner of each version: 0 for the house, below 0 for a bot whose account is gone."""
    linked = linked_accounts()
    keys, found = sorted(set(versions)), {}
    for start in range(0, len(keys), AT_ONCE):
        rows = Version.objects.filter(pk__in=keys[start : start + AT_ONCE]).values_list(
            "pk", "bot", "bot__owner", "bot__is_house"
        )
        for version, bot, owner, is_house in rows:
            found[version] = HOUSE if is_house else -bot if owner is None else linked.get(owner, owner)
    return found


def has_bot_among(user: User, versions: Iterable[int]) -> bool:
    """Whether one of these versions is of this account or of one that staff linked to it."""
    account = linked_accounts().get(user.pk, user.pk)
    return account in owners_of(versions).values()
