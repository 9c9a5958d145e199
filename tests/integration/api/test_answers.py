"""What all answers of the API share: cursors, filters, ETags, limits, refusals, and what takes thought."""

import io
import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import zstandard
from django.apps import apps
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from analysis import serving_guard
from arena.api import document_cache, limits
from arena.web.http import rate_limits
from bots.models import Scope
from tests.api import filled, flaws, the_document, validator_of
from tests.factories.accounts import author, token
from tests.factories.games import played
from tests.factories.results import accept_result, lease, play_all
from tests.factories.tournaments import entrants, running
from tests.thinking import analysis_beside_a_download, get
from tools.run.steps import ROOT
from tournaments.models import Analysis, Game

pytestmark = pytest.mark.django_db


def test_pages_by_cursor_have_every_game_once(client: Client) -> None:
    owner = author()
    play_all(running(owner, entrants(owner, 3), pairs=1))
    seen: list[str] = []
    cursor = ""
    while True:
        page = client.get("/api/v1/games/", {"limit": "4", "cursor": cursor}).json()
        seen += [game["id"] for game in page["items"]]
        if page["next"] is None:
            break
        assert len(page["items"]) == 4
        cursor = page["next"]
    assert len(seen) == len(set(seen)) == Game.objects.count() == 6
    newest = Game.objects.order_by("-started_at", "-order", "-pk").values_list("pk", flat=True)
    assert seen == [str(key) for key in newest]


def test_filters_narrow_games(client: Client) -> None:
    arena = filled()
    both = {game["id"] for game in client.get("/api/v1/games/").json()["items"]}
    assert both == set(arena.games.values())

    def found(**query: str) -> set[str]:
        return {game["id"] for game in client.get("/api/v1/games/", query).json()["items"]}

    assert found(bot="adas-first") == found(bot="adas-first", opponent="bobs-first") == both
    assert found(bot="adas-first", version="2") == found(bot="adas-first", opponent="adas-first") == set()
    assert found(status="running") == {arena.games["going"]}
    assert found(ending="win") == found(close="52") == {arena.games["finished"]}
    assert found(tournament="cup", variant="crapaud", players="2") == both
    assert found(close="0", least_plies="100000") == found(most_plies="0") == set()
    assert found(until="2026-01-01") == found(since="9999-12-31") == set()
    assert found(since="2026-01-01", until="9999-12-31") == both
    for field, value in (("since", "yesterday"), ("bots", "x")):
        answer = client.get("/api/v1/games/", {field: value})
        assert (answer.status_code, answer.json()["field"]) == (422, field)


@pytest.mark.any_database
def test_what_has_not_changed_is_answered_without_a_body(client: Client) -> None:
    filled()
    answer = client.get("/api/v1/directory/")
    assert client.get("/api/v1/directory/", headers={"If-None-Match": answer["ETag"]}).status_code == 304
    running(author("eve"), entrants(author("mallory"), 2))
    again = client.get("/api/v1/directory/", headers={"If-None-Match": answer["ETag"]})
    assert (again.status_code, again["ETag"] == answer["ETag"]) == (200, False)


@pytest.mark.any_database
def test_an_answer_says_what_is_left_and_a_refusal_when_to_come_back(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Windows begin at full minutes, and this test must not fall into two.
    monkeypatch.setattr(rate_limits, "time", SimpleNamespace(time=lambda: 1_800_000_005.0))
    few = limits.Cost("other", 60, 3, 2)

    def left(address: str, **more: float) -> int:
        return limits.spend(few, address, signed_in=False, **more).remaining

    assert [left("192.0.2.1"), left("192.0.2.1")] == [1, 0]
    with pytest.raises(limits.TooMany) as refused:
        left("192.0.2.1")
    assert refused.value.retry_after == 55
    assert left("192.0.2.2") == 1, "another address is another"
    assert left("192.0.2.1", now=1_800_000_065.0) == 1, "a new minute"

    answer = client.get("/api/v1/ladders/")
    assert answer["RateLimit"].startswith('"read";r=239;t=')
    assert answer["RateLimit-Policy"] == '"read";q=240;w=60'
    for _ in range(238):
        limits.spend(limits.READ, "127.0.0.1", signed_in=False)
    assert client.get("/api/v1/ladders/").status_code == 200
    answer = client.get("/api/v1/ladders/")
    assert (answer.status_code, answer["Retry-After"]) == (429, "55")
    assert answer["Content-Type"] == "application/problem+json"
    assert answer.json()["code"] == "too-many"


def test_refusals_are_problems_and_say_the_same_as_ever(client: Client) -> None:
    answer = client.get("/api/v1/tournaments/nothing/")
    said = "Expected a tournament, got 'nothing'."
    assert (answer.status_code, answer["Content-Type"]) == (404, "application/problem+json")
    old = {"code": "not-found", "message": said, "field": None}
    problem = {"type": "about:blank", "title": "Not Found", "status": 404, "detail": said}
    assert answer.json() == {**problem, "code": "not-found", "field": None, "error": old}


def with_token(scopes: Iterable[str] = Scope.values) -> Client:
    return Client(headers={"Authorization": f"Bearer {token(author('ada'), scopes)}"})


def test_a_form_with_files_is_refused_by_every_route_that_reads_json() -> None:
    routes = [
        re.sub(r"{\w+}", "1", path)
        for path, methods in the_document()["paths"].items()
        if "application/json" in methods.get("post", {}).get("requestBody", {}).get("content", {})
    ]
    assert "/api/v1/remote/" in routes
    ada = with_token()
    found = {path: ada.post(path, {"name": "far"}) for path in routes}
    said = {path: (answer.status_code, answer.json()["code"]) for path, answer in found.items()}
    assert said == dict.fromkeys(routes, (415, "content-type"))


def test_a_forgotten_slash_keeps_method_and_query(client: Client) -> None:
    answer = client.get("/api/v1/games?limit=3")
    assert (answer.status_code, answer["Location"]) == (308, "/api/v1/games/?limit=3")
    assert client.post("/api/v1/tests", {}, content_type="application/json").status_code == 308
    assert client.get("/api/v1/nothing").status_code == 404


def downloaded(client: Client, path: str, query: dict[str, str] | None = None) -> list[dict[str, Any]]:
    with analysis_beside_a_download():
        answer = client.get(f"/api/v1/{path}", query)
        assert answer.status_code == 200
        packed = io.BytesIO(b"".join(answer))
    lines = zstandard.ZstdDecompressor().stream_reader(packed).read().splitlines()
    return [json.loads(line) for line in lines]


def test_downloads_are_the_games_with_their_proofs(client: Client) -> None:
    arena = filled()
    month = arena.values["month"]
    addresses = ("tournaments/cup/games", f"months/{month}/games", "games/records")
    for address in addresses:
        parsed = downloaded(client, f"{address}.jsonl.zst")
        games = [one for one in parsed if one.get("game") == arena.games["finished"]]
        # A tournament's are those of pairs that are over; this one's other game is still played.
        assert [game["proof"]["seed"] for game in games] == ([] if "tournaments" in address else [None])
        assert arena.games["going"] not in {one.get("game") for one in parsed}
    query = {"bot": "adas-first", "opponent": "bobs-first", "tournament": "cup"}
    for address in addresses[1:]:
        found = downloaded(client, f"{address}.jsonl.zst", query)
        assert [game["game"] for game in found] == [arena.games["finished"]]
        for wrong, status in (({"bot": "nobody"}, 404), ({"opponent": "x"}, 422)):
            assert client.get(f"/api/v1/{address}.jsonl.zst", wrong).status_code == status
    assert not limits.downloads._open
    assert client.get("/api/v1/months/2020-01/games.jsonl.zst").status_code == 404


def test_every_body_in_the_document_has_an_example_that_fits_its_schema() -> None:
    wrong = []
    shown = 0
    for methods in the_document()["paths"].values():
        for one in methods.values():
            contents = [answer.get("content", {}) for answer in one["responses"].values()]
            for content in (one.get("requestBody", {}).get("content", {}), *contents):
                body = content.get("application/json")
                if body is None:
                    continue
                shown += 1
                validator = validator_of(json.dumps(body["schema"]))
                wrong += [
                    f"{one['operationId']}: {fault.message}"
                    for fault in validator.iter_errors(body["example"])
                ]
    assert wrong == []
    assert shown > 50


def test_a_download_is_counted_before_anything_is_read_for_it(client: Client) -> None:
    filled()
    held = [limits.downloads.open(f"account {number}", f"address {number}") for number in range(6)]
    with CaptureQueriesContext(connection) as asked:
        assert client.get("/api/v1/games/records.jsonl.zst").status_code == 429
    assert not [one for one in asked if "tournaments_game" in one["sql"]]
    for one in held:
        limits.downloads.close(one)
    assert client.get("/api/v1/games/records.jsonl.zst", {"bot": "nobody"}).status_code == 404
    assert not limits.downloads._open


def test_the_document_is_written_again_when_any_of_our_apps_changes() -> None:
    ours = {one.name.split(".")[0] for one in apps.get_app_configs() if Path(one.path).is_relative_to(ROOT)}
    ours = {name for name in ours if (ROOT / name).is_dir()}
    assert ours <= set(document_cache.PACKAGES)
    assert {"arena", "tournaments"} <= ours


@pytest.fixture
def finished() -> Game:
    owner = author()
    running(owner, entrants(owner, 2), pairs=1)
    held = lease()
    accept_result(held, played(held.game))
    return Game.objects.get(pk=held.game)


@pytest.fixture(autouse=True)
def serves_pages() -> Iterator[None]:
    """Requests are answered as by a process that serves pages: whatever thinks there raises."""
    yield
    serving_guard.forbid(serves=False)


@pytest.mark.parametrize(
    ("address", "operation", "query"),
    [
        ("values", "get_values", {}),
        ("mistakes", "get_mistakes", {}),
        ("what-if", "try_what_if", {"at": "6", "bot": "greedy", "span": "end"}),
    ],
)
def test_a_question_is_queued_then_answered_as_the_document_says(
    finished: Game, client: Client, address: str, operation: str, query: dict[str, str]
) -> None:
    path = f"/api/v1/games/{finished.pk}/{address}/"
    serving_guard.forbid()
    first = client.get(path, query)
    serving_guard.forbid(serves=False)
    assert (first.status_code, first["Retry-After"]) == (202, "1")
    assert flaws(operation, 202, first.json()) == []
    answer = get(client, path, query)
    assert answer.status_code == 200
    assert flaws(operation, 200, json.loads(answer.content)) == []
    serving_guard.forbid()
    again = client.get(path, query, headers={"If-None-Match": answer["ETag"]})
    assert again.status_code == 304
    assert Analysis.objects.filter(status="done").count() == 1


def test_what_nobody_can_work_out_is_refused(client: Client, finished: Game) -> None:
    going = lease().game
    for address, query in (("values", {}), ("mistakes", {}), ("what-if", {"at": "0"})):
        answer = client.get(f"/api/v1/games/{going}/{address}/", query)
        assert (answer.status_code, answer["Content-Type"]) == (409, "application/problem+json")
    for query in ({}, {"at": "-1"}, {"at": "1", "bot": "deep-blue"}, {"at": "1", "span": "year"}):
        assert client.get(f"/api/v1/games/{finished.pk}/what-if/", query).status_code == 422
    assert not Analysis.objects.filter(rank__lt=9).exists(), "a refused question was queued"
