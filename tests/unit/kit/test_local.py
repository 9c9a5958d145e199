"""The first bot, series of deals and sequential tests on this machine."""

import itertools
import json
from random import Random
from typing import Any

import engine
from analysis.verdicts.sequential import WINS
from analysis.verdicts.sprt import Hypotheses
from engine.policies import greedy, perturbed
from engine.turns.moves import texts
from kit.local.new import TEMPLATES
from kit.local.sequential_test import JudgedGame, SequentialTest
from kit.local.series import Fixture, Played, SeriesPlan
from tests.site import ROOT

BOT = TEMPLATES / "python" / "bot.py"


def test_the_first_chapter_shows_the_bot_that_new_makes() -> None:
    assert f"```python\n{BOT.read_text()}```" in (ROOT / "docs/author/first-bot.md").read_text()


ASKED = Hypotheses(0, 200)


def game(plan: SeriesPlan, deal: int, leg: int, share: float = 0.5) -> JudgedGame:
    """A game that the greedy bot, the first, plays against one that often moves at random."""
    fixture = Fixture(plan, deal, leg)
    played = engine.TurnGame(engine.TurnPosition.parse(fixture.start()))
    careless = perturbed(Random(f"{deal}-{leg}"), share)
    for _ in itertools.count():
        if played.finished:
            break
        bot = fixture.seats()[played.turn]
        [move] = (greedy(played.core),) if bot == 0 else careless(played.core)
        played.apply(str(texts(2, played.turn)[move]))
    outcome = played.outcome()
    assert outcome is not None
    one = Played(
        game=fixture.key,
        seed=fixture.seed,
        suits=fixture.suits,
        seats=tuple(("new", "old")[bot] for bot in fixture.seats()),
        ranking=outcome.ranking,
        points=outcome.points,
        left=played.position.left,
        termination="win",
        seat=None,
        detail="",
        plies=played.ply,
        turns=played.turns,
        times=(1, 1),
    )
    return JudgedGame(one, engine.words_of(event.as_dict() for event in played.history))


def run(stop_by: str, games: list[JudgedGame], plan: SeriesPlan) -> SequentialTest:
    test = SequentialTest(plan, (None, None), ASKED, stop_by)
    for one in games:
        test.add(JudgedGame.from_dict(json.loads(json.dumps(one.as_dict()))))
    return test


def told(test: SequentialTest) -> tuple[Any, ...]:
    return test.standing.decision, test.standing.scores, [pair.luck for pair in test.pairs]


def test_pairs_count_in_their_order_however_games_come() -> None:
    plan = SeriesPlan("crapaud", 2, 6, "7" * 64)
    games = [game(plan, deal, leg) for deal in range(6) for leg in (0, 1)]
    whole = run(WINS, games, plan)
    assert whole.over
    assert all(pair.luck is not None for pair in whole.pairs)
    # The first pair's second game is the last to end: until then nothing counts.
    late = [games[0], *games[2:], games[1]]
    assert run(WINS, late[:-1], plan).standing.pairs == 0
    assert told(run(WINS, late, plan)) == told(whole)
    # Nor does it matter where the command was interrupted.
    kept = [JudgedGame.from_dict(json.loads(json.dumps(one.as_dict()))) for one in whole.games.values()]
    assert told(run(WINS, kept, plan)) == told(whole)
    assert {fixture.key for fixture in run(WINS, games[:3], plan).missing()} == {
        one.played.game for one in games[3:]
    }


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
