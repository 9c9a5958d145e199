"""Points and ranks of games that were given up or drawn by agreement."""

import pytest

from engine import Position

PAIR = "{} 0 play {} ./././././././. 0,0/0,0/0,0/0,0 {}/6D7D8D/9C ./2S3S/. 0,0,0,.,. 2,1/{}/."
THREE = (
    f"crapette 0 play KS .{'/.' * 11} 0,0,0/0,0,0/0,0,0/0,0,0 "
    "4H5C/6D7D8D/9C ./2S3S/. ./3H4H/. 0,0,0,.,. 2,1,0/12/."
)
TICKS = "vitesse 48 11,4/1,0/1,0/11,1 ./-,QH,-,6C/KS/2D ./TD,KH,TH,-/./. 0 1,2/."


def pair(variant: str, drawn: str = "-") -> Position:
    """A position of two; without a reserve, where the variant has none."""
    return Position.parse(PAIR.format(variant, drawn, *(".", ".") if variant == "crapo" else ("4H5C", "1")))


@pytest.mark.parametrize(
    ("variant", "loser", "points"),
    [
        ("crapaud", 0, (0, 0)),
        ("crapaud-kjq", 1, (0, 0)),
        ("crapo", 0, (0, 0)),
        ("crapette", 0, (6, 3 + 10 + 3)),  # three cards are half of six
        ("crapette", 1, (6 + 1, 3 + 10)),
        ("crapette-it", 0, (0, 4 + 2 * 2)),
        ("crapette-it-strict", 1, (2, 0)),
        ("russian-bank", 0, (0, 30 + 4 + 2 * 2)),
    ],
)
def test_who_gives_up_is_scored_as_the_loser_of_the_position(
    variant: str, loser: int, points: tuple[int, int]
) -> None:
    found = pair(variant).given_up(loser)
    assert (found.points, found.ranking) == (points, ((1 - loser,), (loser,)))


def test_of_three_the_one_who_gives_up_pays_the_others_but_not_for_a_reserve_that_is_empty() -> None:
    assert Position.parse(THREE).given_up(0).points == (-(3 + 3 + 10) - (3 + 0 + 10), 3 + 3 + 10, 3 + 0 + 10)
    assert Position.parse(THREE).given_up(1).points == (1 + 6, -(1 + 6) - (1 + 0), 1 + 0)


def test_an_agreed_draw_scores_what_a_drawn_game_does_and_a_card_in_the_air_is_the_movers() -> None:
    assert pair("crapette").given_up(None).points == (6, 13)
    assert pair("crapette-it").given_up(None).points == (0, 0)
    assert pair("crapaud", "KS").left == (7, 2)


def test_in_ticks_who_gives_up_gets_nothing_and_the_other_as_if_it_had_called_stop() -> None:
    position = Position.parse(TICKS)
    assert position.given_up(0).points == (0, 20 + 20 + 49)
    assert position.given_up(1).points == (20 + 10 + 48, 0)
    assert position.left == (4, 3)
