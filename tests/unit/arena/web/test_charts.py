"""Charts put values where they belong, mark round numbers, and keep what is outside on the edge."""

from arena.web.charts import (
    Point,
    Scale,
    Series,
    curve,
)


def test_a_curve_has_its_band_forth_and_back_and_stays_inside() -> None:
    points = [Point(0, 0, "start", -1, 1), Point(5, 5, "middle", 4, 6), Point(10, 99, "end", 8, 99)]
    drawn_curve = curve(Series("first", "Elo", points), Scale(0, 10), Scale(0, 10))
    assert drawn_curve.line == "0.0,100.00 50.0,50.00 100.0,0.00"
    assert drawn_curve.band.split()[0] == "0.0,90.00"
    assert drawn_curve.band.split()[-1] == "0.0,100.00"
    assert [dot.words for dot in drawn_curve.dots] == ["start", "middle", "end"]
