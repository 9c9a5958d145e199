"""The threads that play: woken by a message, by one another, or by themselves; and what they meet."""

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator

import pytest
from django.db import OperationalError
from kombu.exceptions import OperationalError as BrokerAway

from arena.accounts.models import User
from arena.web import worker_messages
from arena.web.processes import shutdown
from bots.models import Version
from bots.playing.game_process import DeliveredGame
from tests.factories.games import played
from tests.factories.results import lease
from tests.factories.tournaments import running
from tournaments.games import play, slots
from tournaments.games.claims import renew
from tournaments.models import EventBatch
from tournaments.tasks import advance, play_game


@pytest.fixture
def stop() -> Iterator[threading.Event]:
    """The event that says that this process is about to stop; taken back after the test."""
    yield shutdown._stopping
    shutdown._stopping.clear()


class Queue:
    """Games that wait, and what the players did."""

    def __init__(self, games: int = 0) -> None:
        self.waiting = deque(range(games))
        self.played: list[int] = []
        self.looks = 0
        self.together = 0
        self._playing = 0
        self.hold = threading.Event()

    def play_next(self, claimed: Callable[[], None]) -> bool:
        """Play a game, if one waits, until `hold` is set."""
        self.looks += 1
        try:
            game = self.waiting.popleft()
        except IndexError:
            return False
        claimed()
        self._playing += 1
        self.together = max(self.together, self._playing)
        self.hold.wait(20)
        self._playing -= 1
        self.played.append(game)
        return True


def until(look: Callable[[], object], what: str) -> None:
    deadline = time.monotonic() + 30
    while not look():
        assert time.monotonic() < deadline, f"waited in vain for {what}"
        time.sleep(0.01)


def test_one_message_wakes_as_many_players_as_there_are_games(
    stop: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(slots, "LOOK_SECONDS", 60.0)
    queue = Queue()
    players = slots.GameSlots(3, queue.play_next)
    players.start()
    until(lambda: queue.looks == 1, "one to look and find nothing for all")
    queue.waiting.extend(range(10))
    play_game()
    until(lambda: queue.together == 3, "three games at once")
    queue.hold.set()
    until(lambda: len(queue.played) == 10, "all games")
    assert sorted(queue.played) == list(range(10))
    stop.set()
    assert players.stop(time.monotonic() + 20)


def test_as_many_messages_as_there_are_players_make_two_look_at_most(
    stop: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(slots, "LOOK_SECONDS", 60.0)
    queue, may = Queue(), threading.Event()

    def play_next(claimed: Callable[[], None]) -> bool:
        queue.looks += 1
        may.wait(20)
        return False

    players = slots.GameSlots(9, play_next)
    players.start()
    until(lambda: queue.looks, "one to look for all")
    for _ in range(9):
        players.wake()
    may.set()
    until(lambda: queue.looks == 2, "one to look once more")
    time.sleep(0.3)
    stop.set()
    assert players.stop(time.monotonic() + 20)
    assert queue.looks == 2


def test_a_game_whose_message_was_lost_is_found_and_an_idle_process_looks_once_a_second_not_once_a_player(
    stop: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(slots, "LOOK_SECONDS", 0.1)
    queue = Queue()
    queue.hold.set()
    players = slots.GameSlots(8, queue.play_next)
    players.start()
    until(lambda: queue.looks, "one to look and find nothing for all")
    before, begun = queue.looks, time.monotonic()
    time.sleep(1)
    assert queue.looks - before <= (time.monotonic() - begun) / 0.1 + 1
    queue.waiting.append(7)
    until(lambda: queue.played == [7], "the game to be found")
    stop.set()
    assert players.stop(time.monotonic() + 20)


def test_a_player_outlives_whatever_a_game_raises(
    stop: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(slots, "AFTER_TROUBLE_SECONDS", 0.01)
    troubles: list[Exception] = [OperationalError("the connection was lost"), RuntimeError("a bug")]
    games = Queue(1)
    games.hold.set()

    def play_next(claimed: Callable[[], None]) -> bool:
        if troubles:
            raise troubles.pop()
        return games.play_next(claimed)

    players = slots.GameSlots(1, play_next)
    players.start()
    until(lambda: games.played == [0], "the game after the troubles")
    assert players.dead() == 0
    stop.set()
    assert players.stop(time.monotonic() + 20)


@pytest.mark.django_db
def test_a_game_continues_while_the_database_is_away_and_its_events_are_stored_once(
    trio: list[Version], ada: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament = running(ada, trio)
    held = lease()
    whole = played(held.game, plies=24)
    answers = iter(("lost before", "", "lost after", "", ""))

    def unreliable(*arguments: object, **options: object) -> None:
        answer = next(answers)
        if answer == "lost before":
            raise OperationalError(answer)
        renew(*arguments, **options)  # type: ignore[arg-type]
        if answer:
            raise OperationalError(answer)

    def played_in_parts(*arguments: object, **_: object) -> DeliveredGame:
        news = arguments[-1]
        assert callable(news)
        told = 0
        for upto in (4, 6, 9, 12, 20):
            if news(upto, list(whole.events[told:upto])):
                told = upto
        stored = EventBatch.objects.filter(game=held.game).order_by("first_n")
        assert [(one.first_n, one.last_n) for one in stored] == [(0, 5), (6, 8), (9, 11), (12, 19)]
        return whole

    monkeypatch.setattr(play, "renew", unreliable)
    monkeypatch.setattr(play, "play", played_in_parts)
    result = play.play_attempt(held)
    assert result is not None
    assert result.game_id == held.game
    assert not EventBatch.objects.filter(game__tournament=tournament).exists()


def test_a_message_without_a_broker_is_lost_and_does_not_block_its_sender(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def away(*_: object, **__: object) -> None:
        raise BrokerAway("connection refused")

    monkeypatch.setattr(worker_messages.broker(), "send_task", away)
    worker_messages.send("tournaments.advance", 7)
    assert "no broker took a message of tournaments.advance: connection refused" in caplog.text


def test_a_task_that_a_restart_of_the_database_breaks_off_is_sent_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    answers = iter((OperationalError("server closed the connection"), None))
    seen: list[int] = []

    def work(tournament: int) -> None:
        seen.append(tournament)
        answer = next(answers)
        if answer is not None:
            raise answer

    monkeypatch.setattr("tournaments.pairing.progress.advance", work)
    advance.apply(args=(7,), retries=0)
    assert seen == [7, 7]


def test_threads_above_the_limit_neither_play_nor_take_a_bell_from_the_others(stop: threading.Event) -> None:
    players: list[str] = []

    def play_next(claimed: Callable[[], None]) -> bool:
        players.append(threading.current_thread().name)
        return False

    threads = slots.GameSlots(4, play_next, most=lambda: 1)
    threads.start()
    for _ in range(20):
        threads.wake()
        time.sleep(0.02)
    stop.set()
    assert threads.stop(time.monotonic() + 10)
    assert set(players) == {"game slot 0"}
    assert len(players) >= 5
