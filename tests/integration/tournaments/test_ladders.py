"""Ladders of every board: there from the first start, idle until somebody comes, with those who play it."""

import pytest
from django.test import Client
from django.utils.html import escape
from pytest_django import DjangoCaptureOnCommitCallbacks

from arena.accounts.models import User
from arena.run.embedded.first_tasks import take_up_work
from arena.web import worker_messages
from bots import activation, bots
from bots.house_bots import register_house_bots
from bots.models import Bot, Version
from engine.boards import BOARDS, board_title
from tests.factories.bots import accepted_bot
from tests.factories.results import group_delivery
from tournaments import tasks
from tournaments.games.claims import claim_next
from tournaments.games.results import accept_result
from tournaments.models import Game, Pair, Rating, Seat, Tournament
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


def test_every_board_has_a_ladder_from_the_first_start_and_only_the_first_plays_alone(house: None) -> None:
    assert take_up_work().endswith("10 ladders started; 2 tournaments running")
    assert "ladder" not in take_up_work()
    assert ensure_ladders() == 0
    Game.objects.exclude(tournament__format="ladder").delete()
    look()
    with_games = set(Game.objects.values_list("tournament__slug", flat=True))
    assert with_games == {"ladder-crapaud"}
    # The house bots are on all of them, so that the first newcomer has opponents at once.
    assert all(ladder_of(board).entries.filter(version__bot__slug="greedy").exists() for board in BOARDS)
    assert {ladder_of(f"crapette/{seats}").players for seats in (3, 4)} == {3, 4}


def test_nobody_looks_at_an_idle_ladder_until_the_field_changes(
    house: None, ada: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    ensure_ladders()
    look()
    entered = accepted_bot(ada, "Somebody", boards=("crapaud",))
    look()
    Game.objects.all().delete()  # nobody waits for a game any more
    assert entered.trials.count() == 1
    sent: list[tuple[str, list[object]]] = []
    monkeypatch.setattr(
        worker_messages._Carrier, "carrier", lambda task, given, _: sent.append((task, given))
    )
    tasks.sweep()
    assert [given for task, given in sent if task == "tournaments.advance"] == [[ladder_of("crapaud").pk]]


def test_a_bot_enters_the_ladders_of_the_games_it_passed_and_no_other(house: None, ada: User) -> None:
    ensure_ladders()
    version = accepted_bot(ada, "Two games", boards=("crapo", "crapette/3"))
    look()
    entered = set(Tournament.objects.filter(entries__version=version).values_list("slug", flat=True))
    assert entered == {"ladder-crapo", "ladder-crapette-3"}
    waiting = set(Game.objects.values_list("tournament__slug", flat=True))
    assert waiting == entered
    # Without it they are idle again, and make no more games.
    Game.objects.all().delete()
    Pair.objects.all().delete()
    bots.withdraw_bot(version.bot)
    look()
    assert not Game.objects.exists()


@pytest.mark.parametrize("change", ["activate", "withdraw", "restore"])
def test_a_change_of_the_field_is_told_to_the_ladders(
    ada: User,
    change: str,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    ensure_ladders()
    version = accepted_bot(ada, "Coming and going", boards=("crapo",))
    if change == "restore":
        bots.withdraw_bot(version.bot)
    sent: list[str] = []
    monkeypatch.setattr(worker_messages._Carrier, "carrier", lambda task, *_: sent.append(task))
    with django_capture_on_commit_callbacks(execute=True):
        match change:
            case "activate":
                activation.activate_version(version)
            case "withdraw":
                bots.withdraw_bot(version.bot)
            case _:
                bots.restore_bot(version.bot)
    assert sent == ["tournaments.field_changed"]
    with django_capture_on_commit_callbacks(execute=True):
        tasks.field_changed()
    assert sorted(sent[1:]) == [*["tournaments.advance"] * len(BOARDS), "tournaments.compare"]


def play_groups(board: str, games: int) -> int:
    """Play so many games of several seats with invented ends; how many there were."""
    ladder = ladder_of(board)
    Game.objects.exclude(tournament=ladder).delete()
    for played in range(games):
        found = claim_next("a worker")
        if found is None:
            return played
        accept_result(found, group_delivery(found.game))
        advance(ladder.pk)
    return games


@pytest.mark.parametrize("seats", [3, 4])
@pytest.mark.any_database
def test_three_and_four_seats_have_ladders_and_ratings_of_their_own(
    house: None, ada: User, bob: User, seats: int
) -> None:
    board = f"crapette/{seats}"
    ensure_ladders()
    mine = [accepted_bot(ada, f"Ada {number}", boards=(board,)) for number in (1, 2)]
    his = accepted_bot(bob, "Bob's", boards=(board,))
    look()
    assert play_groups(board, 6 * seats) == 6 * seats
    tables = [
        [seat.version.bot.owner_id for seat in game.seats.select_related("version__bot")]
        for game in ladder_of(board).games.all()
    ]
    assert {len(table) for table in tables} == {seats}
    # Two bots of one author never sit together; of the house as many as are needed.
    assert not any(table.count(ada.pk) > 1 for table in tables)
    for pair in Pair.objects.filter(pairing__tournament=ladder_of(board), status="accepted"):
        for version in pair.pairing.entry_ids:
            seated = Seat.objects.filter(game__pair=pair, entry=version).values_list("seat", flat=True)
            assert sorted(seated) == list(range(seats))
    compute_ratings("crapette")
    rated = Rating.objects.filter(variant=board)
    assert {one.pk for one in (*mine, his)} <= set(rated.values_list("version", flat=True))
    assert not Rating.objects.filter(variant="crapette").exists()
    assert audit_all()["crapette"] == []


@pytest.mark.any_database
def test_the_pages_list_every_ladder_and_say_which_are_idle(house: None) -> None:
    ensure_ladder("crapaud", measures_house=True)
    ensure_ladders()
    look()
    page = Client().get("/tournaments/").content.decode()
    for board in BOARDS:
        assert f'href="/tournaments/{ladder_slug(board)}/">{escape(board_title(board))}</a>' in page
    assert page.count("Waiting for the first author’s bot") == len(BOARDS) - 1
    assert page.count(">idle</span>") == len(BOARDS) - 1
    ladder = Client().get("/tournaments/ladder-crapette-3/").content.decode()
    assert "This ladder is idle because only house bots are on it." in ladder
    board = Client().get("/leaderboard/crapette/3/").content.decode()
    assert "is idle because only house bots are on it." in board
    assert "Crapette, 4 seats" in board
    home = Client().get("/").content.decode()
    assert "Ladder: Crapaud" in home
    assert "Ladder: Russian Bank" not in home
    assert f"{len(BOARDS) - 1} ladders are resting" in " ".join(home.split())


def test_a_ladder_with_settled_ratings_is_called_idle_and_not_running(house: None) -> None:
    ladder = ensure_ladder("crapaud", measures_house=True)
    Tournament.objects.exclude(pk=ladder.pk).delete()

    queue = Client().get("/queue/").content.decode()
    assert "Idle: every rating is settled." in queue
    assert "All its games are running." not in queue
    home = " ".join(Client().get("/").content.decode().split())
    assert "No tournament is playing." in home
    assert "1 ladder is resting" in home


def test_a_house_bot_that_was_registered_before_a_game_was_added_plays_it(house: None) -> None:
    greedy = Bot.objects.get(slug="greedy").active_version
    assert greedy is not None
    greedy.trials.filter(board="crapo").delete()
    assert not Version.objects.playing("crapo").filter(pk=greedy.pk).exists()
    register_house_bots()
    assert Version.objects.playing("crapo").filter(pk=greedy.pk).exists()
