"""Points and ranks of games that were given away or drawn by agreement."""

from __future__ import annotations

import pytest

from referee.result import draw_ranking, forfeit_ranking
from referee.scores import draw_points, forfeit_points, standing

SEATS = "4H5C/6D7D8D/9C ./2S3S/."
PAIR = f"{{}} 0 play - ./././././././. 0,0/0,0/0,0/0,0 {SEATS} 0,0,0,.,. 2,1/1/."
THREE = (
    "crapette 0 play KS ./././././././././././. 0,0,0/0,0,0/0,0,0/0,0,0 "
    "4H5C/6D7D8D/9C ./2S3S/. ./././ 0,0,0,.,. 2,1,0/1/."
)


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
def test_a_forfeit_is_scored_as_losing_the_position(
    variant: str, loser: int, points: tuple[int, int]
) -> None:
    assert forfeit_points(standing(PAIR.format(variant)), loser) == points


def test_a_card_in_the_air_is_the_movers() -> None:
    at = standing(PAIR.format("crapaud").replace(" - ", " KS "))
    assert at.left == (7, 2)


def test_of_three_players_the_one_who_forfeits_pays_the_others() -> None:
    line = THREE.replace("./././ ", "./3H4H/. ")
    points = forfeit_points(standing(line), 0)
    assert points == (-(3 + 3 + 10) - (3 + 0 + 10), 3 + 3 + 10, 3 + 0 + 10)
    assert sum(points) == 0


def test_of_three_players_one_who_emptied_the_reserve_does_not_pay_for_it() -> None:
    line = THREE.replace("./././ ", "./3H4H/. ")
    assert forfeit_points(standing(line), 1) == (1 + 6, -(1 + 6) - (1 + 0), 1 + 0)


def test_an_agreed_draw_scores_what_a_drawn_game_does() -> None:
    assert draw_points(standing(PAIR.format("crapette"))) == (6, 13)
    assert draw_points(standing(PAIR.format("crapette-it"))) == (0, 0)


def test_after_a_forfeit_seats_rank_as_out_then_in_then_the_forfeiting_one() -> None:
    assert forfeit_ranking(2, (), 0) == ((1,), (0,))
    assert forfeit_ranking(4, (2,), 1) == ((2,), (0, 3), (1,))
    assert forfeit_ranking(3, (2, 0), 1) == ((2,), (0,), (1,))
    assert draw_ranking(2, ()) == ((0, 1),)
    assert draw_ranking(4, (3,)) == ((3,), (0, 1, 2))
