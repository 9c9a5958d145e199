"""Games in lists."""

from tournaments.pages.games.game_rows import GameRow, SeatRow


def row(*seats: tuple[str, int]) -> GameRow:
    """A game of these bots' versions."""
    rows = tuple(SeatRow(bot, version, "/", False) for bot, version in seats)
    return GameRow("1", "/", "Crapaud", "running", rows, "", "", None, None, "Cup", "/")


def test_a_game_is_called_by_its_bots() -> None:
    assert row(("Greedy", 1), ("Planner", 3)).label == "Greedy – Planner"


def test_two_versions_of_one_bot_are_told_apart() -> None:
    assert row(("Patience", 2), ("Patience", 1)).label == "Patience v2 – Patience v1"
