"""Games in a notebook: functions, files and house bots play in one process, and the table is drawn."""

from pathlib import Path
from typing import Any

import pytest

from bots.house import HOUSE_BOTS
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


def test_greedy_plays_as_the_house_bot_and_a_file_is_a_bot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(SDK))  # where a bot's file finds what it imports
    assert crapette.play("greedy", "random", seed="1").winner == "greedy"
    folder = tmp_path / "mine<b>"
    folder.mkdir()
    (folder / "bot.py").write_text("from crapette import run\nrun(lambda turn: turn.legal[-1])\n")
    game = crapette.play(str(folder), "greedy", seed="1")
    assert game.names[0] == "mine<b>"
    assert "mine<b>" not in game._repr_html_()
    with pytest.raises(ValueError, match="'nobody'"):
        crapette.play("nobody", "greedy")
    assert {"random", "greedy", "planner"} <= set(HOUSE_BOTS)
