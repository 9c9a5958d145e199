"""Formats, registration, tests, two against each other, the queue: what their pages say and do."""

from datetime import timedelta
from typing import Any

import pytest
from django.db.models import F
from django.test import Client
from django.utils import timezone

from analysis.formats.groups import GroupRule
from analysis.verdicts.sequential import FIRST_MARGINS
from analysis.verdicts.sprt import Hypotheses
from arena.accounts.models import User
from bots.models import Version
from tests.factories.bots import judge, new_bot
from tests.factories.ratings import rating
from tests.factories.results import play_all, play_one
from tests.factories.tournaments import entrants, form, running
from tournaments.models import Game, GameLuck, Pair, Pairing, RatingPoint, Tournament
from tournaments.pages.events.schedule import round_meetings
from tournaments.pairing.progress import advance, start_tournament
from tournaments.pairing.sequential_tests import create_test
from tournaments.tasks import sweep

pytestmark = pytest.mark.django_db


def page(client: Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200, path
    return " ".join(answer.content.decode().split())


@pytest.mark.any_database
@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({}, "This is 12 games in 3 rounds"),
        ({"cycles": 2}, "This is 24 games in 6 rounds"),
        ({"format": "swiss"}, "This is 8 games in 2 rounds"),
        ({"format": "single-elimination"}, "at most 8 games in 2 rounds"),
        ({"format": "gauntlet"}, "Choose the bot that plays all the others."),
        ({"format": "swiss", "rounds": 9}, "With 3 entrants, a Swiss has 1 to 3 rounds. You asked for 9."),
        ({"match": "points"}, "Enter the number of points."),
        ({"match": "points", "target": 9}, "not scored in points"),
        (
            {"variant": "russian-bank", "match": "points"},
            "This is about 24 games in 3 rounds",
        ),
        ({"variant": "crapette", "match": "deals", "target": 2}, "This is about 12 games in 3 rounds"),
        ({"versions": []}, "at least two bots"),
    ],
)
def test_the_form_says_beforehand_how_many_games_it_will_be(
    client: Client, ada: User, trio: list[Version], changes: dict[str, object], said: str
) -> None:
    client.force_login(ada)
    answer = client.post("/tournaments/new/estimate/", form(trio, **{"name": "", "pairs": 2, **changes}))
    assert said in " ".join(answer.content.decode().split())


def test_a_gauntlet_is_played_by_the_challenger_chosen_in_the_form(
    client: Client, ada: User, trio: list[Version]
) -> None:
    client.force_login(ada)
    client.post("/tournaments/new/", form(trio, format="gauntlet", challenger=trio[2].pk))
    cup = Tournament.objects.get()
    advance(cup.pk)
    assert [pairing.first.version for pairing in cup.pairings.all()] == [trio[2]] * 2


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


def test_a_pair_is_voided_with_a_public_reason_by_the_owner_alone(
    client: Client, ada: User, bob: User, trio: list[Version]
) -> None:
    cup = running(ada, trio[:2], pairs=1)
    play_all(cup)
    pair = Pair.objects.get()
    path = f"/tournaments/{cup.slug}/pairs/{pair.pk}/void/"
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


def test_two_against_each_other_are_seen_from_either_side(
    client: Client, ada: User, trio: list[Version]
) -> None:
    cup = running(ada, trio[:2], pairs=3)
    for _ in range(6):
        play_one(seat=0, left=[0, 10])
    one, other = (entry.version.bot for entry in cup.entries.order_by("number"))
    for path in (f"/tournaments/{cup.slug}/meeting/1/2/", f"/head-to-head/{one.slug}/{other.slug}/"):
        shown = page(client, path)
        assert '<td class="num opt">3</td> <td class="num">0.500</td>' in shown
        assert "too few pairs" in shown
    assert client.get(f"/tournaments/{cup.slug}/meeting/1/1/").status_code == 404
    assert "They have not met" in page(client, f"/head-to-head/{one.slug}/{trio[2].bot.slug}/")


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


def test_a_test_is_asked_for_in_a_form_that_knows_the_bots_versions(
    client: Client, ada: User, trio: list[Version]
) -> None:
    client.force_login(ada)
    assert "New version" in page(client, f"/tournaments/test/?bot={trio[0].bot.slug}")
    same = {"tested": trio[0].pk, "against": trio[0].pk, "variant": "crapaud"}
    limits = {"elo0": 0, "elo1": 20, "risk": 0.05, "pairs": 10, "unit": "normalised", "stop_by": "results"}
    answer = client.post("/tournaments/test/", {**same, **limits})
    assert "A version can enter only once." in answer.content.decode()
    client.post("/tournaments/test/", {**same, **limits, "against": trio[1].pk})
    made = Tournament.objects.get()
    assert (made.format, made.options["normalised"], made.options["stop_by"]) == ("sprt", True, "results")


def test_the_form_of_a_test_says_how_long_it_will_be_and_how_often_undecided(
    client: Client, ada: User, trio: list[Version]
) -> None:
    client.force_login(ada)
    form = {"tested": trio[0].pk, "against": trio[1].pk, "variant": "crapaud", "risk": 0.05}
    ends = {"elo0": 0, "elo1": 20, "pairs": 500}
    shown = client.post("/tournaments/test/estimate/", {**form, **ends}).content.decode()
    assert "439" in shown
    assert "63 %" in shown
    shown = client.post("/tournaments/test/estimate/", {**form, **ends, "elo1": -5}).content.decode()
    assert "The upper bound must be above the lower one, by at least 0.5." in shown
    answer = client.post("/tournaments/test/estimate/", {**form, **ends, "elo1": "x"})
    assert "Enter a number" in answer.content.decode()


def test_the_history_of_a_rating_follows_the_versions_of_a_bot(
    client: Client, ada: User, trio: list[Version]
) -> None:
    now = timezone.now()
    rating(trio[0], error=20, games=9)
    for hours, elo in ((3, 1400), (2, 1450), (1, 1500)):
        RatingPoint.objects.create(
            version=trio[0], variant="crapaud", at=now - timedelta(hours=hours), elo=elo, error=20, games=9
        )
    shown = page(client, f"/tournaments/bot-panel/{trio[0].bot.slug}/")
    assert "Rating in Crapaud" in shown
    assert 'class="chart__line chart__line--first"' in shown
    assert "1361 to 1439" in shown
    assert "1461 to 1539" in shown
