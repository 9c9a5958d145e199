"""How many of the endings that the solver saw a bot win it did win: kept with the luck, shown and told."""

import pytest
from django.test import Client
from django.utils import timezone

import engine
from analysis.formats.seeds import commitment
from analysis.searches.won_endings import won_endings
from arena.accounts.models import User
from bots.models import Version
from tests.factories.played import finish
from tests.factories.tournaments import running
from tournaments.events import creation
from tournaments.games import luck_measurement as luck
from tournaments.games import records
from tournaments.models import Game, Rating, SolvedEnding
from tournaments.ratings import held_endings
from tournaments.ratings.held_endings import HeldEndings


def a_pair(owner: User, versions: list[Version], monkeypatch: pytest.MonkeyPatch) -> list[Game]:
    """Two games of a deal that is always the same, with an ending that the solver decides."""
    seed = "11" * 32
    with monkeypatch.context() as known:
        known.setattr(creation, "new_seed", lambda: {"seed": seed, "seed_commitment": commitment(seed)})
        running(owner, versions, pairs=1, variant="crapo")
    return [finish(), finish()]


def test_a_seat_that_the_solver_saw_win_is_kept_once_with_what_became_of_it(
    ada: User, trio: list[Version], monkeypatch: pytest.MonkeyPatch
) -> None:
    played = a_pair(ada, trio[:2], monkeypatch)

    for _ in range(2):  # it may be measured twice
        luck.measure_pair(played[0].pair_id)
        luck.measure(played[0].pk)

    expected = set()
    for game in played:
        start = engine.TurnPosition.parse(game.start)
        first = game.result.ranking[0]
        for seat in won_endings(start, engine.words_of(records.events(game))):
            expected.add((game.pk, seat, game.seats.get(seat=seat).version_id, first == [seat]))
    assert expected, "expected a deal with a solved ending"
    assert set(SolvedEnding.objects.values_list("game", "seat", "version", "held")) == expected


def test_the_bots_page_and_the_api_tell_how_many_were_held(
    ada: User, trio: list[Version], client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = trio[:2]
    games = a_pair(ada, [one, other], monkeypatch)
    rated = {"elo": 1500, "error": 50, "pairs": 1, "games": 2, "anchored": True}
    Rating.objects.create(version=one, variant="crapo", computed_at=timezone.now(), **rated)
    address, api = f"/tournaments/bot-panel/{one.bot.slug}/", f"/api/v1/bots/{one.bot.slug}/ratings/"
    assert "Endings held" not in client.get(address).content.decode(), "no column of dashes"
    assert client.get(api).json()["items"][0]["solved_endings"] == 0

    for game, held in zip(games, (True, False), strict=True):
        SolvedEnding.objects.create(game=game, seat=0, version=one, variant="crapo", held=held)
        SolvedEnding.objects.create(game=game, seat=1, version=other, variant="crapo", held=True)

    assert held_endings.count_held(version__bot=one.bot) == {(one.pk, "crapo"): HeldEndings(2, 1)}
    page = client.get(address).content.decode()
    assert "1 of 2" in page
    assert "(50&nbsp;%)" in page
    row = client.get(api).json()["items"][0]
    assert (row["solved_endings"], row["held_endings"]) == (2, 1)

    Game.objects.filter(pk=games[0].pk).update(status=Game.Status.VOID)
    assert held_endings.count_held(version__bot=one.bot) == {(one.pk, "crapo"): HeldEndings(1, 0)}
