"""Every format, groups among them, is played to its end, is verified, adds up and says who won."""

import csv
import io
from collections.abc import Sequence
from copy import deepcopy
from typing import Any

import pytest
from django.db import IntegrityError
from django.db.transaction import atomic
from django.test import Client
from django.utils import timezone

from analysis.errors import InvalidTournament
from analysis.formats.bracket import State
from analysis.formats.groups import GroupRule, draw, snake
from analysis.verdicts.sprt import Hypotheses
from arena.accounts.models import User
from bots.bots import withdraw_bot
from bots.models import Version
from tests.factories.accounts import author
from tests.factories.bots import accepted_bot, let_play_everywhere, same_files
from tests.factories.bundles import bundled, findings
from tests.factories.results import accept_result, claim_as_a_worker, delivery, lease, play_all, play_one
from tests.factories.tournaments import draft, entrants, rivals, running
from tournaments.events.brackets import current_bracket
from tournaments.events.registration import start_due
from tournaments.events.standings import tournament_standings
from tournaments.games.attempts import release
from tournaments.games.claims import claim_next
from tournaments.models import Attempt, Game, Pair, Pairing, Seat, Tournament
from tournaments.pages.events.bracket import drawing
from tournaments.pages.events.groups import group_tables
from tournaments.pairing.embargo import Hiding
from tournaments.pairing.groups import GroupStage, group_stage
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


def test_seeding_decides_at_last_and_an_extra_pair_that_is_voided_or_loses_its_worker_is_played_again(
    ada: User,
) -> None:
    cup = running(ada, rivals(3), pairs=1, format="single-elimination")
    level(cup, 4)
    # One pair and some more, all level and without a margin: the better seed goes on.
    semifinal, final = cup.pairings.exclude(second=None).order_by("label")
    assert (semifinal.label, semifinal.pairs_done) == ("W1.2", 4)
    assert {final.first.number, final.second.number} == {1, 2}  # type: ignore[union-attr]
    level(cup, 2)
    for _ in range(2):
        assert release(lease(), Attempt.Cause.LEASE_EXPIRED)
    level(cup, 2)
    final.refresh_from_db()
    assert (final.pairs_done, final.pairs.count()) == (4, 5)
    level(cup, 4)
    assert standing_bracket(cup).champion == cup.entries.get(number=1).pk
    void_pair(Pair.objects.get(pairing=final, number=8), "The host stopped.")
    for _ in range(2):
        play_one(left=[0, 5])  # this time somebody leads, or nobody again
    advance(cup.pk)
    ended(cup)
    final.refresh_from_db()
    assert (final.pairs_planned, final.pairs_done) == (8, 8)


@pytest.mark.any_database
def test_who_went_on_stays_in_a_bracket_if_a_pair_is_voided_later_and_ends_otherwise(client: Client) -> None:
    event = running(None, rivals(4), pairs=1, format="single-elimination")
    while (found := claim_as_a_worker()) is not None:
        # The better seed wins, but not when it plays the first match again.
        game = Game.objects.get(pk=found.game)
        accept_result(found, delivery(found.game, seat=(game.leg + game.pair.run + 1) % 2))
        advance(event.pk)
        if Pair.objects.filter(status="accepted").count() == 3 and not Pair.objects.filter(run=2).exists():
            void_pair(Pair.objects.get(pairing__label="W1.1"), "the host slept")
    order = [(one.entry.number, one.row.place) for one in tournament_standings(ended(event))]
    assert (order[:2], {place for _, place in order[2:]}) == ([(1, 1), (2, 2)], {3})
    assert findings(bundled(event))[0] == []
    shown = client.get(event.get_absolute_url()).content.decode()
    assert "Decided before a pair was voided and replayed" in shown


def test_the_page_and_the_standings_place_the_entrants_of_a_knock_out_by_its_bracket(ada: User) -> None:
    tournament = running(ada, entrants(ada, 4), pairs=1, format="double-elimination")
    play_all(tournament)
    places = standing_bracket(tournament).places
    rows = [one.row for one in tournament_standings(tournament)]
    assert [[row.entrant for row in rows if row.place == place] for place in (1, 2, 3)] == places[:3]
    # In one that goes on, a bye puts nobody below those who are out.
    cup = running(ada, entrants(author("carl"), 3), pairs=2, format="single-elimination")
    cup.pairings.update(pairs_done=2, wins=3, losses=1)
    advance(cup.pk)
    found = [(one["entry"]["number"], one["place"]) for one in standings_of(cup)]
    assert found == [(2, 1), (1, 1), (3, 3)]


class TestSwiss:
    @pytest.mark.parametrize("leaves", [False, True])
    def test_every_round_follows_from_the_results_before_it(self, leaves: bool) -> None:
        cup = running(None, rivals(7), pairs=1, format="swiss", rounds=4)
        if leaves:
            withdraw_bot(cup.entries.get(number=3).version.bot)
        play_all(cup)
        assert cup.status == "finished"
        lines = bundled(cup)
        assert findings(lines) == ([], "")
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

    def test_standings_add_up_with_byes_everywhere(self, client: Client, ada: User) -> None:
        cup = running(ada, entrants(ada, 5), pairs=2, format="swiss", rounds=3)
        play_all(cup)
        byes = {one.first.number: one.round for one in Pairing.objects.filter(second=None)}
        assert len(byes) == 3
        for one in standings_of(cup):
            free = [byes[number] for number in (one["entry"]["number"],) if number in byes]
            assert (one["bye_points"], one["bye_rounds"]) == (2 * len(free), free)
            assert one["points"] == one["wins"] + one["draws"] / 2 + one["bye_points"]
            assert one["points"] == sum(made["points"] for made in one["rounds"])
        text = client.get(f"/tournaments/{cup.slug}/results.csv").content.decode()
        for row in csv.DictReader(io.StringIO(text)):
            assert float(row["points"]) == sum(float(row[f"round {number}"]) for number in (1, 2, 3))


@pytest.mark.any_database
def test_a_clearly_better_version_is_accepted_early_and_promoted(ada: User, bob: User) -> None:
    old = accepted_bot(ada, "Climber")
    new = same_files(old, 2)
    let_play_everywhere([new])
    with pytest.raises(InvalidTournament):  # only one's own version can be activated
        create_test(bob, (new.pk, old.pk), Hypotheses(), promote=True)
    tournament = create_test(ada, (new.pk, old.pk), Hypotheses(0, 200), pairs=400, promote=True)
    start_tournament(tournament)
    hero = tournament.entries.get(number=1)
    while (found := claim_next("a worker")) is not None:
        seat = Game.objects.get(pk=found.game).seats.get(entry=hero).seat
        accept_result(found, delivery(found.game, seat=seat))
        advance(tournament.pk)
    tournament.refresh_from_db()
    assert (tournament.status, tournament.options["verdict"]["decision"]) == ("finished", "H1")
    assert 5 < tournament.options["verdict"]["pairs"] < 20
    old.bot.refresh_from_db()
    assert old.bot.active_version == new
    assert not Game.objects.filter(status__in=("queued", "running")).exists()

    # What that rested on is played again and lost: the test goes on, with all pairs that it had begun.
    for pair in Pair.objects.filter(status="accepted", number__lte=4):
        void_pair(pair, "the host slept")
    while (found := claim_next("a worker")) is not None:
        seat = Game.objects.get(pk=found.game).seats.get(entry=hero).seat
        accept_result(found, delivery(found.game, seat=1 - seat))
        advance(tournament.pk)
    tournament.refresh_from_db()
    assert (tournament.status, tournament.options["verdict"]["decision"]) == ("finished", "H0")


def test_pairs_count_in_the_order_they_were_made_even_if_later_ones_crossed_back(ada: User) -> None:
    keys = tuple(one.pk for one in entrants(ada, 2))
    tournament = create_test(ada, keys, Hypotheses(0, 200, alpha=0.3, beta=0.3), pairs=12)  # type: ignore[arg-type]
    start_tournament(tournament)
    held = [lease() for _ in range(8)]  # four pairs at once
    # Two pairs lost decide for H0, two won after them would leave it open. The first pair ends last.
    for one_lease in [*held[2:], *held[:2]]:
        assert (counted_scores(tournament), current_verdict(tournament).decision) == ([], "")
        game = Game.objects.select_related("pair").get(pk=one_lease.game)
        seat = game.leg if game.pair.number > 2 else 1 - game.leg
        accept_result(one_lease, delivery(one_lease.game, seat=seat))
    assert counted_scores(tournament) == [0, 0, 4, 4]
    advance(tournament.pk)
    verdict = ended(tournament).options["verdict"]
    assert (verdict["decision"], verdict["pairs"]) == ("H0", 2)


def cup(versions: Sequence[Version], groups: int = 0, advance: int = 2, **more: Any) -> Tournament:
    rule = GroupRule(groups, advance, more.pop("knockout_pairs", 0))
    return running(None, versions, **{"pairs": 1, "format": "groups", "options": rule.as_options(), **more})


def play_until(event: Tournament, label: str) -> None:
    while not event.pairings.filter(label=label).exists():
        play_one()
        advance(event.pk)


def stage_of(tournament: Tournament) -> GroupStage:
    found = group_stage(tournament, list(tournament.entries.order_by("number")))
    assert found is not None
    return found


def test_the_best_of_each_group_meet_in_a_bracket_in_a_file_in_which_each_forgery_is_found() -> None:
    event = cup(rivals(7), groups=2, knockout_pairs=2)
    entries = list(event.entries.order_by("number").values_list("pk", flat=True))
    for name, group in zip("AB", snake(entries, 2), strict=True):
        met = event.pairings.filter(label=name)
        assert {key for one in met for key in one.entry_ids} == set(group)
        assert met.count() == len(group) * (len(group) - 1) // 2
    for _ in range(7):
        play_one()
    assert findings(bundled(event))[0] == []
    play_all(event)
    stage = stage_of(event)
    tables = [[row.entrant for row in group.table] for group in stage.groups]
    assert stage.seeds == [tables[slot.group][slot.place] for slot in draw(2, 2)]
    assert event.pairings.get(label="W1.1").entry_ids == (tables[0][0], tables[1][1])
    standings = tournament_standings(event)
    assert standings[0].entry.pk == standing_bracket(ended(event)).champion
    assert [one.row.place for one in standings[:4]] == [1, 2, 3, 3]
    assert {one.entry.pk for one in standings[4:]} == set(entries) - set(stage.seeds)

    whole = bundled(event)

    def said(lines: list[dict[str, Any]]) -> str:
        return "\n" + "\n".join(findings(lines)[0])

    def labelled(lines: list[dict[str, Any]], label: str) -> dict[str, Any]:
        return next(row for row in lines if row.get("label") == label)

    over = deepcopy(whole)  # another draw
    one, other = labelled(over, "W1.1"), labelled(over, "W1.2")
    one["entrants"], other["entrants"] = other["entrants"], one["entrants"]
    assert "\nknock-out: seed 1: expected" in said(over)

    over = deepcopy(whole)  # another number of groups
    over[0]["options"]["groups"]["number"] = 10**9
    assert "\nschedule: " in said(over)

    over = deepcopy(whole)  # a finalist who did not win
    final, semi = labelled(over, "W2.1"), labelled(over, "W1.1")
    final["entrants"][0] = next(one for one in semi["entrants"] if one not in final["entrants"])
    assert "\nround 5, table 1: entrants: expected" in said(over)

    over = deepcopy(whole)  # another place, and no final
    for row in over:
        if row["kind"] == "standing" and row["place"] == 1:
            row["place"] = 2
    assert "place: expected 1" in said(over)


def test_the_draw_stands_when_a_pair_of_a_group_is_voided_and_ends_otherwise() -> None:
    event = cup(rivals(6), groups=2)
    play_until(event, "W2.1")
    drawn = stage_of(event).seeds
    last = stage_of(event).groups[0].table[2].entrant
    for pair in Pair.objects.filter(pairing__tournament=event, pairing__label="A", status="accepted"):
        void_pair(pair, "the host slept")
    assert stage_of(event).seeds == drawn
    advance(event.pk)
    while (found := claim_next("a worker")) is not None:
        # The last of the group now wins all its games.
        seat = Seat.objects.filter(game=found.game, entry=last).values_list("seat", flat=True).first()
        accept_result(found, delivery(found.game, seat=seat))
    assert stage_of(event).groups[0].table[0].entrant == last
    play_all(event)
    assert stage_of(ended(event)).seeds == drawn
    assert event.pairings.filter(label__startswith="W").count() == 3
    assert {one.entry.pk for one in tournament_standings(event)[:4]} == set(drawn)


def test_the_bracket_is_drawn_once_after_a_voided_pair_was_waited_for() -> None:
    event = cup(rivals(6), groups=2)
    for _ in range(11):
        play_one()
    pair = Pair.objects.filter(pairing__tournament=event, pairing__label="A", status="accepted")[0]
    void_pair(pair, "the host slept")
    play_one()
    advance(event.pk)
    assert not event.pairings.filter(label__startswith="W").exists()
    play_one()
    play_one()
    for _ in range(3):
        advance(event.pk)
    assert sorted(event.pairings.filter(round__gt=3).values_list("label", flat=True)) == ["W1.1", "W1.2"]
    first = event.entries.order_by("number")[0]
    with pytest.raises(IntegrityError), atomic():
        Pairing.objects.create(tournament=event, round=4, table=1, first=first, label="W1.1", pairs_planned=0)


def test_the_draw_is_known_if_all_groups_are_and_nobody_is_named_while_one_is_hidden(client: Client) -> None:
    versions = rivals(6)
    known, hidden = (cup(versions, groups=2, hiding=Hiding(rounds)) for rounds in (2, 3))
    for event in (known, hidden):
        play_all(event)
        assert event.status == "running"
        shown, bracket = group_tables(event), drawing(event)
        assert shown is not None
        assert bracket is not None
        assert not event.pairings.filter(label__startswith="W").exists()
        assert not bracket.champion
        assert [group.over for group in shown.groups] == [event == known] * 2
        if event == hidden:
            assert [group.advanced for group in shown.groups] == [[], []]
            assert {side.url for match in bracket.matches for side in match.sides} == {""}
    items = client.get(f"/api/v1/tournaments/{hidden.slug}/standings/").json()["items"]
    assert {row["advanced"] for row in items} == {None}


def test_an_open_event_makes_groups_of_whoever_has_entered_or_is_cancelled_with_a_reason(ada: User) -> None:
    versions = rivals(9)
    event = draft(ada, versions, format="groups", options=GroupRule(0, 2, 3).as_options())
    assert (event.group_rule, group_tables(event)) == (GroupRule(0, 2, 3), None)
    start_tournament(event)
    assert event.group_rule == GroupRule(2, 2, 3)

    event = draft(ada, versions[:5], format="groups", options=GroupRule(4, 2).as_options())
    Tournament.objects.filter(pk=event.pk).update(registration_until=timezone.now())
    start_due()
    event.refresh_from_db()
    assert event.status == "cancelled"
    assert "choose at least 12 bots" in event.note
