"""Features that meet in one event: extra pairs and benched bots or lost workers, edits and series or hidden
results, byes and bots that leave, renamed and withdrawn bots in replays."""

from dataclasses import replace

import pytest
from django.test import Client
from django.urls import reverse

from analysis.errors import InvalidTournament
from arena.accounts.models import User
from bots.bots import BotDetails, edit_bot, withdraw_bot
from tests.factories.results import lease, play_all, play_one
from tests.factories.series import event_of, league
from tests.factories.tournaments import created, draft, rivals, running
from tests.integration.tournaments.test_groups_verified import bundled, findings
from tournaments.events.brackets import current_bracket
from tournaments.events.edits import EventDetails, edit_event
from tournaments.events.standings import tournament_standings
from tournaments.games.claims import release
from tournaments.models import Attempt, Game, Tournament
from tournaments.models.embargo import seeing_hidden
from tournaments.operation.benchings import bench
from tournaments.pages.ratings import diary
from tournaments.pairing.embargo import Hiding
from tournaments.pairing.progress import advance, start_tournament

pytestmark = pytest.mark.django_db


def level(cup: Tournament, pairs: int) -> None:
    """Play so many pairs that leave a match level, without a margin."""
    for _ in range(pairs):
        for _ in range(2):
            play_one(seat=0, left=[0, 5])
        advance(cup.pk)


def test_a_final_in_its_extra_pairs_is_won_by_the_other_when_a_bot_is_benched() -> None:
    versions = rivals(2)
    cup = running(None, versions, pairs=1, format="single-elimination")
    level(cup, 3)
    loser = cup.entries.get(number=1)
    bench(loser.version, "It crashed too often.")
    play_all(cup)
    cup.refresh_from_db()
    assert cup.status == "finished"
    assert findings(bundled(cup)) == []
    state = current_bracket(cup, list(cup.entries.order_by("number"))).state
    assert state.champion == cup.entries.get(number=2).pk
    page = Client().get(cup.get_absolute_url()).content.decode()
    assert "4–4" not in page


def test_a_worker_that_dies_in_an_extra_pair_of_a_final_costs_nothing(ada: User) -> None:
    cup = running(ada, rivals(2), pairs=1, format="single-elimination")
    level(cup, 2)
    for _ in range(2):
        assert release(lease(), Attempt.Cause.LEASE_EXPIRED)
    level(cup, 2)
    final = cup.pairings.get()
    assert (final.pairs_done, final.pairs.count()) == (4, 5)
    play_all(cup)
    cup.refresh_from_db()
    assert cup.status == "finished"
    assert findings(bundled(cup)) == []


def test_a_bracket_of_four_at_a_table_is_refused_in_a_sentence(ada: User) -> None:
    with pytest.raises(InvalidTournament, match="only a round-robin"):
        created(ada, rivals(4), variant="crapette", players=4, format="single-elimination")


def test_an_event_of_a_series_is_edited_and_its_series_shows_the_new_name_and_order(
    client: Client, ada: User
) -> None:
    series = league(ada)
    cup = event_of(series, rivals(3))
    edit_event(cup, replace(EventDetails.of(cup), name="Second Sunday", pairs_per_pairing=2), by=ada)
    page = client.get(series.get_absolute_url()).content.decode()
    assert "Second Sunday" in page
    start_tournament(cup)
    play_all(cup)
    assert "Second Sunday" in client.get(series.get_absolute_url()).content.decode()
    assert set(cup.pairings.values_list("pairs_planned", flat=True)) == {2}


def test_an_event_edited_down_to_its_hidden_rounds_shows_byes_alone(ada: User) -> None:
    cup = draft(ada, rivals(5), format="swiss", rounds=3, pairs_per_pairing=1, hiding=Hiding(last_rounds=2))
    edit_event(cup, replace(EventDetails.of(cup), rounds=2), by=ada)
    cup.registration_until = None
    cup.save()
    start_tournament(cup)
    play_all(cup)
    page = Client().get(cup.get_absolute_url()).content.decode()
    assert "The results of the last 2 rounds are hidden" in page
    shown = {one.row.points for one in tournament_standings(cup)}
    assert shown <= {0, 1}, "of two rounds that are hidden nothing shows but byes"


def test_a_swiss_with_byes_and_a_bot_that_left_still_adds_up(client: Client, ada: User) -> None:
    versions = rivals(5)
    cup = running(ada, versions, pairs=1, format="swiss", rounds=4)
    for _ in range(4):
        play_one()
    advance(cup.pk)
    withdraw_bot(versions[0].bot)
    play_all(cup)
    cup.refresh_from_db()
    assert cup.status == "finished"
    assert findings(bundled(cup)) == []
    items = client.get(f"/api/v1/tournaments/{cup.slug}/standings/").json()["items"]
    assert len(items) == 5
    for one in items:
        assert sum(made["points"] for made in one["rounds"]) == one["points"]


def test_replays_outlive_a_bots_name_and_the_bot(client: Client, ada: User) -> None:
    versions = rivals(2)
    cup = running(ada, versions, pairs=1)
    play_all(cup)
    game = cup.games.earliest("finished_at")
    bot = versions[0].bot
    edit_bot(bot, BotDetails("Renamed"))
    withdraw_bot(bot)
    page = client.get(reverse("games:detail", args=[game.pk])).content.decode()
    assert "Renamed" in page
    assert client.get(reverse("games:final", args=[game.pk])).status_code == 200
    record = client.get(f"/games/{game.pk}/record.json").json()
    assert "Renamed" in {seat["bot"] for seat in record["seats"]}
    assert client.get(bot.get_absolute_url()).status_code == 200


def test_the_diary_of_a_bot_has_no_game_whose_result_is_hidden(client: Client) -> None:
    versions = rivals(4)
    cup = running(None, versions, pairs=1, format="swiss", rounds=2, hiding=Hiding(last_rounds=1))
    play_all(cup)
    bot = versions[0].bot
    shown = {one.key for one in diary.last_games(bot)}
    with seeing_hidden():
        hidden = set(Game.objects.filter(hidden=True).values_list("pk", flat=True))
        theirs = set(Game.objects.filter(seats__version=versions[0]).values_list("pk", flat=True))
    assert hidden & theirs
    assert shown == theirs - hidden
