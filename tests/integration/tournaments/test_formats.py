"""Every format is played to its end, is verified, adds up in each table, and says who won."""

import csv
import io
from typing import Any

import pytest
from django.test import Client

from analysis.errors import InvalidTournament
from analysis.formats.bracket import State
from analysis.verdicts.sprt import Hypotheses
from arena.accounts.models import User
from bots.bots import withdraw_bot
from tests.factories.accounts import author
from tests.factories.bots import accepted_bot, let_play_everywhere, same_files
from tests.factories.bundles import bundled, findings
from tests.factories.results import delivery, lease, play_all, play_one
from tests.factories.tournaments import entrants, rivals, running
from tournaments.events.brackets import current_bracket
from tournaments.events.standings import tournament_standings
from tournaments.games.claims import claim_next, release
from tournaments.games.results import accept_result
from tournaments.models import Attempt, Game, Pair, Pairing, Tournament
from tournaments.operation.benchings import bench
from tournaments.pages.events.standings import table
from tournaments.pairing.pairs import void_pair
from tournaments.pairing.progress import advance, start_tournament
from tournaments.pairing.sequential_tests import counted_scores, create_test, current_verdict

pytestmark = pytest.mark.django_db


def standing_bracket(tournament: Tournament) -> State:
    return current_bracket(tournament, list(tournament.entries.order_by("number"))).state


def level(cup: Tournament, pairs: int) -> None:
    """Play so many pairs that leave a match level, without a margin."""
    for _ in range(pairs):
        for _ in range(2):
            play_one(seat=0, left=[0, 5])
        advance(cup.pk)
        advance(cup.pk)  # a task may run twice


def ended(cup: Tournament) -> Tournament:
    """It is over, and its file is verified."""
    cup.refresh_from_db()
    assert cup.status == "finished"
    assert findings(bundled(cup))[0] == []
    return cup


def standings_of(cup: Tournament) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = Client().get(f"/api/v1/tournaments/{cup.slug}/standings/").json()["items"]
    return items


@pytest.mark.parametrize(("options", "pairs"), [({}, 8), ({"final_extra": None}, 4)], ids=["now", "older"])
def test_seeding_decides_at_last(client: Client, ada: User, options: dict[str, object], pairs: int) -> None:
    tournament = running(ada, entrants(ada, 3), pairs=1, format="single-elimination")
    Tournament.objects.filter(pk=tournament.pk).update(options={**tournament.options, **options})
    level(tournament, 4 + pairs)
    # One pair and some more, all level and without a margin: the better seed goes on.
    done = dict(tournament.pairings.exclude(second=None).values_list("label", "pairs_done"))
    assert done == {"W1.2": 4, "W2.1": pairs}
    assert standing_bracket(ended(tournament)).champion == tournament.entries.get(number=1).pk
    matches = client.get(f"/api/v1/tournaments/{tournament.slug}/matches/").json()["items"]
    found = [(one["advanced"], one["decided_by"]) for one in matches if len(one["entries"]) == 2]
    assert found == [(2, "seeding"), (1, "seeding")]


def test_an_extra_pair_of_a_final_that_is_voided_or_loses_its_worker_is_played_again(ada: User) -> None:
    cup = running(ada, rivals(2), pairs=1, format="single-elimination")
    level(cup, 2)
    for _ in range(2):
        assert release(lease(), Attempt.Cause.LEASE_EXPIRED)
    level(cup, 2)
    final = cup.pairings.get()
    assert (final.pairs_done, final.pairs.count()) == (4, 5)
    level(cup, 4)
    void_pair(Pair.objects.get(pairing=final, number=8), "The host stopped.")
    for _ in range(2):
        play_one(left=[0, 5])  # this time somebody leads, or nobody again
    advance(cup.pk)
    ended(cup)
    final.refresh_from_db()
    assert (final.pairs_planned, final.pairs_done) == (8, 8)


def test_a_final_in_its_extra_pairs_is_won_by_the_other_when_a_bot_is_benched() -> None:
    cup = running(None, rivals(2), pairs=1, format="single-elimination")
    level(cup, 3)
    bench(cup.entries.get(number=1).version, "It crashed too often.")
    play_all(cup)
    assert standing_bracket(ended(cup)).champion == cup.entries.get(number=2).pk


@pytest.mark.any_database
def test_the_page_and_the_standings_place_the_entrants_of_a_knock_out_by_its_bracket(ada: User) -> None:
    tournament = running(ada, entrants(ada, 5), pairs=1, format="double-elimination")
    play_all(tournament)
    places = standing_bracket(tournament).places
    rows = [one.row for one in tournament_standings(tournament)]
    assert [[row.entrant for row in rows if row.place == place] for place in (1, 2, 3)] == places[:3]
    assert [line.row for line in table(tournament)] == rows
    # In one that goes on, a bye puts nobody below those who are out.
    cup = running(ada, entrants(author("carl"), 3), pairs=2, format="single-elimination")
    cup.pairings.update(pairs_done=2, wins=3, losses=1)
    advance(cup.pk)
    found = [(one["entry"]["number"], one["place"]) for one in standings_of(cup)]
    assert found == [(2, 1), (1, 1), (3, 3)]


class TestSwiss:
    @pytest.mark.parametrize("leaves", [False, True])
    def test_every_round_follows_from_the_results_before_it(self, leaves: bool) -> None:
        cup = running(None, rivals(7), pairs=2, format="swiss", rounds=4)
        if leaves:
            withdraw_bot(cup.entries.get(number=3).version.bot)
        play_all(cup)
        assert cup.status == "finished"
        lines = bundled(cup)
        assert findings(lines) == ([], "")
        for one in standings_of(cup):
            assert sum(made["points"] for made in one["rounds"]) == one["points"]
        met = [one for one in lines if one["kind"] == "pairing"]
        byes = [one["entrants"][0] for one in met if len(one["entrants"]) == 1]
        left = cup.pairings.exclude(forfeited_by=None)
        won = [one.won_by_forfeit for one in left if one.won_by_forfeit is not None]
        sat_out = byes + list(cup.entries.filter(pk__in=won).values_list("number", flat=True))
        assert len(sat_out) == len(set(sat_out)) == (2 if leaves else 4)
        # Who met is changed in the third round, where both tables are as good but for their wishes.
        first, second = [one for one in met if one["round"] == 3][:2]
        first["entrants"][1], second["entrants"][1] = second["entrants"][1], first["entrants"][1]
        found = findings(lines)[0]
        assert any(one.startswith("round 3, table 1: entrants: expected [") for one in found)

    def test_what_cannot_be_checked_is_said(self) -> None:
        cup = running(None, rivals(4), pairs=1, format="swiss")
        play_all(cup)
        lines = bundled(cup)
        next(one for one in lines if one["kind"] == "pair")["status"] = "void"
        found, caveats = findings(lines)
        assert not [one for one in found if ": entrants: " in one]
        assert caveats == (
            "Not checked: who met whom in round 2, because a result before it was voided later, or is hidden."
        )
        del lines[0]["options"]["pairing_rule"]
        assert "paired by another rule" in findings(lines)[1]

    def test_standings_add_up_with_byes_everywhere(self, client: Client, ada: User) -> None:
        cup = running(ada, entrants(ada, 5), pairs=3, format="swiss")
        play_all(cup)
        byes = {one.first.number: one.round for one in Pairing.objects.filter(second=None)}
        assert len(byes) == 3
        for one in standings_of(cup):
            number = one["entry"]["number"]
            assert one["points"] == one["wins"] + one["draws"] / 2 + one["bye_points"]
            assert one["bye_points"] == (3 if number in byes else 0)
            assert sum(made["points"] for made in one["rounds"]) == one["points"]
            free = [made["round"] for made in one["rounds"] if made["opponent"] is None]
            assert free == one["bye_rounds"] == ([byes[number]] if number in byes else [])
        text = client.get(f"/tournaments/{cup.slug}/results.csv").content.decode()
        for row in csv.DictReader(io.StringIO(text)):
            parts = float(row["wins"]) + float(row["draws"]) / 2 + float(row["bye points"])
            assert float(row["points"]) == parts
            assert sum(float(row[f"round {number}"]) for number in (1, 2, 3)) == parts
        page = client.get(cup.get_absolute_url()).content.decode()
        assert page.count("+3<small>bye</small>") == 3


class TestSequential:
    def start(self, ada: User, asked: Hypotheses, pairs: int) -> Tournament:
        one, other = entrants(ada, 2)
        tournament = create_test(ada, (one.pk, other.pk), asked, pairs=pairs)
        start_tournament(tournament)
        return tournament

    @pytest.mark.any_database
    def test_a_clearly_better_version_is_accepted_early_and_promoted(self, ada: User) -> None:
        old = accepted_bot(ada, "Climber")
        new = same_files(old, 2)
        let_play_everywhere([new])
        tournament = create_test(ada, (new.pk, old.pk), Hypotheses(0, 40), pairs=400, promote=True)
        start_tournament(tournament)
        hero = tournament.entries.get(number=1)
        while (found := claim_next("a worker")) is not None:
            seat = Game.objects.get(pk=found.game).seats.get(entry=hero).seat
            accept_result(found, delivery(found.game, seat=seat))
            advance(tournament.pk)
        tournament.refresh_from_db()
        assert tournament.status == "finished"
        verdict = tournament.options["verdict"]
        assert verdict["decision"] == "H1"
        assert tournament.note == verdict["words"]
        assert tournament.note.endswith("LOS 99.9 %, accepted")
        assert 20 < verdict["pairs"] < 60
        old.bot.refresh_from_db()
        assert old.bot.active_version == new
        assert not Game.objects.filter(status__in=("queued", "running")).exists()

    def test_pairs_count_in_the_order_they_were_made_even_if_later_ones_crossed_back(self, ada: User) -> None:
        tournament = self.start(ada, Hypotheses(0, 200, alpha=0.3, beta=0.3), pairs=12)
        held = [lease() for _ in range(8)]  # four pairs at once
        # Two pairs lost decide for H0, two won after them would leave it open. The first pair ends last.
        for one_lease in [*held[2:], *held[:2]]:
            assert counted_scores(tournament) == []
            assert current_verdict(tournament).decision == ""
            game = Game.objects.select_related("pair").get(pk=one_lease.game)
            seat = game.leg if game.pair.number > 2 else 1 - game.leg
            accept_result(one_lease, delivery(one_lease.game, seat=seat))
        assert counted_scores(tournament) == [0, 0, 4, 4]
        advance(tournament.pk)
        tournament.refresh_from_db()
        assert tournament.status == "finished"
        verdict = tournament.options["verdict"]
        assert (verdict["decision"], verdict["pairs"]) == ("H0", 2)


def test_what_cannot_be_tested_is_refused(ada: User, bob: User) -> None:
    keys = tuple(one.pk for one in entrants(ada, 2))
    for owner, tested, promote in (
        (ada, Hypotheses(10, 10), False),
        (ada, Hypotheses(0, 10, alpha=0.5), False),
        (bob, Hypotheses(), True),  # only one's own version can be activated
    ):
        with pytest.raises(InvalidTournament):
            create_test(owner, keys, tested, promote=promote)  # type: ignore[arg-type]
