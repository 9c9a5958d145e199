"""Curves of ratings get thinner with age, and stay curves."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from django.utils import timezone

from arena.web.cache import values
from arena.web.models import Limit
from bots.models import Version
from tests.factories.accounts import author
from tests.factories.bots import accepted_bot
from tests.factories.results import play_all
from tests.factories.tournaments import rivals, running
from tournaments.models import Rating, RatingPoint
from tournaments.operation import retention
from tournaments.pages.ratings import rating_rows as ratings
from tournaments.ratings.audit import audit_all
from tournaments.ratings.ratings import compute_ratings

pytestmark = pytest.mark.django_db
DAILY, WEEKLY = "keep_rating_points_days", "keep_daily_rating_points_days"


def curve(
    version: Version, days: int, *, every: timedelta = timedelta(hours=6), board: str = "crapette"
) -> None:
    """Points of so many days until now."""
    now = timezone.now()
    moments = [now - every * step for step in range(int(timedelta(days=days) / every))]
    RatingPoint.objects.bulk_create(
        RatingPoint(version=version, variant=board, at=at, elo=1500 + step % 90, error=20, games=9_999 - step)
        for step, at in enumerate(moments)
    )


def moments(version: Version, board: str = "crapette") -> list[datetime]:
    return list(RatingPoint.objects.filter(version=version, variant=board).values_list("at", flat=True))


def test_old_points_become_one_a_day_and_then_one_a_week() -> None:
    bot = accepted_bot(author("ann"), "Ann's")
    curve(bot, 500)
    before = moments(bot)
    now = timezone.now()
    removed = sum(retention.remove_all().values())
    after = moments(bot)
    assert len(before) - len(after) == removed > 1_000, "in more than one batch"
    young = now - timedelta(days=29)
    assert [at for at in after if at > young] == [at for at in before if at > young]
    days = [at.date() for at in after if now - timedelta(days=364) < at < now - timedelta(days=32)]
    assert len(days) == len(set(days)) > 330, "each day has exactly one"
    assert all((later - sooner).days == 1 for sooner, later in pairwise(days))
    weeks = [at.isocalendar()[:2] for at in after if at < now - timedelta(days=373)]
    assert len(weeks) == len(set(weeks)) in {18, 19, 20}
    assert retention.remove_all()[DAILY] == retention.remove_all()[WEEKLY] == 0, (
        "a second night finds nothing"
    )


def test_the_last_point_of_a_day_stays_on_every_board_and_of_every_version() -> None:
    one, other = rivals(2)
    noon = datetime.combine(timezone.now().date() - timedelta(days=60), datetime.min.time(), UTC)
    for version, board in ((one, "crapette"), (one, "crapaud"), (other, "crapette")):
        for hour in (0, 7, 23):
            RatingPoint.objects.create(
                version=version,
                variant=board,
                at=noon + timedelta(hours=hour),
                elo=1400 + hour,
                error=9,
                games=hour,
            )
    Limit.objects.create(name=DAILY, value=90)  # an operator changes how long points stay
    values.forget_all()
    assert retention.would_remove(retention.RULES[-2]) == 0
    Limit.objects.all().delete()
    values.forget_all()
    assert retention.would_remove(retention.RULES[-2]) == 6
    assert retention.remove_all()[DAILY] == 6
    assert set(RatingPoint.objects.values_list("elo", flat=True)) == {1423}
    assert RatingPoint.objects.count() == 3


def test_charts_trends_and_the_audit_stand_after_points_went() -> None:
    cup = running(None, rivals(3), pairs=2)
    play_all(cup)
    compute_ratings(cup.variant)
    rating = Rating.objects.filter(variant=cup.variant).select_related("version__bot")[0]
    curve(rating.version, 400, board=cup.variant)
    newest = RatingPoint.objects.filter(version=rating.version).latest("at")
    retention.remove_all()
    (chart,) = ratings.histories(rating.version.bot)
    assert chart.rows[-1][1] == f"{newest.elo:.0f}", "the curve ends where it did"
    assert audit_all()[cup.variant] == []
    kept_points = RatingPoint.objects.count()
    assert not compute_ratings(cup.variant)
    assert RatingPoint.objects.count() == kept_points
