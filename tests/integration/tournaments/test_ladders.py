"""Ladders of every board: there from the first start, idle until somebody comes, with those who play it."""

import json
from typing import Any

import pytest
from django.conf import settings

from arena.accounts.models import User
from arena.run.embedded.first_tasks import take_up_work
from arena.web import worker_messages
from bots import activation, bots
from bots.house_bots import register_house_bots
from bots.models import Bot, Version
from engine.boards import BOARDS
from tests.factories.bots import accepted_bot
from tests.factories.bundles import differences, download, downloaded, play_really
from tests.factories.results import accept_result, delivery, group_delivery
from tests.factories.tournaments import rivals
from tournaments import tasks
from tournaments.games.claims import claim_next
from tournaments.models import Game, Pair, Rating, Result, Tournament
from tournaments.pairing.progress import advance
from tournaments.ratings.audit import audit_all
from tournaments.ratings.ladder import ensure_ladder, ensure_ladders
from tournaments.ratings.leaderboards import ladder_slug
from tournaments.ratings.ratings import compute_ratings

pytestmark = pytest.mark.django_db


@pytest.fixture
def house() -> None:
    register_house_bots()


def ladder_of(board: str) -> Tournament:
    return Tournament.objects.get(slug=ladder_slug(board))


def look() -> None:
    """Let every ladder bring its field up to date and make games."""
    for ladder in Tournament.objects.filter(format="ladder"):
        advance(ladder.pk)


def play(ladder: Tournament, games: int) -> int:
    """Play up to so many games of a ladder with invented ends; how many there were."""
    Game.objects.exclude(tournament=ladder).delete()
    deliver = delivery if ladder.players == 2 else group_delivery
    for played in range(games):
        found = claim_next("a worker")
        if found is None:
            return played
        accept_result(found, deliver(found.game))
        advance(ladder.pk)
    return games


def test_every_board_has_a_ladder_and_the_first_alone_plays(house: None) -> None:
    assert take_up_work().endswith("10 ladders started; 2 tournaments running")
    assert ensure_ladders() == 0
    Game.objects.exclude(tournament__format="ladder").delete()
    look()
    assert set(Game.objects.values_list("tournament__slug", flat=True)) == {"ladder-crapaud"}
    # The house bots are on all of them, so that the first newcomer has opponents at once.
    assert all(ladder_of(board).entries.filter(version__bot__slug="greedy").exists() for board in BOARDS)
    assert {ladder_of(f"crapette/{seats}").players for seats in (3, 4)} == {3, 4}
    # A house bot that was registered before a game was added plays it.
    greedy = Bot.objects.get(slug="greedy").active_version
    assert greedy is not None
    greedy.trials.filter(board="crapo").delete()
    register_house_bots()
    assert Version.objects.playing("crapo").filter(pk=greedy.pk).exists()


def test_a_bot_enters_ladders_it_passed_for(house: None, ada: User) -> None:
    ensure_ladders()
    look()
    version = accepted_bot(ada, "Two games", boards=("crapo", "crapette/3"))
    look()
    entered = set(Tournament.objects.filter(entries__version=version).values_list("slug", flat=True))
    assert entered == {"ladder-crapo", "ladder-crapette-3"}
    assert set(Game.objects.values_list("tournament__slug", flat=True)) == entered
    # Without it they are idle again, and make no more games.
    Pair.objects.all().delete()
    Game.objects.all().delete()
    bots.withdraw_bot(version.bot)
    look()
    assert not Game.objects.exists()


def test_a_change_of_the_field_is_told_to_the_ladders(
    ada: User, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    ensure_ladders()
    version = accepted_bot(ada, "Coming and going", boards=("crapo",))
    sent: list[str] = []
    monkeypatch.setattr(worker_messages._Carrier, "carrier", lambda task, *_: sent.append(task))
    for change in (
        lambda: activation.activate_version(version),
        lambda: bots.withdraw_bot(version.bot),
        lambda: bots.restore_bot(version.bot),
        tasks.field_changed,
    ):
        sent.clear()
        with django_capture_on_commit_callbacks(execute=True):
            change()
        told = [*["tournaments.advance"] * len(BOARDS), "tournaments.compare"]
        assert sorted(sent) == (told if change is tasks.field_changed else ["tournaments.field_changed"])


@pytest.mark.any_database
def test_three_seats_have_a_ladder_and_ratings_of_their_own(house: None, ada: User, bob: User) -> None:
    seats, board = 3, "crapette/3"
    ensure_ladders()
    mine = [accepted_bot(ada, f"Ada {number}", boards=(board,)) for number in (1, 2)]
    his = accepted_bot(bob, "Bob's", boards=(board,))
    look()
    assert play(ladder_of(board), 3 * seats) == 3 * seats
    tables = [
        [seat.version.bot.owner_id for seat in game.seats.select_related("version__bot")]
        for game in ladder_of(board).games.all()
    ]
    assert {len(table) for table in tables} == {seats}
    # Two bots of one author never sit together; of the house as many as are needed.
    assert not any(table.count(ada.pk) > 1 for table in tables)
    compute_ratings("crapette")
    rated = Rating.objects.filter(variant=board)
    assert {one.pk for one in (*mine, his)} & set(rated.values_list("version", flat=True))
    assert not Rating.objects.filter(variant="crapette").exists()
    assert audit_all()["crapette"] == []


@pytest.mark.any_database
def test_a_ladder_plays_until_all_are_known_and_a_new_version_is_served_first(ada: User, bob: User) -> None:
    accepted_bot(ada, "A")
    accepted_bot(bob, "B")
    ladder = ensure_ladder("crapaud")
    assert ensure_ladder("crapaud") == ladder
    advance(ladder.pk)
    assert play(ladder, 16) == 16
    owners = {frozenset(seat.version.bot.owner_id for seat in one.seats.all()) for one in ladder.games.all()}
    assert owners == {frozenset((ada.pk, bob.pk))}
    compute_ratings("crapaud")
    assert [row.pairs for row in Rating.objects.filter(variant="crapaud")] == [8, 8]
    assert audit_all() == {"crapaud": []}

    newcomer = accepted_bot(ada, "Newcomer")
    advance(ladder.pk)
    # What waited before is played first: one pair more than games are played at once.
    play(ladder, 2 * (settings.GAMES_AT_ONCE + 1) + 8)
    assert Result.objects.filter(game__seats__version=newcomer).count() >= 7


def test_a_ladder_and_its_leaderboard_are_verified_also_while_its_ratings_are_behind() -> None:
    rivals(2)
    ladder = ensure_ladder("crapaud")
    advance(ladder.pk)
    play_really(ladder, 4)
    compute_ratings("crapaud")
    assert differences(downloaded(ladder)) == []
    ratings = download("/leaderboard/crapaud/bundle.jsonl")
    assert differences(ratings) == []
    forged = ratings.replace(b'"penta":[', b'"penta":[3', 1)
    assert any(one.startswith("line 4 (met") for one in differences(forged))
    play_really(ladder, 4)
    behind = download("/leaderboard/crapaud/bundle.jsonl")
    assert differences(behind) == []
    assert sum(sum(line["penta"]) for line in map(json.loads, behind.splitlines()) if "penta" in line) == 2
