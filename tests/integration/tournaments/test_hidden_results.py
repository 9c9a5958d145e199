"""Hidden results: nobody reads them before they are revealed, and the event goes on by them all the same."""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from difflib import unified_diff
from itertools import product
from typing import Any

import pytest
from django.core.cache import cache
from django.db import transaction
from django.test import Client
from django.utils import timezone

from analysis.errors import InvalidTournament, WrongStatus
from arena.web.cache import values as kept
from bots.models import Version
from tests.factories.accounts import author, token
from tests.factories.results import lease, play_all, play_one
from tests.factories.series import event_of, league
from tests.factories.tournaments import created, rivals, running
from tests.fuzz import addresses
from tests.shelves import clear_shelves
from tests.thinking import analysis_beside_a_download
from tournaments.events.registration import clone_tournament
from tournaments.events.standings import tournament_standings
from tournaments.games.records import snapshot
from tournaments.models import Game, HiddenResults, Pair, Pairing, Rating, Result, Seat, Tournament
from tournaments.models.embargo import EVERY_ROUND, as_shown, seeing_hidden
from tournaments.pairing.embargo import Hiding
from tournaments.pairing.progress import cancel_tournament, start_tournament
from tournaments.pairing.reveal import LONGEST, reveal, reveal_due, reveal_next
from tournaments.ratings.ratings import compute_ratings

pytestmark = pytest.mark.django_db

LAST = Hiding(last_rounds=1)
CHANGING = re.compile(
    r'csrfmiddlewaretoken" value="\w+"|data-token="\w+"|nonce[-=]"?[\w+/=-]+|"X-CSRFToken": "\w+"'
    r"|(\d+|an?)\s\w+ ago|\bnow\b"
)
"""What differs between two answers to the same question."""
STILL = re.compile(
    r"/(accounts/(?!data)|docs|rules|manual|glossary|kit|static|words|offline|health|metrics|worker)"
)
"""Addresses that no game of a tournament can reach, and those that measure the process."""


def cup(versions: list[Version] | None = None, hiding: Hiding = LAST, **wish: Any) -> Tournament:
    """A house event with hidden results that has been started; it is rated."""
    return running(None, versions or rivals(4), hiding=hiding, **{"pairs": 1, **wish})


def places(tournament: Tournament) -> list[tuple[int, float, int]]:
    """The table as this reader sees it: entry, points, games."""
    return [(one.entry.pk, one.row.points, one.row.games) for one in tournament_standings(tournament)]


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


@contextmanager
def undone() -> Iterator[None]:
    undo = RuntimeError()
    try:
        with transaction.atomic():
            yield
            raise undo
    except RuntimeError as error:
        if error is not undo:
            raise


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


def readers(owner: Any, organiser: Any) -> dict[str, tuple[Client, str]]:
    """Who reads, and where they see something of their own."""
    signed_in = "/(tournaments|series|bots|accounts|games/.*/)"
    clients = {
        "nobody": (Client(), "/"),
        "owner": (Client(), signed_in),
        "organiser": (Client(), "/(tournaments|series)"),
        "token": (Client(headers={"authorization": f"Bearer {token(owner)}"}), "/api"),
    }
    clients["owner"][0].force_login(owner)
    clients["organiser"][0].force_login(organiser)
    return clients


def test_no_address_tells_a_hidden_result_to_anybody(monkeypatch: pytest.MonkeyPatch) -> None:
    now = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now)
    versions, organiser = rivals(4), author("organiser")
    series = league(organiser, planned=1)
    tournament = event_of(series, versions, hiding=LAST, name="Cup")
    start_tournament(tournament)
    play_all(tournament)
    other = running(None, versions, pairs=1, name="Open")
    play_all(other)
    compute_ratings("crapaud")
    hidden = hidden_games()
    assert len(hidden) == 4
    owner = versions[0].bot.owner
    with seeing_hidden():
        meeting = Pairing.objects.filter(hidden=True).order_by("table")[0]
        pair = Pair.objects.get(pairing=meeting)
    values = {
        "event": [tournament.slug],
        "series": [series.slug],
        "change": ["close"],
        "one": [versions[0].bot.slug, "1"],
        "other": [versions[3].bot.slug, "4"],
        "number": [str(meeting.round)],
        "round": [str(meeting.round)],
        "table": ["1"],
        "variant": ["crapaud"],
        "players": ["2"],
        "game_id": [str(hidden[0].pk)],
        "game": [str(hidden[0].pk)],
        "pair_id": [str(pair.pk)],
        "pair": [str(pair.pk)],
        "bot": [versions[0].bot.slug],
        "seat": ["0"],
    }
    clients = readers(owner, organiser)
    before = everything(clients, values)
    with undone():
        turn_around(tournament)
        after = everything(clients, values)
        HiddenResults.objects.update(revealed_at=now)
        with seeing_hidden():
            Pairing.objects.update(hidden=False)
            Game.objects.update(hidden=False)
        shown = everything({"nobody": (clients["nobody"][0], "/(games|tournaments|api)")}, values)
    differing = [key for key in before if before[key] != after[key]]
    assert not differing, _differences(before, after)
    keys = [str(game.pk) for game in hidden]
    asked = [
        (*key, game) for key, body in before.items() for game in keys if game in body and game not in key[1]
    ]
    assert not asked
    # The same walk finds the results in many places once they are shown, or it could not have failed.
    assert len([key for key in shown if shown[key] != before[key]]) > 10


def test_sockets_know_nothing_of_a_hidden_game() -> None:
    cup()
    for _ in range(8):
        play_one()
    claimed = lease()
    with seeing_hidden():
        assert claimed.game_row().hidden
        assert snapshot(str(claimed.game), -1, -1) is not None
    assert snapshot(str(claimed.game), -1, -1) is None


def test_an_event_is_paired_and_played_by_its_hidden_results() -> None:
    tournament = cup(hiding=Hiding(last_rounds=2), format="swiss", rounds=3)
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


@pytest.mark.parametrize(("kind", "final"), [("single-elimination", 2), ("double-elimination", 4)])
def test_the_final_of_a_knock_out_can_be_hidden(kind: str, final: int) -> None:
    tournament = cup(hiding=LAST, format=kind, pairs=1)
    play_all(tournament)
    assert tournament.pairings.order_by("-round").first().round < final  # type: ignore[union-attr]
    with seeing_hidden():
        assert tournament.pairings.filter(hidden=True).exists()
    assert tournament.status == Tournament.Status.RUNNING


def test_hidden_games_count_for_ratings_once_they_are_revealed() -> None:
    tournament = cup()
    assert tournament.rated
    play_all(tournament)
    compute_ratings("crapaud")
    before = dict(Rating.objects.values_list("version", "games"))
    assert sum(before.values()) == 2 * 8
    with seeing_hidden():
        assert not compute_ratings("crapaud"), "whoever asks, ratings are of what is shown"
    reveal(tournament)
    assert compute_ratings("crapaud")
    assert sum(Rating.objects.values_list("games", flat=True)) == 2 * 12


def test_places_are_revealed_from_the_bottom_one_at_a_time() -> None:
    tournament = cup()
    with pytest.raises(WrongStatus):
        reveal_next(tournament, 0)
    play_all(tournament)
    with seeing_hidden():
        final = [one.entry.version.bot.name for one in tournament_standings(tournament)]
    page = f"/tournaments/{tournament.slug}/reveal/"
    client = Client()
    for step in range(3):
        told = re.findall(r'class="reveal__who" href="[^"]*">([^<]*)', client.get(page).content.decode())
        assert told == final[len(final) - step :]
        reveal_next(tournament, step)
        reveal_next(tournament, step)  # pressed twice
        assert HiddenResults.objects.get().places == step + 1
        assert all(game.hidden for game in hidden_games())
    reveal_next(tournament, 3)
    assert not hidden_games()
    told = re.findall(r'class="reveal__who" href="[^"]*">([^<]*)', client.get(page).content.decode())
    assert told == final


def test_results_are_revealed_when_it_is_time_or_all_is_over() -> None:
    versions, now = rivals(4), timezone.now()
    at_the_end = cup(versions, Hiding(EVERY_ROUND, ending="end"))
    play_all(at_the_end)
    assert at_the_end.status == Tournament.Status.FINISHED
    timed = cup(versions, Hiding(EVERY_ROUND, ending="time", reveal_at=now + timedelta(hours=1)))
    play_one()
    reveal_due()
    assert not timed.pairings.exists()
    HiddenResults.objects.filter(tournament=timed).update(reveal_at=now)
    reveal_due()
    assert timed.pairings.count() == 6
    play_all(timed)
    assert timed.status == Tournament.Status.FINISHED
    forgotten = cup(versions, Hiding(EVERY_ROUND))
    play_all(forgotten)
    reveal_due()
    assert forgotten.status == Tournament.Status.RUNNING
    HiddenResults.objects.filter(tournament=forgotten).update(played_at=now - LONGEST - timedelta(minutes=1))
    reveal_due()
    forgotten.refresh_from_db()
    assert forgotten.status == Tournament.Status.FINISHED


def test_from_a_set_time_on_new_meetings_are_hidden_and_those_begun_play_on() -> None:
    tournament = cup(hiding=Hiding(since=timezone.now() + timedelta(hours=1)))
    first = play_one()
    HiddenResults.objects.update(since=timezone.now())
    play_all(tournament)
    assert set(Game.objects.values_list("pair__pairing", flat=True)) == {
        Game.objects.get(pk=first.game).pair.pairing_id
    }
    assert Game.objects.filter(status=Game.Status.FINISHED).count() == 2
    with seeing_hidden():
        assert Game.objects.filter(status=Game.Status.FINISHED).count() == 12


def test_cancelling_reveals_what_was_played_and_a_pair_begun_again_stays_hidden() -> None:
    tournament = cup(hiding=Hiding(EVERY_ROUND))
    play_one()
    assert not Seat.objects.exists()
    with seeing_hidden():
        assert Seat.objects.exists()
        with as_shown():
            assert not Result.objects.exists()
    cancel_tournament(tournament, "Rain.")
    assert Result.objects.count() == 1
    assert not hidden_games()


def test_only_the_organiser_reveals_and_sees_the_hidden_table_if_the_event_says_so() -> None:
    organiser, stranger = author("organiser"), author("stranger")
    tournament = running(organiser, rivals(3), pairs=1, hiding=Hiding(EVERY_ROUND, organiser_sees=True))
    play_all(tournament)
    page, button = f"/tournaments/{tournament.slug}/reveal/", f"/tournaments/{tournament.slug}/reveal/now/"
    client = Client()
    client.force_login(stranger)
    assert "for your eyes only" not in client.get(page).content.decode()
    assert client.post(button).status_code == 403
    client.force_login(organiser)
    assert "for your eyes only" in client.get(page).content.decode()
    assert client.post(button, {"after": "many"}).status_code == 400
    assert client.post(button).status_code == 302
    assert not hidden_games()


def test_what_cannot_be_hidden_is_refused_in_a_sentence() -> None:
    versions, soon = rivals(2), timezone.now() + timedelta(hours=1)
    for hiding, field in (
        (Hiding(), "hide"),
        (Hiding(since=timezone.now()), "hide_from"),
        (Hiding(1, ending="time"), "reveal_at"),
        (Hiding(1, reveal_at=soon), "reveal_at"),
        (Hiding(since=soon, ending="time", reveal_at=soon), "reveal_at"),
    ):
        with pytest.raises(InvalidTournament) as refused:
            created(None, versions, hiding=hiding)
        assert refused.value.field == field
    with pytest.raises(InvalidTournament):
        created(None, versions, hiding=LAST, format="sprt")


def test_rounds_paired_after_a_set_time_are_hidden_and_earlier_byes_stay() -> None:
    later = timezone.now() + timedelta(hours=1)
    tournament = cup(rivals(3), Hiding(since=later), format="swiss", rounds=3)
    play_one()
    play_one()
    with_bye = places(tournament)
    HiddenResults.objects.update(since=timezone.now())
    play_all(tournament)
    assert places(tournament) == with_bye
    assert [(one.round, one.second is None) for one in tournament.pairings.all()] == [(1, False), (1, True)]


def test_a_copy_of_an_event_hides_the_same_rounds() -> None:
    copied = clone_tournament(cup(hiding=Hiding(2, organiser_sees=True)), None)
    assert HiddenResults.objects.filter(tournament=copied, last_rounds=2, organiser_sees=True).exists()
