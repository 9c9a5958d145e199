"""Charts put values where they belong, mark round numbers, and keep what is outside on the edge."""

from datetime import UTC, datetime, timedelta

from arena.web.charts import (
    Point,
    Scale,
    Series,
    curve,
    thin,
    time_marks,
)

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def test_a_curve_has_its_band_forth_and_back_and_stays_inside() -> None:
    points = [Point(0, 0, "start", -1, 1), Point(5, 5, "middle", 4, 6), Point(10, 99, "end", 8, 99)]
    drawn_curve = curve(Series("first", "Elo", points), Scale(0, 10), Scale(0, 10))
    assert drawn_curve.line == "0.0,100.00 50.0,50.00 100.0,0.00"
    assert drawn_curve.band.split()[0] == "0.0,90.00"
    assert drawn_curve.band.split()[-1] == "0.0,100.00"
    assert [dot.words for dot in drawn_curve.dots] == ["start", "middle", "end"]


def test_of_many_points_a_few_are_kept_the_last_always() -> None:
    kept = thin([Point(number, 0) for number in range(101)], 10)
    assert len(kept) <= 10
    assert kept[-1].x == 100


def test_times_are_marked_by_the_hour_and_midnight_by_its_date() -> None:
    words = [mark.words for mark in time_marks(NOON, NOON + timedelta(hours=24))]
    assert words == ["12:00", "18:00", "2 Mar", "06:00", "12:00"]
    days = [mark.words for mark in time_marks(NOON, NOON + timedelta(days=9))]
    assert days == ["3 Mar", "5 Mar", "7 Mar", "9 Mar"]
