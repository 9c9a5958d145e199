"""Games in a notebook: functions, files and house bots play in one process, and the table is drawn."""

from pathlib import Path
from typing import Any

import pytest

from kit.sdk import crapette

SDK = Path(__file__).parents[5] / "kit" / "sdk"


def first(turn: Any) -> str:
    """Play the first legal move."""
    return str(turn.legal[0])


@pytest.mark.parametrize(
    ("variant", "bots"),
    [
        ("crapaud", (first, "greedy")),
        ("crapette", ("random", "greedy", "planner")),
        ("vitesse", ("greedy", "planner")),
    ],
)
def test_functions_and_house_bots_play_and_a_notebook_draws_the_table(
    variant: str, bots: tuple[Any, ...]
) -> None:
    game = crapette.play(*bots, variant=variant, seed="x")
    again = crapette.play(*bots, variant=variant, seed="x")
    assert str(game.game.position) == str(again.game.position)
    assert game.names == [bot if isinstance(bot, str) else "first" for bot in bots]
    assert game.winner in {None, *game.names}
    assert str(game.at(0).game.position) == str(game.game.start)
    assert str(game.at(-1).game.position) == str(game.at(len(game) - 0).game.position)
    drawn = game._repr_html_()
    assert str(game) in drawn
    assert drawn.count("<pre") == drawn.count("</pre>") == 1
    with pytest.raises(IndexError):
        game.at(len(game) + 1)
