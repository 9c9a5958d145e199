"""Forms of events and tests, registration, meetings, matches: what pages say, and what bundles prove."""

import io
import json
from datetime import timedelta
from typing import Any

import pytest
from django.db.models import F
from django.test import Client
from django.utils import timezone

from analysis.event_log import canonical
from analysis.formats.matches import MatchRule
from analysis.verdicts import sequential
from analysis.verdicts.sprt import Hypotheses
from analysis.verifiable_bundle import add_digests
from arena.accounts.models import User
from bots.models import Version
from kit.verify.verifier import verify
from tests.factories.bots import accepted_bot, judge, new_bot
from tests.factories.games import played
from tests.factories.results import accept_result, accepted_pairs, delivery, lease, play_all
from tests.factories.tournaments import created, entrants, form, running
from tournaments.events.estimates import seconds_a_game
from tournaments.events.standings import tournament_standings
from tournaments.games.bundles import tournament_lines
from tournaments.games.claims import claim_next
from tournaments.models import Game, GameLuck, Pair, Pairing, Tournament
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


def test_the_first_game_of_a_pair_is_not_taken_to_last_until_both_are_delivered(trio: list[Version]) -> None:
    play_all(running(None, trio[:2], pairs=1))
    now = timezone.now()
    for leg, seconds in enumerate((5, 2)):
        Game.objects.filter(leg=leg).update(started_at=now - timedelta(seconds=seconds), finished_at=now)
    assert seconds_a_game("crapaud") == 2


@pytest.mark.any_database
def test_the_form_makes_an_event_or_refuses_it(client: Client, ada: User, trio: list[Version]) -> None:
    client.force_login(ada)
    estimated: list[tuple[dict[str, object], str]] = [
        ({"cycles": 2}, "This is 24 games in 6 rounds"),
        ({"format": "swiss", "rounds": 9}, "With 3 entrants, a Swiss has 1 to 3 rounds. You asked for 9."),
        ({"variant": "crapette", "match": "deals", "target": 2}, "This is about 12 games in 3 rounds"),
    ]
    for changes, said in estimated:
        sent = form(trio, **{"name": "", "pairs": 2, **changes})
        answer = client.post("/tournaments/new/estimate/", sent)
        assert said in " ".join(answer.content.decode().split())
    assert client.post("/tournaments/new/", form(trio, players=3)).status_code == 422
    assert not Tournament.objects.exists()
    client.post("/tournaments/new/", form(trio, format="gauntlet", challenger=trio[2].pk))
    client.post("/tournaments/new/", form(trio, variant="crapette", players=3))
    gauntlet, three = Tournament.objects.order_by("pk")
    for cup in (gauntlet, three):
        advance(cup.pk)
    assert [pairing.first.version for pairing in gauntlet.pairings.all()] == [trio[2]] * 2
    assert [game.seats.count() for game in three.games.all()] == [3, 3, 3]


def test_an_open_event_is_entered_left_and_starts_by_itself(client: Client, ada: User, bob: User) -> None:
    client.force_login(ada)
    hers = entrants(ada, 2)
    client.post("/tournaments/new/", form(hers[:1], format="swiss", registration=60))
    cup = Tournament.objects.get()
    join = f"/tournaments/{cup.slug}/join/"
    his = new_bot(bob, "his bot")
    judge(his, True, boards=["crapaud"])
    client.force_login(bob)

    client.post(join, {"version": his.pk})
    client.post(f"/tournaments/{cup.slug}/leave/2/")
    client.post(f"/tournaments/{cup.slug}/leave/1/")  # not his to take out
    assert [entry.version.bot.owner for entry in cup.entries.all()] == [ada]
    for version in (his, his, hers[1]):  # once, and only his own
        client.post(join, {"version": version.pk})
    assert cup.entries.count() == 2

    Tournament.objects.update(registration_until=timezone.now() - timedelta(seconds=1))
    client.post(join, {"version": accepted_bot(bob, "Late").pk})
    sweep()
    cup.refresh_from_db()
    assert (cup.status, cup.rounds, cup.entries.count()) == ("running", 1, 2)


def test_the_owner_alone_voids_and_cancels(client: Client, ada: User, bob: User, trio: list[Version]) -> None:
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
    cup.refresh_from_db()
    assert cup.status == "running"

    client.force_login(bob)
    assert client.post(action, {"action": "cancel"}).status_code == 403
    client.force_login(ada)
    assert client.post(action, {"action": "explode"}).status_code == 400
    client.post(action, {"action": "cancel"})
    assert cup.seed in page(client, cup.get_absolute_url()), "which is revealed now"


@pytest.mark.any_database
def test_a_test_ends_by_margins_without_luck(
    ada: User, trio: list[Version], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sequential, "FIRST_MARGINS", 10)
    pairs = sequential.FIRST_MARGINS + 4
    test = create_test(ada, (trio[0].pk, trio[1].pk), Hypotheses(0, 150), pairs=pairs, ended_by="margins")
    start_tournament(test)
    play_all(test)
    # All pairs are played, but their luck is not measured yet: what may end the test has not been heard.
    assert test.status == "running"
    GameLuck.objects.bulk_create(
        GameLuck(game=one, version=1, reveals=0, deal_result=0, deal_margin=0, cards_result=0, cards_margin=0)
        for one in Game.objects.filter(tournament=test, status="finished")
    )
    Pair.objects.filter(pairing__tournament=test).update(margin=F("number") % 3 + 4, score=2)
    advance(test.pk)
    test.refresh_from_db()
    assert test.status == "finished"
    assert test.options["verdict"]["decision"] == "H0", "by wins, which count for nothing here"
    assert test.options["verdict"]["ended"] == "H1"
    void_pair(Pair.objects.get(number=2), "the host was ill")
    advance(test.pk)
    test.refresh_from_db()
    assert (test.status, test.note) == ("running", ""), "its verdict rested on that pair"


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

    void_pair(Pair.objects.get(number=2), "the host was ill")
    pairing.refresh_from_db()
    cup.refresh_from_db()
    assert (cup.status, pairing.match, pairing.points_first) == ("running", "", 20)
    play_pair(cup, 25, 0)  # the second pair again: won after it, the third no longer counts
    pairing.refresh_from_db()
    assert (cup.status, pairing.match) == ("finished", "first")
    compute_ratings("crapette")
    assert audit_all()["crapette"] == []


def test_a_cancelled_match_does_not_count_and_its_deals_are_secret_until_then(ada: User) -> None:
    cup = match(ada, MatchRule("points", 50, most=9), 3)
    for _ in range(3):
        play_pair(cup, 10, 0, more=False)
    lines = [json.loads(line) for line in tournament_lines(cup)]
    assert [line["seed"] for line in lines if line["kind"] == "batch"] == [None] * 4, "a match may need them"
    cancel_tournament(cup)
    assert accepted_pairs(cup) == 3
    assert {one.row.games for one in tournament_standings(cup)} == {0}


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
    shown = page(client, f"/tournaments/{cup.slug}/match/{best.round}/{best.table}/")
    assert f"won by {abs(best.points_first - best.points_second)} point" in shown

    lines = bundle.splitlines()
    number = next(number for number, line in enumerate(lines) if b'"kind":"pairing"' in line)
    line = json.loads(lines[number])
    line["points"][0] += 1
    line["match"] = "second" if line["match"] == "first" else "first"
    del line["digests"]
    lines[number] = canonical(add_digests(line))
    said = "\n".join(map(str, verify(io.BytesIO(b"\n".join(lines) + b"\n"))[0]))
    assert f"round 1, table 1: points: expected {[line['points'][0] - 1, line['points'][1]]}" in said
    assert "round 1, table 1: match: expected" in said
