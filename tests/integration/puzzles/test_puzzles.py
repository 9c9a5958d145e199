"""Puzzles on the site: found in finished games once, judged exactly, rated once, told only after a try."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from analysis.event_log import pack
from arena.accounts.models import User
from arena.run.analysis.worker import ANSWERS
from friendlies.puzzles import attempts, puzzle_searches
from friendlies.puzzles.attempts import first_try, next_for
from friendlies.puzzles.models import Attempt, Puzzle, Reading, Solver
from tests import thinking
from tests.factories.puzzles import RIGHT, WRONG, easy, game_with_a_puzzle
from tests.factories.results import play_one
from tests.factories.tournaments import rivals, running
from tournaments.models import Analysis, Game, Record
from tournaments.questions.worker import work_off

pytestmark = pytest.mark.django_db


def finished_game() -> Game:
    running(None, rivals(2), pairs=1, variant="crapette")
    played = game_with_a_puzzle()
    game = Game.objects.get(pk=play_one().game)
    events = [{"n": n, "type": "move", "move": word} for n, word in enumerate(played.words)]
    Record.objects.filter(game=game).update(data=pack(events))
    Game.objects.filter(pk=game.pk).update(start=played.start)
    return Game.objects.get(pk=game.pk)


def look() -> None:
    """What beat and an analysis process do now and then."""
    puzzle_searches.want_puzzles()
    work_off(ANSWERS)


def step(client: Client, puzzle: Puzzle, moves: object, **action: object) -> Any:
    body = json.dumps({"moves": moves, **action})
    return client.post(f"/puzzles/{puzzle.pk}/step/", body, content_type="application/json")


def answer(client: Client, puzzle: Puzzle, moves: list[str]) -> dict[str, Any]:
    said = thinking.post(client, f"/puzzles/{puzzle.pk}/answer/", {"moves": moves})
    assert said.status_code == 200, said.content
    told: dict[str, Any] = json.loads(said.content)
    return told


def test_a_game_is_read_once_and_keeps_one_puzzle_while_few_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    game = finished_game()
    waiting = easy()
    with monkeypatch.context() as few:
        few.setattr(puzzle_searches, "MOST_UNTRIED", 1)
        look()
        assert Puzzle.objects.get() == waiting
        Puzzle.objects.update(tried=1)
        look()
    puzzle = Puzzle.objects.exclude(pk=waiting.pk).get()
    expected = game_with_a_puzzle().puzzles[0]
    assert (puzzle.game, puzzle.ply, puzzle.position) == (game, expected.first, expected.position)
    puzzle.delete()
    look()
    assert Puzzle.objects.count() == 1, "it is not read again"
    Puzzle.objects.all().delete()
    Reading.objects.all().delete()
    Record.objects.update(data=pack([{"n": 0, "type": "move", "move": "t1-t1"}]))
    look()
    assert Reading.objects.get().game == game.pk, "a game that breaks off is passed over"
    assert not Puzzle.objects.exists()


def test_a_right_and_a_wrong_turn_are_told_apart_and_only_a_try_tells_the_rest(client: Client) -> None:
    puzzle = easy()
    page = client.get(puzzle.get_absolute_url()).content.decode()
    state = client.get(f"/puzzles/{puzzle.pk}/state.json").json()
    assert "h-d" not in page
    assert state.keys().isdisjoint({"solution", "played", "game"})
    right, wrong = answer(client, puzzle, RIGHT), answer(client, puzzle, WRONG)
    assert (right["wins"], wrong["wins"]) == (True, False)
    assert [event["move"] for event in wrong["reply"]] == ["draw", "h-d"]
    assert [event["move"] for event in wrong["solution"]] == RIGHT
    assert "rated" not in right
    assert not Attempt.objects.exists()


def test_what_is_no_turn_is_refused(client: Client) -> None:
    puzzle = easy()

    def status(moves: object) -> int:
        address = f"/puzzles/{puzzle.pk}/answer/"
        return client.post(address, {"moves": moves}, content_type="application/json").status_code

    for moves in (None, [1], ["nonsense"], ["t1-t1"], [*RIGHT, "draw"], ["draw"] * 301):
        assert step(client, puzzle, moves, do="move", move="draw").status_code == status(moves) == 400
    assert status(["draw"]) == 409, "it is not finished"
    assert not Analysis.objects.exists()


def test_the_first_try_alone_is_rated_and_moves_both_ratings(client: Client, ada: User) -> None:
    puzzle = easy()
    client.force_login(ada)
    told = answer(client, puzzle, WRONG)["rated"]
    again = answer(client, puzzle, RIGHT)["rated"]
    assert (told["first"], again["first"]) == (True, False)
    assert told["rating"] == again["rating"] < 1500
    assert told["change"] is None, "the first tries move a rating by hundreds: that is no loss of points"
    puzzle.refresh_from_db()
    solver = Solver.objects.get()
    assert (puzzle.tried, puzzle.solved, solver.tried, solver.solved) == (1, 0, 1, 0)
    assert puzzle.rating - 1500 == pytest.approx(1500 - solver.rating)
    assert puzzle.deviation < 350


def test_a_guests_first_try_counts_once_there_is_an_account(client: Client, ada: User) -> None:
    puzzle = easy()
    answer(client, puzzle, WRONG)
    answer(client, puzzle, RIGHT)
    assert not Attempt.objects.exists()
    client.force_login(ada)
    client.get("/puzzles/")
    client.get("/puzzles/")
    attempt = Attempt.objects.get()
    assert (attempt.solver_id, attempt.moves, attempt.solved) == (ada.pk, WRONG, False)


def test_a_try_told_twice_is_rated_once_and_the_next_puzzle_was_not_tried(client: Client, ada: User) -> None:
    rows = [easy(number) for number in range(2)]
    one, first = first_try(rows[0].pk, ada, RIGHT, solved=True)
    other, second = first_try(rows[0].pk, ada, WRONG, solved=False)
    assert (one.pk, first, second) == (other.pk, True, False)
    assert Solver.objects.get().solved == 1
    client.force_login(ada)
    assert client.get("/puzzles/next/").headers["Location"] == rows[1].get_absolute_url()
    first_try(rows[1].pk, ada, RIGHT, solved=True)
    assert next_for(ada) is None
    assert client.get("/puzzles/next/").headers["Location"] == "/puzzles/"


def test_a_day_keeps_its_puzzle_and_no_other_day_gets_it() -> None:
    rows = {easy(number).pk for number in range(2)}
    today = attempts.today()
    tomorrow = attempts.of_day((timezone.now() + timedelta(days=1)).date())
    assert attempts.today() == today
    assert {today and today.pk, tomorrow and tomorrow.pk} == rows
    assert attempts.of_day((timezone.now() + timedelta(days=2)).date()) is None
