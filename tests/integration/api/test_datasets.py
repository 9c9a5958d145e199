"""Public data as Parquet: made by an analysis process, with a dictionary, and downloaded whole."""

import hashlib
import io
import json
from datetime import timedelta
from typing import Any

import pytest
from arro3.io import read_parquet
from django.test import Client
from django.utils import timezone

from arena.api import limits
from arena.run.analysis.worker import ANSWERS
from tests.api import Filled, filled
from tests.conftest import ForAllTests
from tournaments.games import datasets
from tournaments.games.public_data import TABLES, File, Month
from tournaments.models import Dataset, Game
from tournaments.questions.worker import work_off

pytestmark = [pytest.mark.django_db, pytest.mark.each_database]


@pytest.fixture(scope="module")
def arena(for_all_tests: ForAllTests[Filled]) -> Filled:
    return for_all_tests(_with_files)


def _with_files() -> Filled:
    made = filled()
    datasets.want_datasets()
    work_off(ANSWERS)
    return made


def table(client: Client, name: str) -> list[dict[str, Any]]:
    answer = client.get(f"/api/v1/datasets/{name}.parquet")
    assert answer.status_code == 200
    body = b"".join(answer)
    assert (len(body), answer["Content-Type"]) == (
        int(answer["Content-Length"]),
        "application/vnd.apache.parquet",
    )
    assert Dataset.objects.get(name=name).sha256 == hashlib.sha256(body).hexdigest()
    found = read_parquet(io.BytesIO(body)).read_all()
    columns = {one: found.column(one).to_pylist() for one in found.column_names}
    return [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]


def test_every_table_is_there_and_has_what_the_dictionary_says(arena: Filled, client: Client) -> None:
    month = arena.values["month"]
    listed = client.get("/api/v1/datasets/").json()["items"]
    assert {one["name"] for one in listed} == {
        f"{name}-{month}" if one.by_month else name for name, one in TABLES.items()
    }
    tables = {one["table"]: one for one in client.get("/api/v1/datasets/dictionary/").json()["items"]}
    for one in listed:
        rows = table(client, one["name"])
        assert len(rows) == one["rows"]
        told = [column["name"] for column in tables[one["table"]]["columns"]]
        assert all(list(row) == told for row in rows)
    games = table(client, f"games-{month}")
    assert [row["game"] for row in games] == [arena.games["finished"]]
    assert games[0]["finished_at"] == Game.objects.get(pk=arena.games["finished"]).finished_at
    seats = table(client, f"seats-{month}")
    assert sorted((row["seat"], row["bot"]) for row in seats) == [(0, seats[0]["bot"]), (1, seats[1]["bot"])]
    assert {row["bot"] for row in seats} == {"adas-first", "bobs-first"}
    assert [(row["bot"], row["elo"]) for row in table(client, "ratings")] == [("adas-first", 1510.0)]
    assert {row["bot"] for row in table(client, "versions") if row["owner"] == "ada"} == {"adas-first"}
    assert not limits.downloads._open
    for file in (File.find(one.name) for one in Dataset.objects.all()):
        written = json.dumps(list(file.rows()), default=str)
        assert not [word for word in arena.secrets if word in written], file.name


def test_what_is_too_old_is_made_again_and_a_month_that_is_over_later(arena: Filled) -> None:
    month = Month.parse(arena.values["month"])
    assert datasets.want_datasets() == []
    Dataset.objects.update(made_at=timezone.now() - timedelta(hours=21))
    assert set(datasets.want_datasets()) == set(Dataset.objects.values_list("name", flat=True))
    work_off(ANSWERS)
    assert datasets.want_datasets() == []
    assert Dataset.objects.filter(name="ratings").count() == 2, "the older one stays for who is reading it"
    read = Dataset.objects.filter(name="ratings").latest("made_at")
    Dataset.objects.update(made_at=timezone.now() - timedelta(days=40))
    datasets.want_datasets()
    work_off(ANSWERS)
    kept = Dataset.objects.filter(name="ratings")
    assert kept.count() == 2
    assert read in kept, "however old it is"
    file = File(TABLES["games"], month)
    made = month.next.begins + timedelta(days=3)
    assert not datasets._is_due(file, made, made + timedelta(days=2))
    assert datasets._is_due(file, made, made + timedelta(days=31))
    assert datasets._is_due(file, month.next.begins, month.next.begins + timedelta(days=1))
