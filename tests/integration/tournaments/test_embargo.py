"""Hidden results: an event goes on by them, no address tells them, and a reveal tells them all."""

import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from difflib import unified_diff
from itertools import product
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from analysis.errors import WrongStatus
from arena.accounts.models import User
from arena.web import worker_messages
from arena.web.cache import values as kept
from bots.models import Bot, Version
from tests.api import undone
from tests.factories.accounts import author, sign_in_operator, token
from tests.factories.results import accept_result, delivery, lease, play_all, play_one
from tests.factories.series import event_of, league
from tests.factories.tournaments import rivals, running
from tests.fuzz import addresses
from tests.shelves import clear_shelves
from tests.thinking import analysis_beside_a_download
from tournaments import live_updates as events
from tournaments.events.registration import clone_tournament
from tournaments.events.standings import tournament_standings
from tournaments.games.bundles import revealed_seeds
from tournaments.games.claims import claim
from tournaments.games.records import snapshot
from tournaments.models import (
    Game,
    HiddenResults,
    Pair,
    Pairing,
    Rating,
    RatingState,
    Result,
    Tournament,
    VoidRequest,
)
from tournaments.models.embargo import EVERY_ROUND, seeing_hidden
from tournaments.pairing.embargo import Hiding, hide_if_due
from tournaments.pairing.hidden_results_reveal import LONGEST, reveal, reveal_due, reveal_next
from tournaments.pairing.progress import cancel_tournament, start_tournament
from tournaments.ratings.ratings import compute_ratings

pytestmark = pytest.mark.django_db


ALL, LAST = Hiding(EVERY_ROUND), Hiding(last_rounds=1)


def cup(
    hiding: Hiding = ALL, bots: int = 3, *, among: list[Version] | None = None, **wish: Any
) -> Tournament:
    """A house event with hidden results that has been started; it is rated."""
    return running(None, among or rivals(bots), hiding=hiding, **{"pairs": 1, **wish})


def places(tournament: Tournament) -> list[tuple[int, float, int]]:
    """The table as this reader sees it: entry, points, games."""
    return [(one.entry.pk, one.row.points, one.row.games) for one in tournament_standings(tournament)]


def requested() -> int:
    return sum(RatingState.objects.values_list("requested", flat=True))


def begins_now() -> None:
    HiddenResults.objects.update(since=timezone.now())


def soon() -> datetime:
    return timezone.now() + timedelta(hours=1)


def test_an_event_is_paired_and_played_by_its_hidden_results() -> None:
    tournament = cup(Hiding(last_rounds=2), 4, format="swiss", rounds=3)
    play_all(tournament)
    assert set(tournament.pairings.values_list("round", flat=True)) == {1}
    with seeing_hidden():
        assert set(tournament.pairings.values_list("round", flat=True)) == {1, 2, 3}
        final = places(tournament)
    assert tournament.status == Tournament.Status.RUNNING, "its end would name a winner"
    assert {games for *_, games in places(tournament)} == {2}
    reveal(tournament)
    tournament.refresh_from_db()
    assert tournament.status == Tournament.Status.FINISHED
    assert places(tournament) == final
    with pytest.raises(WrongStatus):
        reveal(tournament)


def test_hidden_games_count_for_ratings_once_they_are_revealed() -> None:
    tournament = cup(LAST, 4)
    play_all(tournament)
    assert compute_ratings("crapaud")
    assert sum(Rating.objects.values_list("games", flat=True)) == 2 * 8
    before = requested()
    with seeing_hidden():
        assert not compute_ratings("crapaud"), "whoever asks, ratings are of what is shown"
    reveal(tournament)
    assert requested() == before + 1
    assert compute_ratings("crapaud")
    assert sum(Rating.objects.values_list("games", flat=True)) == 2 * 12

    # A pair that was begun again in the moment of the reveal slipped through: it is counted once shown.
    with seeing_hidden():
        Game.objects.update(hidden=True)
    reveal_due()
    assert (Result.objects.count(), requested()) == (12, before + 2)
    reveal_due()
    assert requested() == before + 2, "there is nothing left to show"


def test_results_are_revealed_when_it_is_time_or_all_is_over() -> None:
    versions = rivals(3)
    at_the_end = cup(Hiding(EVERY_ROUND, ending="end"), among=versions)
    play_all(at_the_end)
    assert at_the_end.status == Tournament.Status.FINISHED

    timed = cup(Hiding(EVERY_ROUND, ending="time", reveal_at=soon()), among=versions)
    play_one()
    reveal_due()
    assert not timed.pairings.exists()
    HiddenResults.objects.filter(tournament=timed).update(reveal_at=timezone.now())
    reveal_due()
    assert timed.pairings.count() == 3

    forgotten = cup(among=versions)
    play_all(forgotten)
    reveal_due()
    assert forgotten.status == Tournament.Status.RUNNING
    long_ago = timezone.now() - LONGEST - timedelta(minutes=1)
    HiddenResults.objects.filter(tournament=forgotten).update(played_at=long_ago)
    reveal_due()
    forgotten.refresh_from_db()
    assert forgotten.status == Tournament.Status.FINISHED


def test_from_a_set_time_on_new_meetings_are_hidden_and_what_was_begun_plays_on() -> None:
    tournament = cup(Hiding(since=soon()))
    first = play_one()
    begins_now()
    play_all(tournament)
    begun = Game.objects.get(pk=first.game).pair.pairing_id
    assert set(Game.objects.values_list("pair__pairing", flat=True)) == {begun}
    with seeing_hidden():
        assert Game.objects.filter(status=Game.Status.FINISHED).count() == 6


def test_the_seed_of_a_round_is_secret_while_hidden_games_of_it_wait() -> None:
    tournament = cup(Hiding(since=soon()), 4)
    play_one(), play_one()
    claim(Game.objects.get(pair__pairing__round=2, pair__pairing__table=1, leg=0), "a worker")
    begins_now()
    claim(Game.objects.get(pair__pairing__round=1, pair__pairing__table=2, leg=0), "a worker")
    assert revealed_seeds(tournament, {1}) == {1: None}, "remote bots would know its cards"


def test_news_of_a_hidden_game_reaches_nobody_and_one_that_is_revealed_meanwhile_ends_in_public(
    monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    told: list[object] = []
    sent: list[str] = []
    for name in ("publish_changed", "publish_finished", "publish_begun"):
        monkeypatch.setattr(events, name, lambda *what: told.extend(what))
    monkeypatch.setattr(worker_messages._Carrier, "carrier", lambda task, *_: sent.append(task))
    tournament = cup()
    with django_capture_on_commit_callbacks(execute=True):
        play_one()
    assert told == []
    claimed = lease()
    with seeing_hidden():
        assert claimed.game_row().hidden
        assert snapshot(str(claimed.game), -1, -1) is not None
    assert snapshot(str(claimed.game), -1, -1) is None, "nor do sockets know of it"
    reveal(tournament)
    told.clear()
    crashed = delivery(claimed.game, seat=1, termination="crash")
    crashed.result.update(seat=0)  # type: ignore[attr-defined]
    with django_capture_on_commit_callbacks(execute=True):
        accept_result(claimed, crashed)
    assert claimed.game in told
    assert "tournaments.bench" in sent


def test_cancelling_reveals_what_was_played_and_a_copy_hides_the_same_rounds() -> None:
    tournament = cup(Hiding(EVERY_ROUND, organiser_sees=True))
    copied = HiddenResults.objects.get(tournament=clone_tournament(tournament, None))
    assert (copied.last_rounds, copied.organiser_sees) == (EVERY_ROUND, True)
    play_one()
    cancel_tournament(tournament, "Rain.")
    assert Result.objects.count() == 1


CHANGING = re.compile(
    r'csrfmiddlewaretoken" value="\w+"|data-token="\w+"|nonce[-=]"?[\w+/=-]+|"X-CSRFToken": "\w+"'
    r"|(\d+|an?)\s\w+ ago|\bnow\b"
)
"""What differs between two answers to the same question."""
STILL = re.compile(
    r"/(accounts/(?!data)|docs|rules|manual|glossary|kit|static|words|offline|health|metrics|worker"
    r"|api/docs|api/openapi|how-it-works|language|learn)"
)

"""Addresses that no game of a tournament can reach, and those that measure the process."""


def page(address: str, client: Client | None = None) -> str:
    clear_shelves()
    return (client or Client()).get(address).content.decode()


def page_of(event: Tournament, place: str = "") -> str:
    return page(f"{event.get_absolute_url()}{place}")


@seeing_hidden()
def hidden_games() -> list[Game]:
    return list(Game.objects.filter(hidden=True).order_by("order"))


@seeing_hidden()
def turn_around(tournament: Tournament) -> None:
    """Give every hidden game to the other side, in different figures, and all that was worked out from it."""
    for result in Result.objects.filter(game__tournament=tournament, game__hidden=True):
        result.ranking, result.left = result.ranking[::-1], result.left[::-1]
        result.points, result.plies, result.turns = result.points[::-1], result.plies + 777, 333
        result.termination, result.culprit = "timeout", 1
        result.save()
    for pairing in Pairing.objects.filter(tournament=tournament, hidden=True):
        pairing.wins, pairing.losses = pairing.losses + 1, pairing.wins + 1
        pairing.penta_0, pairing.penta_4 = pairing.penta_4 + 1, pairing.penta_0
        pairing.margin_sum = -pairing.margin_sum - 5
        pairing.save()
        pairing.pairs.update(score=4, margin=99.0)


def named(values: Mapping[str, list[str]], name: str, path: str) -> list[str]:
    """What is tried for a name of an address: events where events are, bots where bots are."""
    if name == "slug" and "/series/" in path:
        return values["series"]
    if name == "slug":
        return values["event" if "/tournaments/" in path and "bot-panel" not in path else "bot"]
    return values.get(name, [])


def everything(
    clients: Mapping[str, tuple[Client, str]], values: Mapping[str, list[str]]
) -> dict[tuple[str, str], str]:
    """What every address of the site answers, by reader and path."""
    paths = [
        address.path % dict(zip(address.names, chosen, strict=True))
        for address in addresses()
        if address.own and not STILL.match(address.path)
        for chosen in product(*(named(values, name, address.path) for name in address.names))
    ]
    found = {}
    for who, (client, where) in clients.items():
        for path in paths:
            if not re.match(where, path):
                continue
            clear_shelves()
            kept.forget_all()
            cache.clear()
            with undone():
                answer = client.get(path)
                if not answer.streaming:
                    body = answer.content
                elif getattr(answer, "is_async", False):  # a stream of news, which never ends
                    answer.close()
                    continue
                else:
                    with analysis_beside_a_download():
                        body = b"".join(answer)
            found[who, path] = CHANGING.sub("", body.decode("utf-8", "replace")) + str(answer.status_code)
    return found


def _differences(before: Mapping[tuple[str, str], str], after: Mapping[tuple[str, str], str]) -> str:
    return "\n".join(
        f"{key}: {line[:300]}"
        for key in before
        for line in unified_diff(before[key].splitlines(), after[key].splitlines(), n=0)
        if before[key] != after[key]
    )


def readers(owner: User, organiser: User) -> dict[str, tuple[Client, str]]:
    """Who reads, and where they see something of their own."""
    of_owner, of_organiser = Client(), Client()
    of_owner.force_login(owner)
    of_organiser.force_login(organiser)
    return {
        "nobody": (Client(), "/"),
        "owner": (of_owner, "/(tournaments|series|bots|accounts|games/.*/)"),
        "organiser": (of_organiser, "/(tournaments/(?!bot-panel)|series)"),
        "token": (Client(headers={"authorization": f"Bearer {token(owner)}"}), "/api"),
    }


def test_no_address_tells_a_hidden_result_to_anybody(monkeypatch: pytest.MonkeyPatch) -> None:
    versions, organiser = rivals(4), author("organiser")
    owner = versions[0].bot.owner
    assert owner is not None
    series = league(organiser, planned=1)
    tournament = event_of(series, versions, hiding=LAST, name="Cup")
    start_tournament(tournament)
    play_all(tournament)
    play_all(running(None, versions, pairs=1, name="Open"))
    compute_ratings("crapaud")
    hidden = hidden_games()
    assert len(hidden) == 4
    with seeing_hidden():
        meeting = Pairing.objects.filter(hidden=True).order_by("table")[0]
        pair = Pair.objects.get(pairing=meeting)
    game, one = str(hidden[0].pk), versions[0].bot.slug
    values = {
        "event": [tournament.slug],
        "series": [series.slug],
        "change": ["close"],
        "one": [one, "1"],
        "other": [versions[3].bot.slug, "4"],
        "number": [str(meeting.round)],
        "round": [str(meeting.round)],
        "table": ["1"],
        "variant": ["crapaud"],
        "players": ["2"],
        "game_id": [game],
        "game": [game],
        "pair_id": [str(pair.pk)],
        "pair": [str(pair.pk)],
        "bot": [one],
        "seat": ["0"],
    }
    now = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now)
    clients = readers(owner, organiser)
    before = everything(clients, values)
    with undone():
        turn_around(tournament)
        after = everything(clients, values)
        HiddenResults.objects.update(revealed_at=now)
        with seeing_hidden():
            Pairing.objects.update(hidden=False)
            Game.objects.update(hidden=False)
        shown = everything({"nobody": (clients["nobody"][0], "/(games|tournaments)")}, values)

    differing = [key for key in before if before[key] != after[key]]
    assert not differing, _differences(before, after)
    keys = [str(one.pk) for one in hidden]
    assert not [(*at, key) for at, body in before.items() for key in keys if key in body and key not in at[1]]
    # The same walk finds the results in many places once they are shown, or it could not have failed.
    assert len([key for key in shown if shown[key] != before[key]]) > 10


def test_places_are_revealed_from_the_bottom_one_at_a_time() -> None:
    tournament = cup(LAST, 4)
    with pytest.raises(WrongStatus):
        reveal_next(tournament, 0)
    play_all(tournament)
    with seeing_hidden():
        final = [one.entry.version.bot.name for one in tournament_standings(tournament)]
    for step in range(4):
        told = re.findall(r'class="reveal__who" href="[^"]*">([^<]*)', page_of(tournament, "reveal/"))
        assert (told, bool(hidden_games())) == (final[len(final) - step :], True)
        for _ in range(2 if step < 3 else 1):  # pressed twice
            reveal_next(tournament, step)
    assert not hidden_games()


def test_only_the_organiser_reveals_and_sees_the_hidden_table_if_the_event_says_so() -> None:
    organiser = author("organiser")
    versions, hiding = rivals(3), Hiding(EVERY_ROUND, organiser_sees=True)
    tournament = running(organiser, versions, pairs=1, hiding=hiding)
    play_all(tournament)
    address = f"{tournament.get_absolute_url()}reveal/"
    client = Client()
    client.force_login(author("stranger"))
    assert "for your eyes only" not in page(address, client)
    assert client.post(f"{address}now/").status_code == 403
    # Staff see the hidden table of events of the house alone.
    client.force_login(author("staff", is_staff=True))
    of_house = running(None, versions, pairs=1, hiding=hiding, name="House cup")
    for event in (tournament, of_house):
        shown = page(f"{event.get_absolute_url()}reveal/", client)
        assert "Reveal everything" in shown
        assert ("for your eyes only" in shown) is (event == of_house)
    client.force_login(organiser)
    assert "for your eyes only" in page(address, client)
    assert client.post(f"{address}now/").status_code == 302
    assert not Game.objects.filter(tournament=tournament, hidden=True).exists()


def test_a_hidden_pair_that_is_stuck_is_said_to_be_and_operators_void_none_of_their_own_bots() -> None:
    event = cup()
    with seeing_hidden():
        pair = Pair.objects.select_related("pairing").order_by("pk")[0]
        Pair.objects.filter(pk=pair.pk).update(status=Pair.Status.STUCK)
        Game.objects.filter(pair=pair).update(status=Game.Status.VOID)
        bot = Bot.objects.filter(pk=pair.pairing.first.version.bot_id)
    assert "1 pair could not be played because of a problem on our side" in page_of(event)
    VoidRequest.objects.create(pair=pair, asked_by=author("bob"), evidence="the host failed")
    assert event.slug not in page("/integrity/")

    client, address = Client(), "/admin/tournaments/pair/"
    chief = sign_in_operator(client)
    for whose, status in ((chief, Pair.Status.STUCK), (bot.get().owner, Pair.Status.VOID)):
        bot.update(owner=whose)
        client.post(address, {"action": "void_and_rerun", "_selected_action": [pair.pk]})
        with seeing_hidden():
            assert Pair.objects.get(pk=pair.pk).status == status
    with seeing_hidden():
        assert Pair.objects.filter(number=pair.number, pairing=pair.pairing, run=2).exists()
    reveal(event)
    assert event.slug in page("/integrity/")


def test_operators_see_hidden_games_but_not_how_they_ended() -> None:
    cup()
    game = str(play_one().game)
    client, tables = Client(), "/admin/tournaments/"
    sign_in_operator(client)
    assert game in page(f"{tables}game/", client)
    assert "a worker" in page(f"{tables}attempt/", client)
    for table in ("result", "record", "evidence", "pairing", "seat"):
        assert game not in page(f"{tables}{table}/", client)
    for table in ("result", "record", "evidence"):
        assert client.get(f"{tables}{table}/{game}/change/").status_code == 302


def test_a_game_that_was_made_while_its_meeting_was_being_hidden_is_hidden_as_well() -> None:
    cup(Hiding(since=soon()))
    Pairing.objects.update(hidden=True)  # by a claim that saw none of these games
    begins_now()
    claimed = lease()
    with seeing_hidden():
        assert Game.objects.get(pk=claimed.game).hidden
        assert not Game.objects.filter(hidden=False).exclude(status=Game.Status.QUEUED).exists()
    reveal_due()
    assert not Game.objects.exists()


def test_a_claim_that_waited_for_a_reveal_hides_nothing() -> None:
    tournament = cup(Hiding(since=soon()))
    begins_now()
    game = Game.objects.select_related("pair", "tournament__hidden_results").filter(leg=0)[0]
    reveal(tournament)
    hide_if_due(game)
    assert not game.hidden
    with seeing_hidden():
        assert not Pairing.objects.filter(hidden=True).exists()
