"""Questions that take thought: shared, limited, dropped, answered by one worker at a time, or in depth."""

import threading
import time
import zlib
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from analysis import serving_guard
from analysis.errors import BrokenRecord
from analysis.ratings.inputs import FitInputs, intervals
from analysis.ratings.match_arrays import Match
from analysis.searches.deep import turns
from analysis.searches.deep.turns import Effort
from analysis.searches.what_if_games import branch
from arena.run.analysis import worker
from arena.run.analysis.worker import ANSWERS
from tests.factories.accounts import author
from tests.factories.results import lease, play_all, play_one
from tests.factories.tournaments import created, entrants, rivals, running
from tests.thinking import get
from tournaments import game_messages
from tournaments.games.bundles import tournament_lines
from tournaments.models import Analysis, Game, Pair
from tournaments.models.embargo import EVERY_ROUND, seeing_hidden
from tournaments.operation.operator_figures import analysis
from tournaments.pairing.embargo import Hiding
from tournaments.pairing.hidden_results_reveal import reveal
from tournaments.pairing.pairs import void_pair
from tournaments.pairing.progress import advance
from tournaments.questions import leases, requests
from tournaments.questions.event_ratings import NotRated, asked_by
from tournaments.questions.passage_limits import MOST_PLIES, Passage
from tournaments.questions.performances import performances
from tournaments.questions.question_types import FOR_DEPTH, FOR_THE_ARENA, WHEN_IDLE, Question, QuestionKind
from tournaments.questions.requests import Asker, Busy, ask
from tournaments.questions.worker import work_off, work_one

pytestmark = pytest.mark.usefixtures("no_counts")

ADA, BOB = Asker("user-1", "a"), Asker("user-2", "b")
WAITING = Analysis.Status.WAITING


@pytest.fixture
def answer_with(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Has questions of the kind "sum" answered by a function of the test."""

    def answer(function: Callable[[Any], Any], seconds: float = 10, *, together: bool = False) -> None:
        kind = QuestionKind(function, seconds, together=together)
        monkeypatch.setitem(worker.ANSWERS, "sum", kind)

    return answer


@pytest.fixture
def little(monkeypatch: pytest.MonkeyPatch) -> None:
    """Oracle thinks but little."""
    monkeypatch.setitem(turns.EFFORTS, 2, Effort(nodes=40, lines=4, games=20, told=20, solving=1000))


def question(number: int = 1, **more: int) -> Question:
    return Question("sum", {"number": number}, version=1, **more)


def depth(number: int) -> Question:
    return Question("deep", {"game": str(number)}, 1, FOR_DEPTH)


def later(row: Analysis, seconds: float) -> None:
    moved = {
        name: value - timedelta(seconds=seconds)
        for name in ("asked_at", "wanted_until", "lease_until", "finished_at")
        if (value := getattr(row, name)) is not None
    }
    Analysis.objects.filter(pk=row.pk).update(**moved)


def test_people_who_ask_the_same_question_share_one_stored_answer(db: None, answer_with: Any) -> None:
    calls: list[Any] = []

    def add(arguments: Any) -> dict[str, int]:
        calls.append(arguments)
        return {"sum": arguments["number"] + 1}

    answer_with(add)
    assert ask(question(), ADA).pk == ask(question(), BOB).pk
    assert work_off(worker.ANSWERS) == 1
    row = ask(question(), BOB)
    assert (row.status, zlib.decompress(bytes(row.answer or b""))) == ("done", b'{"sum":2}')
    assert (work_off(worker.ANSWERS), len(calls)) == (0, 1)


def test_a_search_ends_when_nobody_waits_for_it(db: None, answer_with: Any) -> None:
    answer_with(lambda _: 1)
    row = ask(question(), ADA)
    later(row, 11)
    assert work_off(worker.ANSWERS) == 0
    assert ask(question(), ADA).status == WAITING
    assert work_off(worker.ANSWERS) == 1, "who comes back is thought for again"
    later(ask(question(2), ADA), 2 * 3600)
    leases.sweep()
    assert Analysis.objects.get() == row
    row.refresh_from_db()
    later(row, 25 * 3600)
    leases.sweep()
    assert not Analysis.objects.exists()


def test_a_question_of_a_killed_worker_goes_to_others_until_it_is_given_up(db: None) -> None:
    expired = {"lease_until": timezone.now() - timedelta(seconds=1)}
    ask(question(), ADA)
    first = leases.claim("a", arena=False)
    assert first is not None
    assert leases.claim("b", arena=False) is None, "it is leased"
    Analysis.objects.update(**expired)
    second = leases.claim("b", arena=False)
    assert second is not None
    assert not leases.finish(first, answer="late")
    assert not leases.fail(first, Analysis.Cause.CRASH, "late")
    with pytest.raises(leases.Unwanted):
        leases.renew(first)
    assert leases.finish(second, answer="counts")
    assert zlib.decompress(bytes(Analysis.objects.get().answer or b"")) == b'"counts"'

    row = ask(question(2), ADA)
    for _ in range(leases.ATTEMPTS):
        assert leases.claim("a", arena=False) is not None
        Analysis.objects.update(**expired)
    assert leases.claim("a", arena=False) is None
    row.refresh_from_db()
    assert (row.status, row.cause) == ("failed", "crash")
    assert ask(question(2), ADA).status == "failed"
    later(row, 61)
    assert ask(question(2), ADA).status == WAITING, "a minute later it is tried again"


def test_what_a_search_raises_concerns_its_question_alone(db: None, answer_with: Any) -> None:
    answer_with(lambda arguments: 1 // arguments["number"])
    ask(question(0), ADA)
    ask(question(1), ADA)
    assert work_off(worker.ANSWERS) == 2
    assert set(Analysis.objects.values_list("status", "cause")) == {("failed", "crash"), ("done", "")}

    def end(_: Any) -> None:
        raise SystemExit

    answer_with(end)
    row = ask(question(2), ADA)
    with pytest.raises(SystemExit):
        work_one("a", worker.ANSWERS)
    row.refresh_from_db()
    assert (row.status, row.attempts) == (WAITING, 0)


def test_the_first_questions_of_all_come_before_the_second_of_one(db: None) -> None:
    now = timezone.now()
    Analysis.objects.create(key="luck", kind="luck", rank=10, asked_at=now - timedelta(hours=1))
    asked = [ask(question(1), ADA), ask(question(2), ADA), ask(question(3), BOB)]
    order = [leases.claim("a", arena=True) for _ in range(4)]
    assert [row.pk for row in order if row] == [asked[0].pk, asked[2].pk, asked[1].pk, "luck"]
    assert leases.claim("a", arena=False) is None


def test_what_is_only_shown_waits_for_a_free_core_but_not_for_ever(db: None) -> None:
    requests.want([question(1, rank=WHEN_IDLE), question(2, rank=WHEN_IDLE), question(3, rank=FOR_THE_ARENA)])
    busy, free = leases.Patience(shown=worker.LONGEST_WAIT), leases.IMPATIENT
    for number, patience in ((3, busy), (1, free)):
        row = leases.claim("a", arena=True, patience=patience)
        assert row is not None
        assert row.arguments == {"number": number}
        assert leases.claim("b", arena=True, patience=busy) is None
    last = Analysis.objects.get(status=WAITING)
    later(last, worker.LONGEST_WAIT.total_seconds())
    assert leases.claim("a", arena=True, patience=busy) == last


def test_asking_too_much_says_how_long_to_wait(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(requests.AT_ONCE):
        ask(question(number), ADA)
    with pytest.raises(Busy, match="4 questions of yours") as busy:
        ask(question(9), ADA)
    assert busy.value.seconds == 2
    assert ask(question(1), ADA).status == WAITING, "what is asked already may be asked again"
    ask(question(9), BOB)
    Analysis.objects.update(status="done")
    monkeypatch.setattr(requests, "A_MINUTE", 1)
    with pytest.raises(Busy, match=r"asked for 1 analyses in the last minute\. Try again in \d+ s"):
        ask(question(10), BOB)
    assert ask(question(9), BOB).status == "done", "what is known is told however often"


def test_how_well_bots_did_is_worked_out_again_once_a_voided_pair_was_replayed(db: None) -> None:
    cup = running(None, rivals(2), pairs=1)
    best = []
    for winner in (0, 1):
        for leg in (0, 1):
            play_one(seat=(winner + leg) % 2)
        performances(cup, pairs=1)
        work_off(ANSWERS)
        found = performances(cup, pairs=1)
        assert found is not None
        best.append(max(found.rows, key=lambda entry: found.rows[entry][0]))
        void_pair(Pair.objects.get(status="accepted"), "the host slept")
    assert best[0] != best[1]


def test_games_in_depth_are_asked_for_one_at_a_time(db: None) -> None:
    row = ask(depth(1), ADA)
    with pytest.raises(Busy, match="another game for you"):
        ask(depth(2), ADA)
    assert requests.ahead(ask(depth(2), BOB)) == 1
    claimed = leases.claim("a", arena=False, deep=True)
    assert claimed is not None
    leases.report(claimed, 0.42)
    assert ask(depth(1), ADA).progress == 42
    wanted = Analysis.objects.filter(pk=row.pk)
    wanted.update(wanted_until=timezone.now() - timedelta(seconds=1))
    with pytest.raises(leases.Unwanted):
        leases.renew(claimed)
    leases.drop(claimed)
    assert not wanted.exists()
    # The last of them waits for long, and nothing is wrong; another question would have been answered.
    Analysis.objects.update(asked_at=timezone.now() - timedelta(hours=1))
    assert analysis()["ok"]
    Analysis.objects.update(rank=FOR_THE_ARENA)
    assert not analysis()["ok"]


@pytest.mark.on_postgresql
def test_questions_answered_together_are_tried_again_alone_if_one_fails(
    transactional_db: None, answer_with: Any
) -> None:
    tried: list[list[int]] = []

    def work(asked: Sequence[dict[str, int]]) -> None:
        numbers = sorted(one["number"] for one in asked)
        tried.append(numbers)
        if 3 in numbers:
            raise BrokenRecord("3")

    answer_with(work, together=True)
    requests.want([question(0, rank=FOR_THE_ARENA)])
    first = leases.claim("another", arena=True)
    assert first is not None
    requests.want(question(number, rank=FOR_THE_ARENA) for number in range(1, 5))
    assert work_off(worker.ANSWERS) == 5
    assert tried[0] == [1, 2, 3, 4]
    assert sorted(tried[1:]) == [[1], [2], [3], [4]]
    left = Analysis.objects.exclude(pk=first.pk).get()
    assert (left.arguments, left.status, left.cause, left.attempts) == ({"number": 3}, "failed", "record", 2)
    assert leases.finish(first), "what another was given it alone answers"
    assert Analysis.objects.get() == left


@pytest.mark.on_postgresql
def test_a_search_that_takes_too_long_or_is_not_wanted_ends_its_process(
    transactional_db: None, answer_with: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tournaments.questions.worker.WATCH_SECONDS", 0.05)
    ended: list[int] = []

    def search(arguments: Any) -> int:
        if arguments["number"] == 2:
            Analysis.objects.update(wanted_until=timezone.now() - timedelta(seconds=1))
        deadline = time.monotonic() + 20
        while len(ended) < arguments["number"] and time.monotonic() < deadline:
            time.sleep(0.02)
        return 1

    def end() -> None:
        ended.append(threading.get_ident())

    answer_with(search, seconds=0.2)
    row = ask(question(1), ADA)
    work_one("a", worker.ANSWERS, end=end)
    row.refresh_from_db()
    assert (row.status, row.cause, row.error) == ("failed", "time", "It took more than 0 seconds.")

    answer_with(search, seconds=60)
    ask(question(2), ADA)
    work_one("a", worker.ANSWERS, end=end)
    assert len(ended) == 2
    assert not Analysis.objects.filter(arguments={"number": 2}).exists()


@pytest.mark.django_db
def test_a_process_that_serves_pages_refuses_to_think_plans_no_tournament_and_fits_no_ratings(
    client: Client, django_capture_on_commit_callbacks: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada = author("ada")
    draft = created(ada, entrants(ada, 3))
    sent: list[tuple[str, list[Any]]] = []
    monkeypatch.setattr(game_messages, "send", lambda task, *given, **_: sent.append((task, list(given))))
    client.force_login(ada)
    thought = serving_guard.ThoughtWhereServing
    weighed = FitInputs(matches=(Match(1, 2, (0, 0, 1, 0, 1)),)).rate()
    serving_guard.forbid()
    try:
        with django_capture_on_commit_callbacks(execute=True):
            client.post(f"{draft.get_absolute_url()}action/", {"action": "start"})
        assert ((game_messages.ADVANCE, [draft.pk]) in sent, draft.pairings.exists()) == (True, False)
        thoughts = (lambda: branch("crapaud", [], []), lambda: advance(draft.pk), lambda: intervals(weighed))
        for think in thoughts:
            with pytest.raises(thought):
                think()
    finally:
        serving_guard.forbid(serves=False)
    advance(draft.pk)
    assert draft.pairings.count() == 3

    serving_guard.forbid()
    try:
        lines = tournament_lines(draft, asked_by(ADA))
        next(lines)
        waiting = Analysis.objects.get(kind="ratings", status=WAITING)
    finally:
        serving_guard.forbid(serves=False)
    # A download's last lines are an analysis process's; one that will never come ends it before its end.
    failed = {"status": Analysis.Status.FAILED, "cause": Analysis.Cause.CRASH, "finished_at": timezone.now()}
    Analysis.objects.filter(pk=waiting.pk).update(**failed)
    with pytest.raises(NotRated):
        list(lines)


@pytest.mark.usefixtures("little")
def test_a_game_is_judged_only_once_somebody_asks_here(greedy_game: Game, client: Client) -> None:
    address = f"/games/{greedy_game.pk}/deep.json"
    assert client.get(address).status_code == 204
    elsewhere = client.get(f"{address}?ask=1", headers={"Sec-Fetch-Site": "cross-site"})
    assert elsewhere.status_code == 403
    assert not Analysis.objects.exists()
    waiting = client.get(address, {"ask": "1"})
    assert (waiting.status_code, waiting.json()) == (202, {"waiting": True, "progress": 0, "ahead": 0})
    assert work_off(worker.ANSWERS, arena=True) == 0, "the other workers leave it alone"
    assert work_off(worker.ANSWERS, deep=True) == 1
    found = client.get(address)
    assert found.status_code == 200
    assert found.json()["game"] == str(greedy_game.pk)
    assert client.get(address, {"ask": "1"}).json() == found.json()


CROSS = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "image"}
PASSAGES = Analysis.objects.filter(kind="passage")


def page(game: Game, first: int, last: int) -> str:
    return f"/games/{game.pk}/passage/?first={first}&last={last}"


def picture(game: Game, first: int, last: int) -> str:
    return f"/games/{game.pk}/passage/{first}-{last}.gif"


def test_a_game_that_goes_on_has_no_passages_and_another_site_makes_nobody_ask_for_one(
    greedy_game: Game, client: Client
) -> None:
    for first, last in ((5, 4), (0, MOST_PLIES + 1), (10**6, 10**6)):
        assert client.get(page(greedy_game, first, last)).status_code == 422
        assert client.get(picture(greedy_game, first, last)).status_code == 404
    game = Game.objects.get(pk=lease().game)
    assert client.get(picture(game, 0, 1)).status_code == 409
    assert client.get(picture(greedy_game, 0, 2), headers=CROSS).status_code == 404
    assert client.get(page(greedy_game, 0, 2), headers=CROSS).status_code == 200
    assert not PASSAGES.exists()
    get(client, picture(greedy_game, 0, 2))
    assert client.get(picture(greedy_game, 0, 2), headers=CROSS).status_code == 200
    link = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "document"}
    assert client.get(picture(greedy_game, 0, 3), headers=link).status_code == 202, "somebody followed a link"


def test_a_hidden_game_has_no_passages_until_it_is_revealed(db: None, client: Client) -> None:
    event = running(None, rivals(2), hiding=Hiding(EVERY_ROUND), pairs=1)
    play_all(event)
    with seeing_hidden():
        game = Game.objects.filter(status="finished")[0]
    for address in (f"/games/{game.pk}/passage/", page(game, 0, 1), picture(game, 0, 1)):
        assert client.get(address).status_code == 404
    assert not PASSAGES.exists()
    row = ask(Passage(game, 0, 1).question, ADA)
    work_off(ANSWERS, arena=False)
    row.refresh_from_db()
    assert (row.status, row.cause) == ("failed", "gone"), "nor does an analysis process see it"
    reveal(event)
    assert client.get(picture(game, 0, 2)).status_code == 202
