"""A series of deals: which games it has, and what they say about the bots."""

import engine
from kit.local.series import SeriesPlan

PLAN = SeriesPlan("crapaud", 2, 3, "7" * 64)


def test_every_deal_is_played_once_from_every_seat_with_other_suits() -> None:
    games = list(PLAN.games())
    assert [each.key for each in games] == ["0001-1", "0001-2", "0002-1", "0002-2", "0003-1", "0003-2"]
    first, second, third = games[:3]
    assert (first.seats(), second.seats()) == ((0, 1), (1, 0))
    assert first.seed == second.seed != third.seed
    assert first.start() == str(engine.deal("crapaud", first.seed))
    assert second.suits in engine.SUIT_RELABELLINGS[1:]
    assert second.start() == str(engine.deal("crapaud", first.seed).relabelled(second.suits))
