"""Questions that take thought: shared, limited, dropped, answered by one worker at a time."""

import threading
import time
import zlib
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from analysis import serving_guard
from analysis.ratings.inputs import FitInputs, intervals
from analysis.ratings.match_arrays import Match
from analysis.searches.branches import branch
from arena.accounts.models import User
from arena.run.analysis import worker
from bots.models import Version
from tests.factories.accounts import author
from tests.factories.results import play_one
from tests.factories.tournaments import entrants, running
from tests.thinking import get
from tournaments import game_messages
from tournaments.events.creation import NewTournament, create_tournament
from tournaments.games.bundles import tournament_lines
from tournaments.models import Analysis, Game
from tournaments.pairing.progress import advance
from tournaments.questions import leases, requests
from tournaments.questions.event_ratings import NotRated, asked_by
from tournaments.questions.question_types import Question, QuestionKind, luck
from tournaments.questions.requests import Asker, Busy, ask
from tournaments.questions.worker import work_off, work_one

ADA, BOB = Asker("user-1", "a"), Asker("user-2", "b")
WAITING, RUNNING = Analysis.Status.WAITING, Analysis.Status.RUNNING
pytestmark = pytest.mark.usefixtures("no_counts")


@pytest.fixture
def answer_with(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Has questions of the kind "sum" answered by a function of the test."""

    def answer(function: Callable[[Any], Any], seconds: float = 10) -> None:
        monkeypatch.setitem(worker.ANSWERS, "sum", QuestionKind(function, seconds))

    return answer


@pytest.fixture
def finished(ada: User, trio: list[Version]) -> Game:
    running(ada, trio[:2], pairs=1, variant="crapette")
    return Game.objects.get(pk=play_one().game)


def question(number: int = 1) -> Question:
    return Question("sum", {"number": number}, version=1)


def later(row: Analysis, seconds: float) -> None:
    moved = {
        name: value - timedelta(seconds=seconds)
        for name in ("asked_at", "wanted_until", "lease_until", "finished_at")
        if (value := getattr(row, name)) is not None
    }
    Analysis.objects.filter(pk=row.pk).update(**moved)


def test_people_who_ask_the_same_question_share_one_stored_answer(db: None, answer_with: Any) -> None:
    calls = []

    def add(arguments: Any) -> dict[str, int]:
        calls.append(arguments)
        return {"sum": arguments["number"] + 1}

    answer_with(add)

    assert ask(question(), ADA).pk == ask(question(), BOB).pk
    assert work_off(worker.ANSWERS) == 1
    row = ask(question(), BOB)

    assert (row.status, zlib.decompress(bytes(row.answer or b""))) == ("done", b'{"sum":2}')
    assert work_off(worker.ANSWERS) == 0
    assert calls == [{"number": 1}]


def test_another_version_of_the_function_is_another_question(db: None) -> None:
    assert question().key != Question("sum", {"number": 1}, version=2).key
    assert question().key != question(2).key
    assert question().key == question().key


def test_a_search_ends_when_nobody_waits_for_it(db: None, answer_with: Any) -> None:
    answer_with(lambda _: 1)
    row = ask(question(), ADA)
    later(row, 11)

    assert work_off(worker.ANSWERS) == 0
    assert ask(question(), ADA).status == WAITING
    assert work_off(worker.ANSWERS) == 1, "who comes back is thought for again"

    later(ask(question(2), ADA), 2 * 3600)
    leases.sweep()
    assert list(Analysis.objects.values_list("arguments", flat=True)) == [{"number": 1}]


def test_a_question_of_a_worker_that_was_killed_goes_to_another_whose_answer_counts(db: None) -> None:
    ask(question(), ADA)
    first = leases.claim("a", arena=False)
    assert first is not None
    assert leases.claim("b", arena=False) is None, "it is leased"
    Analysis.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    second = leases.claim("b", arena=False)
    assert second is not None

    assert not leases.finish(first, "late")
    assert not leases.fail(first, Analysis.Cause.CRASH, "late")
    with pytest.raises(leases.Unwanted):
        leases.renew(first)
    assert leases.finish(second, "counts")
    assert zlib.decompress(bytes(Analysis.objects.get().answer or b"")) == b'"counts"'


def test_a_question_that_ends_every_worker_is_given_up(db: None) -> None:
    row = ask(question(), ADA)
    for _ in range(leases.ATTEMPTS):
        assert leases.claim("a", arena=False) is not None
        Analysis.objects.update(lease_until=timezone.now() - timedelta(seconds=1))

    assert leases.claim("a", arena=False) is None
    row.refresh_from_db()
    assert (row.status, row.cause) == ("failed", "crash")
    assert ask(question(), ADA).status == "failed"
    later(row, 61)
    assert ask(question(), ADA).status == WAITING, "a minute later it is tried again"


def test_what_a_search_raises_concerns_its_question_alone(db: None, answer_with: Any) -> None:
    answer_with(lambda arguments: 1 // arguments["number"])
    ask(question(0), ADA)
    ask(question(1), ADA)

    assert work_off(worker.ANSWERS) == 2
    assert set(Analysis.objects.values_list("status", "cause")) == {("failed", "crash"), ("done", "")}


def test_a_stopped_worker_gives_its_question_back(db: None, answer_with: Any) -> None:
    def end(_: Any) -> None:
        raise SystemExit

    answer_with(end)
    ask(question(), ADA)
    with pytest.raises(SystemExit):
        work_one("a", worker.ANSWERS)
    row = Analysis.objects.get()
    assert (row.status, row.attempts) == (WAITING, 0)


def test_the_first_questions_of_all_come_before_the_second_of_one_and_people_before_the_arena(
    db: None,
) -> None:
    now = timezone.now()
    Analysis.objects.create(key="luck", kind="luck", rank=10, asked_at=now - timedelta(hours=1))
    asked = [ask(question(1), ADA), ask(question(2), ADA), ask(question(3), BOB)]

    order = [leases.claim("a", arena=True) for _ in range(4)]

    assert [row.pk for row in order if row] == [asked[0].pk, asked[2].pk, asked[1].pk, "luck"]
    assert leases.claim("a", arena=False) is None


def test_asking_too_much_says_how_long_to_wait(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(requests.AT_ONCE):
        ask(question(number), ADA)
    with pytest.raises(Busy, match="4 questions of yours") as busy:
        ask(question(9), ADA)
    assert busy.value.seconds == 2
    assert ask(question(1), ADA).status == WAITING, "what is asked already may be asked again"

    monkeypatch.setattr(requests, "MOST_WAITING", requests.AT_ONCE + 1)
    ask(question(9), BOB)
    with pytest.raises(Busy, match="Many people are using"):
        ask(question(10), BOB)

    Analysis.objects.update(status="done")
    monkeypatch.setattr(requests, "A_MINUTE", 1)
    with pytest.raises(Busy, match=r"asked for 1 analyses in the last minute\. Try again in \d+ s"):
        ask(question(10), BOB)
    assert ask(question(9), BOB).status == "done", "what is known is told however often"


def test_many_accounts_behind_one_address_are_limited_together(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(requests, "A_MINUTE", 1)
    for number in range(requests.ADDRESS_FACTOR):
        ask(question(number), Asker(f"user-{number}", "one"))
    with pytest.raises(Busy):
        ask(question(99), Asker("user-99", "one"))
    assert ask(question(99), Asker("user-98", "another")).status == WAITING


@pytest.mark.parametrize(
    ("rank", "places"), [(1, "MOST_WAITING"), (8, "PASSAGES_WAITING"), (20, "DEEP_WAITING")]
)
def test_one_address_leaves_places_to_others(
    db: None, monkeypatch: pytest.MonkeyPatch, rank: int, places: str
) -> None:
    monkeypatch.setattr(requests, places, 4)
    for number in range(2):
        ask(replace(question(number), rank=rank), Asker(f"user-{number}", "one"))
    with pytest.raises(Busy):
        ask(replace(question(2), rank=rank), Asker("user-2", "one"))
    assert ask(replace(question(2), rank=rank), Asker("user-3", "another")).status == WAITING


def test_the_page_hears_429_with_the_time_to_wait(
    finished: Game, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(requests, "A_MINUTE", 1)
    address = f"/games/{finished.pk}/explore.json"
    assert client.get(address, {"at": "0"}).json() == {"waiting": True}

    answer = client.get(address, {"at": "0", "moves": "draw"})

    assert answer.status_code == 429
    assert 1 <= int(answer["Retry-After"]) <= 60
    assert answer.json()["error"]["code"] == "busy"
    assert get(client, address, {"at": "0"}).status_code == 200


def test_the_page_hears_that_a_search_took_too_long(finished: Game, client: Client) -> None:
    address = f"/games/{finished.pk}/mistakes.json"
    assert client.get(address).status_code == 202
    row = leases.claim("a", arena=False)
    assert row is not None
    leases.fail(row, Analysis.Cause.TIME, "It took more than 60 seconds.")

    answer = client.get(address)

    assert (answer.status_code, answer["Retry-After"]) == (503, "60")
    assert answer.json()["error"]["code"] == "time"


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


def test_answers_that_nobody_reads_are_forgotten(db: None, answer_with: Any) -> None:
    answer_with(lambda _: 1)
    kept, old = ask(question(1), ADA), ask(question(2), ADA)
    work_off(worker.ANSWERS)
    kept.refresh_from_db()
    old.refresh_from_db()
    later(kept, 2 * 3600)
    later(old, 25 * 3600)
    assert ask(question(1), ADA).status == "done", "read again, so kept again"

    leases.sweep()

    kept.refresh_from_db()
    assert kept.finished_at is not None
    assert timezone.now() - kept.finished_at < timedelta(minutes=1)
    assert not Analysis.objects.filter(pk=old.pk).exists()


def test_a_process_that_serves_pages_refuses_to_think() -> None:
    serving_guard.forbid()
    try:
        with pytest.raises(
            serving_guard.ThoughtWhereServing, match=r"searches\.branches\.branch belongs into an"
        ):
            branch("crapaud", [], [])
    finally:
        serving_guard.forbid(serves=False)


@pytest.mark.django_db
def test_a_process_that_serves_pages_plans_no_tournament_and_fits_no_ratings(
    client: Client, django_capture_on_commit_callbacks: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada = author("ada")
    draft = create_tournament(NewTournament("Draft", tuple(one.pk for one in entrants(ada, 3))), ada)
    sent: list[tuple[str, list[Any]]] = []
    monkeypatch.setattr(
        game_messages, "send", lambda task, *arguments, **_: sent.append((task, list(arguments)))
    )
    client.force_login(ada)
    serving_guard.forbid()
    try:
        with django_capture_on_commit_callbacks(execute=True):
            answer = client.post(f"{draft.get_absolute_url()}action/", {"action": "start"})
        assert answer.status_code == 302
        assert (game_messages.ADVANCE, [draft.pk]) in sent
        assert not draft.pairings.exists()
        with pytest.raises(serving_guard.ThoughtWhereServing, match="plan_rounds"):
            advance(draft.pk)
    finally:
        serving_guard.forbid(serves=False)
    advance(draft.pk)
    assert draft.pairings.count() == 3
    inputs = FitInputs(matches=(Match(1, 2, (0, 0, 1, 0, 1)),))
    weighed = inputs.rate()
    serving_guard.forbid()
    try:
        for fit in (inputs.rate, inputs.estimates, lambda: intervals(weighed)):
            with pytest.raises(serving_guard.ThoughtWhereServing, match=r"analysis\.ratings\.inputs\."):
                fit()
        lines = tournament_lines(draft, asked_by(ADA))
        next(lines)
        waiting = Analysis.objects.get(kind="ratings")
        assert waiting.status == Analysis.Status.WAITING
    finally:
        serving_guard.forbid(serves=False)
    # A download's last lines are an analysis process's; one that will never come ends it before its end.
    Analysis.objects.filter(pk=waiting.pk).update(
        status=Analysis.Status.FAILED, cause=Analysis.Cause.CRASH, finished_at=timezone.now()
    )
    with pytest.raises(NotRated):
        list(lines)


@pytest.mark.django_db
def test_questions_of_the_arena_wake_a_worker_once_in_a_while_and_those_of_people_each_time(
    monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Callable[..., Any]
) -> None:
    sent: list[str] = []
    monkeypatch.setattr(game_messages, "send", lambda task, *_, **__: sent.append(task))
    monkeypatch.setattr(game_messages, "THINK_SECONDS", 600.0)

    with django_capture_on_commit_callbacks(execute=True):
        requests.want([luck(1)])
        requests.want([luck(2)])
    assert sent == [game_messages.THINK]

    with django_capture_on_commit_callbacks(execute=True):
        ask(Question("sum", {"of": [1]}, 1), ADA)
        ask(Question("sum", {"of": [2]}, 1), ADA)
    assert sent == [game_messages.THINK] * 3, "somebody waits for these"

    monkeypatch.setattr(game_messages, "THINK_SECONDS", 0.0)
    with django_capture_on_commit_callbacks(execute=True):
        requests.want([luck(3)])
    assert sent == [game_messages.THINK] * 4
