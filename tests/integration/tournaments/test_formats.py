"""Every format is played to its end, and says who won."""

from datetime import timedelta

import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone
from django.utils.translation import override

from analysis.errors import InvalidTournament, WrongStatus
from analysis.formats.bracket import State
from analysis.verdicts.sprt import Hypotheses
from arena.accounts.models import User
from bots.models import Version
from tests.factories.bots import accepted_bot, let_play_everywhere, same_files
from tests.factories.results import delivery, lease, play_all, play_one
from tests.factories.tournaments import entrants, running
from tournaments.events.brackets import current_bracket
from tournaments.events.creation import NewTournament, create_tournament
from tournaments.events.estimates import UNKNOWN_SECONDS, estimated_seconds, seconds_a_game
from tournaments.events.registration import clone_tournament, join, leave, start_due
from tournaments.events.standings import tournament_standings
from tournaments.games.claims import claim_next, release
from tournaments.games.results import accept_result
from tournaments.models import Attempt, Entry, Game, Pair, Rating, Result, Tournament
from tournaments.operation.ledger import failed_attempts, ledger, variant_audits, voided_pairs
from tournaments.operation.queue import games_before
from tournaments.pages.events.standings import table
from tournaments.pairing.pairs import void_pair
from tournaments.pairing.progress import advance, start_tournament
from tournaments.pairing.sequential_tests import counted_scores, create_test, current_verdict
from tournaments.ratings.audit import audit_all
from tournaments.ratings.ladder import ensure_ladder
from tournaments.ratings.ratings import compute_ratings


def standing_bracket(tournament: Tournament) -> State:
    return current_bracket(tournament, list(tournament.entries.order_by("number"))).state


@pytest.mark.parametrize(("options", "pairs"), [({}, 8), ({"final_extra": None}, 4)], ids=["now", "older"])
def test_a_level_match_is_given_more_pairs_a_final_most_and_then_seeding_decides_and_is_named(
    client: Client, ada: User, options: dict[str, object], pairs: int
) -> None:
    tournament = running(ada, entrants(ada, 3), pairs=1, format="single-elimination")
    Tournament.objects.filter(pk=tournament.pk).update(options={**tournament.options, **options})
    for _ in range(4 + pairs):
        for _ in range(2):
            play_one(seat=0, left=[0, 5])
        advance(tournament.pk)
        advance(tournament.pk)  # a task may run twice
    # One pair and some more, all level and without a margin: the better seed goes on.
    done = dict(tournament.pairings.exclude(second=None).values_list("label", "pairs_done"))
    assert done == {"W1.2": 4, "W2.1": pairs}
    tournament.refresh_from_db()
    assert tournament.status == "finished"
    best = tournament.entries.get(number=1)
    assert standing_bracket(tournament).champion == best.pk
    page = client.get(tournament.get_absolute_url()).content.decode()
    assert f"after a level {pairs}–{pairs}, on seeding." in page
    assert f"Level after {pairs - 1} extra pairs: the better seed advances" in page
    assert "round won" in page
    line = client.get(f"/tournaments/{tournament.slug}/results.csv").content.decode().splitlines()[1]
    assert line.endswith(",1,seeding")
    matches = client.get(f"/api/v1/tournaments/{tournament.slug}/matches/").json()["items"]
    assert [(one["advanced"], one["decided_by"]) for one in matches if len(one["entries"]) == 2] == [
        (2, "seeding"),
        (1, "seeding"),
    ]


def test_a_voided_extra_pair_of_a_final_is_played_again_and_the_final_goes_on(ada: User) -> None:
    tournament = running(ada, entrants(ada, 2), pairs=1, format="single-elimination")
    for _ in range(8):
        for _ in range(2):
            play_one(seat=0, left=[0, 5])
        advance(tournament.pk)
    final = tournament.pairings.get()
    void_pair(Pair.objects.get(pairing=final, number=8), "The host stopped.")
    for _ in range(2):
        play_one(left=[0, 5])  # this time somebody leads, or nobody again
    advance(tournament.pk)
    tournament.refresh_from_db()
    final.refresh_from_db()
    assert (tournament.status, final.pairs_planned, final.pairs_done) == ("finished", 8, 8)


class TestSequential:
    def start(self, ada: User, **more: object) -> Tournament:
        one, other = entrants(ada, 2)
        tournament = create_test(ada, (one.pk, other.pk), Hypotheses(0, 40), pairs=400, **more)  # type: ignore[arg-type]
        start_tournament(tournament)
        return tournament

    def play(self, tournament: Tournament, first_wins: bool) -> None:
        """Play until the test ends; one of the two wins every game."""
        hero = tournament.entries.get(number=1)
        for _ in range(2000):
            found = claim_next("a worker")
            if found is None:
                break
            seat = Game.objects.get(pk=found.game).seats.get(entry=hero).seat
            accept_result(found, delivery(found.game, seat=seat if first_wins else 1 - seat))
            advance(tournament.pk)
        tournament.refresh_from_db()

    @pytest.mark.any_database
    def test_a_clearly_better_version_is_accepted_early_and_promoted(self, ada: User) -> None:
        old = accepted_bot(ada, "Climber")
        new = same_files(old, 2)
        let_play_everywhere([new])
        tournament = create_test(ada, (new.pk, old.pk), Hypotheses(0, 40), pairs=400, promote=True)
        start_tournament(tournament)
        self.play(tournament, first_wins=True)
        assert tournament.status == "finished"
        verdict = tournament.options["verdict"]
        assert verdict["decision"] == "H1"
        assert tournament.note == verdict["words"]
        assert tournament.note.endswith("LOS 99.9 %, accepted")
        assert 20 < verdict["pairs"] < 60
        old.bot.refresh_from_db()
        assert old.bot.active_version == new
        assert not Game.objects.filter(status__in=("queued", "running")).exists()

    def test_pairs_count_in_the_order_they_were_made(self, ada: User) -> None:
        tournament = self.start(ada)
        first = [lease(), lease()]
        second = [lease(), lease()]
        for held in second:
            accept_result(held, delivery(held.game))
        assert counted_scores(tournament) == []
        for held in first:
            accept_result(held, delivery(held.game))
        assert len(counted_scores(tournament)) == 2
        assert current_verdict(tournament).decision == ""

    def test_a_crossing_counts_though_no_one_looked_before_later_pairs_had_crossed_back(
        self, ada: User
    ) -> None:
        one, other = entrants(ada, 2)
        loose = Hypotheses(0, 200, alpha=0.3, beta=0.3)
        tournament = create_test(ada, (one.pk, other.pk), loose, pairs=12)
        start_tournament(tournament)
        held = [lease() for _ in range(8)]  # four pairs at once
        # Two pairs lost decide for H0, two won after them would leave it open. The first pair ends last.
        for one_lease in [*held[2:], *held[:2]]:
            game = Game.objects.select_related("pair").get(pk=one_lease.game)
            wins = game.pair.number > 2
            seat = game.leg if wins else 1 - game.leg
            accept_result(one_lease, delivery(one_lease.game, seat=seat))
        assert counted_scores(tournament) == [0, 0, 4, 4]
        advance(tournament.pk)
        tournament.refresh_from_db()
        assert tournament.status == "finished"
        assert (tournament.options["verdict"]["decision"], tournament.options["verdict"]["pairs"]) == (
            "H0",
            2,
        )

    def test_what_cannot_be_tested_is_refused(self, ada: User, bob: User) -> None:
        one, other = entrants(ada, 2)
        for tested, sentence in (
            (Hypotheses(10, 10), "This must be above the lower bound, and both from -200 to 200."),
            (Hypotheses(0, 10, alpha=0.5), "The risk must be from 0.001 to 0.3."),
        ):
            with pytest.raises(InvalidTournament) as refused:
                create_test(ada, (one.pk, other.pk), tested)
            assert str(refused.value) == sentence
        with pytest.raises(InvalidTournament, match=r"^You can activate only your own version\.$"):
            create_test(bob, (one.pk, other.pk), Hypotheses(), promote=True)


class TestLadder:
    def play(self, ladder: Tournament, games: int) -> int:
        """Play up to so many games; how many there were."""
        for played in range(games):
            found = claim_next("a worker")
            if found is None:
                return played
            accept_result(found, delivery(found.game))
            compute_ratings("crapaud")
            advance(ladder.pk)
        return games

    @pytest.mark.any_database
    def test_a_ladder_enters_active_versions_and_plays_until_all_are_known(
        self, ada: User, bob: User
    ) -> None:
        for number in (1, 2):
            accepted_bot(ada, f"A{number}")
            accepted_bot(bob, f"B{number}")
        ladder = ensure_ladder("crapaud")
        assert ensure_ladder("crapaud") == ladder
        advance(ladder.pk)
        assert ladder.entries.count() == 4
        assert self.play(ladder, 32) == 32
        owners = {
            frozenset(seat.version.bot.owner_id for seat in game.seats.all()) for game in ladder.games.all()
        }
        assert owners == {frozenset((ada.pk, bob.pk))}
        played = {row.version_id: row.pairs for row in Rating.objects.filter(variant="crapaud")}
        assert len(played) == 4
        assert min(played.values()) >= 4
        deals = list(Pair.objects.values_list("deal_seed", flat=True))
        assert len(set(deals)) == len(deals)
        assert audit_all() == {"crapaud": []}

    @pytest.mark.any_database
    def test_a_new_version_takes_its_predecessors_place_and_is_served_first(
        self, ada: User, bob: User
    ) -> None:
        accepted_bot(ada, "A")
        accepted_bot(bob, "B")
        ladder = ensure_ladder("crapaud")
        advance(ladder.pk)
        self.play(ladder, 16)
        newcomer = accepted_bot(ada, "Newcomer")
        advance(ladder.pk)
        # What waited before is played first: one pair more than games are played at once.
        self.play(ladder, 2 * (settings.GAMES_AT_ONCE + 1) + 8)
        assert Result.objects.filter(game__seats__version=newcomer).count() >= 7
        newcomer.bot.withdrawn_at = timezone.now()
        newcomer.bot.save()
        advance(ladder.pk)
        assert Entry.objects.get(version=newcomer).withdrawn


def test_registration_is_open_until_its_time_then_the_tournament_starts(ada: User, bob: User) -> None:
    hers = entrants(ada, 1)
    until = timezone.now() + timedelta(hours=1)
    wish = NewTournament(
        "Open cup", tuple(one.pk for one in hers), pairs_per_pairing=1, registration_until=until
    )
    cup = create_tournament(wish, ada)
    his = accepted_bot(bob, "Bob's")
    entry = join(cup, his.pk, bob)
    with pytest.raises(InvalidTournament, match=r"^Bob's v1 is already entered\.$"):
        join(cup, his.pk, bob)
    with pytest.raises(
        InvalidTournament, match=r"^Choose one of your own versions that has passed its check\.$"
    ):
        join(cup, hers[0].pk, bob)
    leave(entry)
    join(cup, his.pk, bob)
    assert start_due() == 0
    Tournament.objects.update(registration_until=timezone.now())
    with pytest.raises(WrongStatus, match=r"^Registration for this tournament is closed\.$"):
        join(cup, his.pk, bob)
    assert start_due() == 1
    cup.refresh_from_db()
    assert cup.status == "running"
    again = clone_tournament(cup, ada)
    assert (again.name, again.status, again.entries.count()) == ("Open cup", "draft", 2)
    assert again.seed != cup.seed


def test_the_ledger_counts_and_an_estimate_follows_what_was_measured(trio: list[Version], ada: User) -> None:
    assert seconds_a_game("crapaud") == UNKNOWN_SECONDS
    tournament = running(ada, trio)
    release(lease(), Attempt.Cause.PLAYER_DIED, "killed")
    Game.objects.update(not_before=None)
    play_all(tournament)
    pair = Pair.objects.all()[0]
    void_pair(pair, "the host was restarted")
    play_all(tournament)
    compute_ratings("crapaud")
    audit_all()
    found = ledger()
    assert (found.games, found.results, found.lost, found.counted_twice) == (12, 14, 0, 0)
    assert (found.accepted_pairs, found.voided_pairs, found.clean) == (6, 1, True)
    assert found.attempts == {"delivered": 14, "player-died": 1}
    english = found.ends
    with override("fr"):
        assert found.ends != english, "what is kept for readers of all languages has words in it"
    (audited,) = variant_audits()
    assert (audited.variant, audited.differences, audited.behind) == ("crapaud", [], 0)
    assert [one.void_reason for one in voided_pairs()] == ["the host was restarted"]
    assert [one.detail for one in failed_attempts()] == ["killed"]
    now = timezone.now()
    Game.objects.update(started_at=now - timedelta(seconds=5), finished_at=now)
    assert seconds_a_game("crapaud") == pytest.approx(5)
    wish = NewTournament("x", tuple(one.pk for one in trio))
    assert estimated_seconds(wish.size(), "crapaud", wish.versions) >= 60 / 256 * 5


@pytest.mark.any_database
def test_the_page_and_the_standings_place_the_entrants_of_a_knock_out_by_its_bracket(ada: User) -> None:
    tournament = running(ada, entrants(ada, 5), pairs=1, format="double-elimination")
    play_all(tournament)
    places = standing_bracket(tournament).places
    rows = [one.row for one in tournament_standings(tournament)]
    assert [[row.entrant for row in rows if row.place == place] for place in (1, 2, 3)] == places[:3]
    assert [line.row for line in table(tournament)] == rows


def test_an_estimate_counts_the_queue_before_it(ada: User, bob: User) -> None:
    assert games_before(ada.pk, 10) == 0
    running(bob, entrants(bob, 3), pairs=20)  # 120 games
    assert games_before(ada.pk, 10) == 10  # they take turns
    assert games_before(ada.pk, 500) == 120
    assert games_before(bob.pk, 10) == 120
