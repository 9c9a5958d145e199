"""Forms of events and tests, registration, meetings, matches: what pages say, and what bundles prove."""

import io
import json
from datetime import timedelta
from typing import Any

import pytest
from django.db.models import F
from django.test import Client
from django.utils import timezone

from analysis.bundle import add_digests
from analysis.errors import InvalidTournament
from analysis.event_log import canonical
from analysis.formats.groups import GroupRule
from analysis.formats.matches import MatchRule
from analysis.verdicts.sequential import FIRST_MARGINS
from analysis.verdicts.sprt import Hypotheses
from arena.accounts.models import User
from bots.models import Version
from engine.points.sheet import totals
from kit.verify.verifier import verify
from tests.factories.bots import judge, new_bot
from tests.factories.games import played
from tests.factories.results import accepted_pairs, delivery, lease, play_all, play_one
from tests.factories.tournaments import created, entrants, form, running
from tournaments.events.brackets import current_bracket
from tournaments.events.creation import NewTournament, create_tournament
from tournaments.events.standings import tournament_standings
from tournaments.games.bundles import tournament_lines
from tournaments.games.claims import claim_next
from tournaments.games.results import accept_result
from tournaments.games.score_sheets import parts_of_games
from tournaments.models import Game, GameLuck, Pair, Pairing, Tournament
from tournaments.pages.events import meetings
from tournaments.pages.events.schedule import round_meetings
from tournaments.pairing.pairs import void_pair
from tournaments.pairing.progress import advance, cancel_tournament, start_tournament
from tournaments.pairing.sequential_tests import create_test
from tournaments.ratings.audit import audit_all
from tournaments.ratings.ratings import compute_ratings
from tournaments.tasks import sweep

pytestmark = pytest.mark.django_db


def page(client: Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200, path
    return " ".join(answer.content.decode().split())


@pytest.mark.any_database
def test_the_form_says_beforehand_how_many_games_it_will_be(
    client: Client, ada: User, trio: list[Version]
) -> None:
    client.force_login(ada)
    cases: list[tuple[dict[str, object], str]] = [
        ({}, "This is 12 games in 3 rounds"),
        ({"cycles": 2}, "This is 24 games in 6 rounds"),
        ({"format": "swiss"}, "This is 8 games in 2 rounds"),
        ({"format": "single-elimination"}, "at most 8 games in 2 rounds"),
        ({"format": "gauntlet"}, "Choose the bot that plays all the others."),
        ({"format": "swiss", "rounds": 9}, "With 3 entrants, a Swiss has 1 to 3 rounds. You asked for 9."),
        ({"match": "points"}, "Enter the number of points."),
        ({"match": "points", "target": 9}, "not scored in points"),
        ({"variant": "russian-bank", "match": "points"}, "This is about 24 games in 3 rounds"),
        ({"variant": "crapette", "match": "deals", "target": 2}, "This is about 12 games in 3 rounds"),
        ({"versions": []}, "at least two bots"),
    ]
    for changes, said in cases:
        sent = form(trio, **{"name": "", "pairs": 2, **changes})
        answer = client.post("/tournaments/new/estimate/", sent)
        assert said in " ".join(answer.content.decode().split())


def test_the_form_makes_an_event_or_refuses_it_in_a_sentence(
    client: Client, ada: User, trio: list[Version]
) -> None:
    client.force_login(ada)
    refused: list[tuple[dict[str, object], str]] = [
        ({"versions": []}, "Choose at least two bots."),
        ({"name": "ab"}, "Ensure this value has at least 3 characters (it has 2)."),
        ({"pairs": 0}, "Ensure this value is greater than or equal to 1."),
        ({"players": 3}, "2 seats, not 3"),
        ({"players": 4, "variant": "crapette"}, "at least 4 bots"),
        ({"players": "many"}, "Select a valid choice. many is not one of the available choices."),
    ]
    for changes, sentence in refused:
        answer = client.post("/tournaments/new/", form(trio, **changes))
        assert answer.status_code == 422
        assert sentence in answer.content.decode()
    assert not Tournament.objects.exists()
    for changes in ({"format": "gauntlet", "challenger": trio[2].pk}, {"variant": "crapette", "players": 3}):
        client.post("/tournaments/new/", form(trio, **changes))
    gauntlet, three = Tournament.objects.order_by("pk")
    for cup in (gauntlet, three):
        advance(cup.pk)
    assert [pairing.first.version for pairing in gauntlet.pairings.all()] == [trio[2]] * 2
    assert (three.status, three.players, three.bank_ms) == ("running", 3, 60_000)
    assert [game.seats.count() for game in three.games.all()] == [3, 3, 3]


def test_an_open_tournament_is_entered_and_left_on_its_page_and_starts_by_itself(
    client: Client, ada: User, bob: User
) -> None:
    client.force_login(ada)
    client.post("/tournaments/new/", form(entrants(ada, 1), format="swiss", registration=60))
    cup = Tournament.objects.get()
    his = new_bot(bob, "his bot")
    judge(his, True, boards=["crapaud"])
    client.force_login(bob)
    option = f'<option value="{his.pk}">his bot v1</option>'
    assert option in page(client, cup.get_absolute_url())
    Tournament.objects.update(variant="vitesse")  # which it does not play
    assert option not in page(client, cup.get_absolute_url())
    Tournament.objects.update(variant=cup.variant)

    client.post(f"/tournaments/{cup.slug}/join/", {"version": his.pk})
    client.post(f"/tournaments/{cup.slug}/leave/2/")
    client.post(f"/tournaments/{cup.slug}/leave/1/")  # not his to take out
    assert [entry.version.bot.owner for entry in cup.entries.all()] == [ada]
    client.post(f"/tournaments/{cup.slug}/join/", {"version": his.pk})

    Tournament.objects.update(registration_until=timezone.now() - timedelta(seconds=1))
    sweep()
    cup.refresh_from_db()
    assert (cup.status, cup.rounds, cup.entries.count()) == ("running", 1, 2)


@pytest.mark.any_database
@pytest.mark.parametrize(
    ("more", "labels"),
    [({}, [""]), ({"format": "groups", "options": GroupRule(2, 1).as_options()}, ["A", "B"])],
)
def test_who_sits_out_a_round_of_an_odd_number_is_named(
    ada: User, more: dict[str, Any], labels: list[str]
) -> None:
    """Of six in two groups of three, one of each; everybody once."""
    cup = running(ada, entrants(ada, 3 * len(labels)), pairs=1, **more)
    out = [one for number in (1, 2, 3) for one in round_meetings(cup, number) if one.state == "bye"]
    assert sorted(one.label for one in out) == sorted(labels * 3)
    assert len({one.sides[0].text for one in out}) == 3 * len(labels)
    Pairing.objects.filter(tournament=cup, round=1).update(hidden=True)
    assert round_meetings(cup, 1) == []


def test_a_pair_is_voided_and_an_event_cancelled_by_the_owner_alone(
    client: Client, ada: User, bob: User, trio: list[Version]
) -> None:
    cup = running(ada, trio[:2], pairs=1)
    play_all(cup)
    pair = Pair.objects.get()
    path, action = (f"{cup.get_absolute_url()}{part}" for part in (f"pairs/{pair.pk}/void/", "action/"))
    client.force_login(bob)
    assert client.post(path, {"reason": "because"}).status_code == 403
    client.force_login(ada)
    client.post(path, {"reason": " "})
    assert Pair.objects.get().status == "accepted"
    client.post(path, {"reason": "the host slept"})
    assert [one.status for one in Pair.objects.order_by("run")] == ["void", "queued"]
    shown = page(client, f"/tournaments/{cup.slug}/meeting/1/2/")
    assert "void: the host slept" in shown
    assert "run 2" in shown
    cup.refresh_from_db()
    assert cup.status == "running"

    client.force_login(bob)
    shown = page(client, cup.get_absolute_url())
    assert cup.seed_commitment in shown
    assert cup.seed not in shown
    assert client.post(action, {"action": "cancel"}).status_code == 403
    client.force_login(ada)
    assert client.post(action, {"action": "explode"}).status_code == 400
    client.post(action, {"action": "cancel"})
    shown = page(client, cup.get_absolute_url())
    assert "Cancelled. Results so far are kept, and no more games are played." in shown
    assert cup.seed in shown, "which is revealed now"
    fragment = page(client, f"{cup.get_absolute_url()}live/")
    assert 'data-status="cancelled"' in fragment
    assert "<html" not in fragment


def test_two_against_each_other_are_seen_from_either_side(
    client: Client, ada: User, trio: list[Version]
) -> None:
    cup = running(ada, trio[:2], pairs=3)
    for seat in (0, 0, 0, 0, 0, 1):  # each wins from the first seat, and the last pair is won by one of them
        play_one(seat=seat, left=[0, 10][:: 1 - 2 * seat])
    first, second = cup.entries.order_by("number")
    one, other = first.version.bot, second.version.bot
    for path in (f"/tournaments/{cup.slug}/meeting/1/2/", f"/head-to-head/{one.slug}/{other.slug}/"):
        shown = page(client, path)
        assert '<td class="num opt">3</td>' in shown
        assert "too few pairs" in shown
        assert 'class="split-bar"' in shown
    assert client.get(f"/tournaments/{cup.slug}/meeting/1/1/").status_code == 404
    assert "They have not met" in page(client, f"/head-to-head/{one.slug}/{trio[2].bot.slug}/")
    picture, turned = (meetings.of_entries(cup, *both).picture for both in ((first, second), (second, first)))
    assert sum(part.pairs for part in picture) == 3
    assert sum(part.width for part in picture) == pytest.approx(100)
    assert {(4 - part.half_points, part.pairs) for part in turned} == {
        (part.half_points, part.pairs) for part in picture
    }


def test_a_test_shows_its_verdict_in_a_sentence_its_evidence_as_a_curve_and_the_other_verdicts(
    client: Client, ada: User, trio: list[Version]
) -> None:
    test = create_test(ada, (trio[0].pk, trio[1].pk), Hypotheses(0, 100), pairs=4)
    start_tournament(test)
    assert "No pair is finished yet" in page(client, test.get_absolute_url())
    play_all(test)
    shown = page(client, test.get_absolute_url())
    assert f"Undecided: after 4 pairs it is still open whether {trio[0]} against {trio[1]} is" in shown
    assert 'class="chart__line chart__line--first"' in shown
    assert shown.count('class="chart__bound"') == 2
    assert "The table has the log-likelihood ratios" in shown
    assert "Who is better?" in shown
    assert "LOS" in shown


@pytest.mark.any_database
def test_a_test_ends_by_margins_without_luck_if_its_owner_chose_so(
    client: Client, ada: User, trio: list[Version]
) -> None:
    pairs = FIRST_MARGINS + 4
    test = create_test(ada, (trio[0].pk, trio[1].pk), Hypotheses(0, 150), pairs=pairs, ended_by="margins")
    start_tournament(test)
    play_all(test)
    # All pairs are played, but their luck is not measured yet: what may end the test has not been heard.
    assert test.status == "running"
    page(client, test.get_absolute_url())
    games = list(Game.objects.filter(tournament=test, status="finished"))
    GameLuck.objects.bulk_create(
        GameLuck(game=one, version=1, reveals=0, deal_result=0, deal_margin=0, cards_result=0, cards_margin=0)
        for one in games
    )
    Pair.objects.filter(pairing__tournament=test).update(margin=F("number") % 3 + 4, score=2)
    advance(test.pk)
    test.refresh_from_db()
    assert test.status == "finished"
    assert test.options["verdict"]["decision"] == "H0", "by wins, which count for nothing here"
    assert test.options["verdict"]["ended"] == "H1"
    assert test.note.startswith(
        f"Accepted by luck-adjusted margins after {FIRST_MARGINS} pairs. Margins are not wins. By wins: "
    )
    shown = page(client, test.get_absolute_url())
    assert f"Accepted after {FIRST_MARGINS} pairs by luck-adjusted margins" in shown
    assert "a bot can lead on margins without winning more games" in shown


def test_a_test_is_asked_for_in_a_form_that_says_how_long_it_will_be_and_how_often_undecided(
    client: Client, ada: User, trio: list[Version]
) -> None:
    client.force_login(ada)
    assert "New version" in page(client, f"/tournaments/test/?bot={trio[0].bot.slug}")
    asked = {"tested": trio[0].pk, "against": trio[1].pk, "variant": "crapaud", "risk": 0.05, "pairs": 500}
    asked |= {"elo0": 0, "elo1": 20}

    def estimated(**changes: object) -> str:
        return client.post("/tournaments/test/estimate/", asked | changes).content.decode()

    assert "439" in estimated()
    assert "63 %" in estimated()
    assert "The upper bound must be above the lower one, by at least 0.5." in estimated(elo1=-5)
    assert "Enter a number" in estimated(elo1="x")
    asked |= {"unit": "normalised", "stop_by": "results", "pairs": 10}
    answer = client.post("/tournaments/test/", asked | {"against": trio[0].pk})
    assert "A version can enter only once." in answer.content.decode()
    client.post("/tournaments/test/", asked)
    made = Tournament.objects.get()
    assert (made.format, made.options["normalised"], made.options["stop_by"]) == ("sprt", True, "results")


def match(owner: User, rule: MatchRule, count: int = 2, **more: Any) -> Tournament:
    versions, options = entrants(owner, count), rule.as_options()
    tournament = created(owner, versions, name="Match", variant="crapette", options=options, **more)
    start_tournament(tournament)
    return tournament


def play_pair(tournament: Tournament, first: int, second: int, *, more: bool = True) -> None:
    """Play the next pair: what the two entrants make in each of its games; `more` plans what comes next."""
    for leg in (0, 1):
        held = lease()
        points = [first, second] if leg == 0 else [second, first]
        accept_result(held, delivery(held.game, seat=int(points[1] > points[0]), points=points))
    if more:
        advance(tournament.pk)
    tournament.refresh_from_db()


def test_a_match_continues_to_its_target_and_a_voided_pair_is_played_again(ada: User) -> None:
    cup = match(ada, MatchRule("points", 50, most=9))
    pairing = Pairing.objects.get()
    play_pair(cup, 10, 5)
    play_pair(cup, 15, 20)
    pairing.refresh_from_db()
    assert (pairing.pairs_planned, pairing.points_first, pairing.points_second) == (3, 50, 50)
    assert (cup.status, pairing.match) == ("running", "")  # level at the target

    play_pair(cup, 1, 2)
    pairing.refresh_from_db()
    assert (cup.status, pairing.match, pairing.points_second) == ("finished", "second", 54)
    best, other = tournament_standings(cup)
    assert (best.entry.pk, best.row.points, best.row.wins, best.row.margin) == (pairing.second_id, 1, 1, 2)
    assert (other.row.points, other.row.losses, other.row.games) == (0, 1, 1)

    void_pair(Pair.objects.get(number=2), "the host was ill")
    pairing.refresh_from_db()
    cup.refresh_from_db()
    assert (cup.status, pairing.match, pairing.points_first) == ("running", "", 20)
    play_pair(cup, 25, 0)  # the second pair again: won after it, the third no longer counts
    pairing.refresh_from_db()
    assert (cup.status, pairing.match) == ("finished", "first")
    assert (pairing.points_first, pairing.points_second, pairing.pairs_done) == (70, 10, 3)
    compute_ratings("crapette")
    assert audit_all()["crapette"] == []


def test_matches_decide_every_format_and_a_drawn_one_goes_to_the_better_seed(ada: User, bob: User) -> None:
    cup = match(ada, MatchRule("deals", 1, most=2), 3, format="swiss")
    while cup.status == "running":
        play_pair(cup, 9, 0)
    assert [one.row.points for one in tournament_standings(cup)] == [2, 0.5, 0.5]

    cup = match(bob, MatchRule("points", 10, most=2), 2, format="single-elimination")
    play_pair(cup, 5, 5)
    assert cup.status == "running"
    play_pair(cup, 5, 5)
    pairing = cup.pairings.get()
    assert (cup.status, pairing.match, pairing.pairs_planned) == ("finished", "drawn", 2)
    entries = list(cup.entries.order_by("number"))
    assert current_bracket(cup, entries).state.champion == entries[0].pk


def test_the_deals_of_a_round_stay_secret_while_a_match_may_need_them(ada: User) -> None:
    cup = match(ada, MatchRule("points", 50, most=9), 3)
    for _ in range(3):
        play_pair(cup, 10, 0, more=False)
    lines = [json.loads(line) for line in tournament_lines(cup)]
    assert [line["seed"] for line in lines if line["kind"] == "batch"] == [None] * 4


def test_a_cancelled_match_does_not_count_and_variants_without_points_have_no_matches(ada: User) -> None:
    cup = match(ada, MatchRule("points", 50, most=9), 3)
    play_pair(cup, 10, 0)
    cancel_tournament(cup)
    assert accepted_pairs(cup) == 1
    assert {one.row.games for one in tournament_standings(cup)} == {0}
    keys = tuple(cup.entries.values_list("version", flat=True))
    wish = NewTournament("None", keys, variant="crapo", options=MatchRule("points", 50, 9).as_options())
    with pytest.raises(InvalidTournament) as caught:
        create_tournament(wish, ada)
    assert caught.value.field == "match"


def test_the_bundle_of_matches_proves_the_sheet_and_the_winners(client: Client, ada: User) -> None:
    cup = match(ada, MatchRule("points", 60, most=6), 3)
    while (held := claim_next("a worker")) is not None:
        accept_result(held, played(held.game, plies=40))
        if Pair.objects.filter(status="accepted").count() == 1 and not Pair.objects.filter(status="void"):
            void_pair(Pair.objects.get(status="accepted"), "the host was ill")
        advance(cup.pk)
    cup.refresh_from_db()
    assert cup.status == "finished"
    bundle = b"".join(tournament_lines(cup))
    assert list(map(str, verify(io.BytesIO(bundle))[0])) == []

    best = Pairing.objects.exclude(match="")[0]
    page = " ".join(
        client.get(f"/tournaments/{cup.slug}/match/{best.round}/{best.table}/").content.decode().split()
    )
    assert f"won by {abs(best.points_first - best.points_second)} point" in page
    for path in ("", "rounds/", f"meeting/{best.first.number}/{best.second.number}/"):  # type: ignore[union-attr]
        linked = client.get(f"/tournaments/{cup.slug}/{path}?round={best.round}").content.decode()
        assert f'href="/tournaments/{cup.slug}/match/{best.round}/{best.table}/"' in linked
    games = list(Game.objects.filter(pair__pairing=best, pair__status="accepted"))
    found = parts_of_games([game.pk for game in games])
    for game in games:
        assert list(totals(found[game.pk])) == game.result.points
        assert f'href="{game.get_absolute_url()}"' in page
    assert {part.name for own in found.values() for side in own for part in side} <= {
        "half",
        "emptied",
        "foundations",
    }

    lines = bundle.splitlines()
    number, line = next(
        (number, json.loads(line)) for number, line in enumerate(lines) if b'"kind":"pairing"' in line
    )
    line["points"][0] += 1
    line["match"] = "second" if line["match"] == "first" else "first"
    del line["digests"]
    lines[number] = canonical(add_digests(line))
    said = "\n".join(map(str, verify(io.BytesIO(b"\n".join(lines) + b"\n"))[0]))
    assert f"round 1, table 1: points: expected {[line['points'][0] - 1, line['points'][1]]}" in said
    assert "round 1, table 1: match: expected" in said
