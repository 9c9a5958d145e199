"""Makes series, and changes their texts and rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.db import transaction
from django.utils.text import slugify
from django.utils.translation import gettext

from arena.accounts.confirmation import assert_confirmed
from arena.web import names
from arena.web.audit_log import add_audit_entry
from arena.web.slugs import is_page, store
from tournaments.models import Tournament
from tournaments.series.errors import SeriesRefused
from tournaments.series.models import LONGEST_DESCRIPTION, LONGEST_NAME, EventSeries, Season, SeriesAuditEntry
from tournaments.series.seasons import lock_actor, lock_managed, open_one

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arena.accounts.models import User

MOST_SERIES: Final = 10
"""Series of one account."""
MOST_EVENTS: Final = 40
"""Events of a season."""
MOST_LISTED: Final = 30
"""Places in a list of points."""
MOST_POINTS: Final = 1_000
LONGEST_SLUG: Final = 60


@dataclass(frozen=True, slots=True)
class RuleWish:
    """What the events of a season are worth, how many results count, and how many events there are to be."""

    scheme: str = Season.Scheme.GRAND_PRIX
    listed: Sequence[float] = ()
    best: int = 0
    planned: int = 0


@transaction.atomic
def create(owner: User, name: str, description: str, rule: RuleWish) -> EventSeries:
    """Make a series with its first season. Raises AddressNotConfirmed or SeriesRefused."""
    assert_confirmed(owner)
    lock_actor(owner)
    tidy, rule = clean_name(name), _checked(rule)
    if not owner.is_staff and EventSeries.objects.filter(owner=owner).count() >= MOST_SERIES:
        raise SeriesRefused(
            gettext("You already have %(most)s series, the most one account can have.")
            % {"most": MOST_SERIES}
        )
    series = store(
        lambda slug: EventSeries.objects.create(
            slug=slug, name=tidy, description=description.strip()[:LONGEST_DESCRIPTION], owner=owner
        ),
        lambda: _slug(tidy),
    )
    Season.objects.create(
        series=series,
        number=1,
        scheme=rule.scheme,
        listed=list(rule.listed),
        best=rule.best,
        planned=rule.planned,
    )
    add_audit_entry(series.audit_log, owner, SeriesAuditEntry.What.FOUNDED)
    return series


@transaction.atomic
def change_texts(series: EventSeries, by: User, name: str, description: str) -> None:
    """Give a series another name and description; its address stays.

    Raises PermissionDenied or SeriesRefused.
    """
    lock_actor(by)
    locked = lock_managed(series, by)
    tidy, words = clean_name(name), description.strip()[:LONGEST_DESCRIPTION]
    held = (locked.name_held and tidy != locked.name, locked.description_held and words != locked.description)
    if any(held):
        raise SeriesRefused(
            gettext("Moderators chose this text. You cannot change it now."),
            "name" if held[0] else "description",
        )
    if (tidy, words) == (locked.name, locked.description):
        return
    locked.name, locked.description = tidy, words
    locked.save(update_fields=["name", "description"])
    add_audit_entry(locked.audit_log, by, SeriesAuditEntry.What.TEXTS)


@transaction.atomic
def change_rule(series: EventSeries, by: User, rule: RuleWish) -> None:
    """Change what counts in the open season, until its first event has started.

    How many events are planned can be changed later as well, but not to fewer than there are. Raises
    PermissionDenied or SeriesRefused.
    """
    lock_actor(by)
    locked = lock_managed(series, by)
    season, rule = open_one(locked), _checked(rule)
    # An event cannot start at this moment: whoever starts it locks its row.
    events = list(Tournament.objects.select_for_update(of=("self",)).filter(season_event__season=season))
    same = (rule.scheme, list(rule.listed), rule.best) == (season.scheme, list(season.listed), season.best)
    if not same and any(one.status != Tournament.Status.DRAFT for one in events):
        raise SeriesRefused(gettext("An event of this season has started, so its rule is fixed."), "scheme")
    counted = sum(one.status != Tournament.Status.CANCELLED for one in events)
    if rule.planned and rule.planned < counted:
        raise SeriesRefused(
            gettext("The season already has %(count)s events.") % {"count": counted}, "planned"
        )
    if same and rule.planned == season.planned:
        return
    season.scheme, season.listed, season.best = rule.scheme, list(rule.listed), rule.best
    season.planned = rule.planned
    season.save(update_fields=["scheme", "listed", "best", "planned"])
    add_audit_entry(locked.audit_log, by, SeriesAuditEntry.What.RULE)


@transaction.atomic
def delete(series: EventSeries, by: User) -> None:
    """Delete a series that never held an event. Raises PermissionDenied or SeriesRefused."""
    lock_actor(by)
    locked = lock_managed(series, by)
    if Season.objects.filter(series=locked, events__isnull=False).exists() or not _is_new(locked):
        raise SeriesRefused(gettext("Only a series without events can be deleted."))
    locked.delete()


def _is_new(series: EventSeries) -> bool:
    return not Season.objects.filter(series=series, closed_at__isnull=False).exists()


def clean_name(name: str) -> str:
    """The tidied name of a series. Raises SeriesRefused."""
    tidy = " ".join(name.split())
    if not 3 <= len(tidy) <= LONGEST_NAME:
        raise SeriesRefused(
            gettext("The name of a series has 3 to %(most)s characters.") % {"most": LONGEST_NAME}, "name"
        )
    flaw = names.hidden_flaw(tidy)
    if flaw:
        raise SeriesRefused(flaw, "name")
    return tidy


def _checked(rule: RuleWish) -> RuleWish:
    """A rule that can be applied; its list is empty where it is of no meaning. Raises SeriesRefused."""
    if rule.scheme not in Season.Scheme.values:
        raise SeriesRefused(gettext("Choose how places score points."), "scheme")
    for value, field in ((rule.best, "best"), (rule.planned, "planned")):
        if not 0 <= value <= MOST_EVENTS:
            raise SeriesRefused(gettext("Enter a number from 0 to %(most)s.") % {"most": MOST_EVENTS}, field)
    if rule.scheme != Season.Scheme.LISTED:
        return RuleWish(rule.scheme, (), rule.best, rule.planned)
    _check_list(rule.listed)
    return rule


def _check_list(listed: Sequence[float]) -> None:
    if not 1 <= len(listed) <= MOST_LISTED:
        raise SeriesRefused(
            gettext("List the points for 1 to %(most)s places.") % {"most": MOST_LISTED}, "listed"
        )
    if any(not 0 <= one <= MOST_POINTS for one in listed):
        raise SeriesRefused(
            gettext("Give each place 0 to %(most)s points.") % {"most": MOST_POINTS}, "listed"
        )
    if list(listed) != sorted(listed, reverse=True) or not listed[0]:
        raise SeriesRefused(
            gettext("List the points in descending order. First place needs more than 0."), "listed"
        )


def _slug(name: str) -> str:
    """A slug that is not taken: the name's, with a number behind if need be."""
    base = slugify(name)[:LONGEST_SLUG] or "series"
    if is_page("series:detail", base):
        base = f"{base}-series"
    taken = set(EventSeries.objects.filter(slug__startswith=base).values_list("slug", flat=True))
    slug, number = base, 2
    while slug in taken:
        slug, number = f"{base}-{number}", number + 1
    return slug
