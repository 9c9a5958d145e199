"""Vitesse on the site: real bots in ticks, results, ratings, proof, and who may enter."""

import io
import json
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

import engine
from analysis.errors import InvalidTournament
from analysis.event_log import canonical
from arena.accounts.models import User
from bots.house import SPARRING
from bots.models import Trial, Version
from kit.verify.verifier import verify
from tests.factories.accounts import author
from tests.factories.bots import accepted_bot, house_bots, judge, new_bot
from tests.factories.tournaments import running
from tests.integration.tournaments.test_verify import download
from tournaments.games import luck_measurement as luck
from tournaments.games.play import play_next
from tournaments.models import Game, GameLuck, Rating
from tournaments.pages.events.meetings import meeting_url
from tournaments.pairing.progress import advance
from tournaments.ratings.audit import audit_all
from tournaments.ratings.ladder import ensure_ladder, fill_ladder
from tournaments.ratings.ratings import compute_ratings

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.on_postgresql]


def differences(bundle: bytes) -> list[str]:
    return [str(finding) for finding in verify(io.BytesIO(bundle))[0]]


def test_a_tournament_in_ticks_is_played_rated_shown_and_verified(ada: User, client: Client) -> None:
    versions = house_bots("greedy", "planner")
    cup = running(None, versions, pairs=1, variant="vitesse")
    while play_next("a worker"):
        advance(cup.pk)
    cup.refresh_from_db()
    assert cup.status == "finished"
    for game in Game.objects.select_related("result"):
        assert game.result.termination in {"stop", "stall"}
        record = client.get(f"/games/{game.pk}/record.json").json()
        replayed = engine.TickGame(engine.TickPosition.parse(record["start"]))
        replayed.play([",".join(event["actions"]) for event in record["events"][:-1]])
        outcome = replayed.outcome()
        assert outcome is not None
        assert list(outcome.points) == game.result.points
        page = client.get(f"/games/{game.pk}/").content.decode()
        assert "Crapette vitesse" in page
        assert "Result without luck" not in page
        for analysis in ("values", "mistakes", "explore"):
            assert client.get(f"/games/{game.pk}/{analysis}.json").status_code in {404, 409}
    for game in Game.objects.select_related("result"):
        luck.measure_pair(game.pair_id)
        page = client.get(f"/games/{game.pk}/").content.decode()
        assert f"Luck of {game.luck.reveals} revealed cards" in page
        assert game.luck.reveals > 20
    first, second = GameLuck.objects.order_by("game__leg")
    assert (first.deal_result, first.deal_margin) == (second.deal_result, second.deal_margin)
    one, other = cup.entries.order_by("number")
    assert "No luck is subtracted here" not in client.get(meeting_url(cup, one, other)).content.decode()
    compute_ratings("vitesse")
    assert Rating.objects.filter(variant="vitesse", games=2).count() == 2
    for path in ("/leaderboard/vitesse/", f"/tournaments/{cup.slug}/", "/games/?variant=vitesse"):
        assert "Planner" in client.get(path).content.decode()
    assert audit_all() == {"vitesse": []}

    bundle = download(client, f"/tournaments/{cup.slug}/bundle.jsonl")
    assert differences(bundle) == []
    lines = bundle.splitlines(keepends=True)
    number = next(number for number, line in enumerate(lines) if b'"events"' in line)
    told: dict[str, Any] = json.loads(lines[number])
    tick = next(event for event in told["events"] if "wait" not in event["actions"])
    for changed, named in (
        ({"stall": tick["stall"] + 1}, f"event {tick['n']}: stall: expected {tick['stall']}, got"),
        ({"actions": ["stop", "stop"]}, f"event {tick['n']}: actions: expected {tick['actions']}, got"),
        ({"late": [0, 1]}, f"event {tick['n']}: actions[0] of a seat that was late: expected 'wait', got"),
    ):
        events = [event | changed if event is tick else event for event in told["events"]]
        lines[number] = canonical({**told, "events": events}) + b"\n"
        said = differences(b"".join(lines))
        assert any(named in one for one in said), (named, said)


def test_only_versions_that_answer_ticks_enter_where_both_act_at_once(ada: User) -> None:
    slow = new_bot(ada)
    judge(slow, True, boards=["crapaud"])
    Trial.objects.create(version=slow, board="vitesse", verdict=Trial.Verdict.LEFT_OUT, at=timezone.now())
    quick = house_bots("greedy", "random")
    with pytest.raises(InvalidTournament) as refused:
        running(ada, [slow, *quick], variant="vitesse")
    assert str(refused.value) == f"{slow} does not play Crapette vitesse, as its check showed."
    ladder = ensure_ladder("vitesse")
    fill_ladder(ladder)
    entered = {entry.version for entry in ladder.entries.all()}
    assert slow not in entered
    assert entered == set(Version.objects.playing("vitesse").exclude(bot__slug__in=SPARRING))
    assert not Game.objects.filter(tournament=ladder).exists()
    accepted_bot(author("carl"), "Quick")
    fill_ladder(ladder)
    assert Game.objects.filter(tournament=ladder).exists()
