"""Matches to points: played pair after pair until they are won, and proved from their bundle."""

import io
import json
from typing import Any

import pytest
from django.test import Client

from analysis.bundle import add_digests
from analysis.errors import InvalidTournament
from analysis.event_log import canonical
from analysis.formats.matches import MatchRule
from arena.accounts.models import User
from engine.points.sheet import totals
from kit.verify.verifier import verify
from tests.factories.games import played
from tests.factories.results import accepted_pairs, delivery, lease
from tests.factories.tournaments import created, entrants
from tournaments.events.brackets import current_bracket
from tournaments.events.creation import NewTournament, create_tournament
from tournaments.events.standings import tournament_standings
from tournaments.games.bundles import tournament_lines
from tournaments.games.claims import claim_next
from tournaments.games.results import accept_result
from tournaments.games.score_sheets import parts_of_games
from tournaments.models import Game, Pair, Pairing, Tournament
from tournaments.pairing.pairs import void_pair
from tournaments.pairing.progress import advance, cancel_tournament, start_tournament
from tournaments.ratings.audit import audit_all
from tournaments.ratings.ratings import compute_ratings

pytestmark = pytest.mark.django_db


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
