"""A download is of one moment, whatever is stored while it is sent."""

import json
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection, connections
from django.test import Client

from arena.accounts.models import User
from bots.models import Version
from tests.factories.accounts import author
from tests.factories.bots import accepted_bot
from tests.factories.tournaments import entrants, running
from tests.integration.tournaments.test_verify import differences, download, play, verdict
from tests.thorough import THOROUGH
from tournaments.games.bundles import ratings_lines, tournament_lines
from tournaments.models import Pair, Tournament
from tournaments.pairing.progress import advance
from tournaments.ratings.ladder import ensure_ladder
from tournaments.ratings.ratings import compute_ratings

pytestmark = pytest.mark.django_db
READS = range(1, 9) if THOROUGH else (1, 4, 8)
"""The queries of a tournament's bundle, counted, before which something is stored."""


def test_a_ladder_and_its_leaderboard_are_verified(client: Client, ada: User, bob: User) -> None:
    ladder = small_ladder(ada, bob)
    play(ladder, 4)
    content = download(client, f"/tournaments/{ladder.slug}/bundle.jsonl")
    assert differences(content) == []
    deals = [json.loads(line)["deal"] for line in content.splitlines() if b'"kind":"pair"' in line]
    assert deals == list(range(1, len(deals) + 1))
    compute_ratings("crapaud")
    ratings = download(client, "/leaderboard/crapaud/bundle.jsonl")
    assert differences(ratings) == []
    forged = ratings.replace(b'"penta":[', b'"penta":[3', 1)
    assert "line 4 (met" in verdict(forged)


def test_a_bundle_is_of_one_moment_though_pairs_are_accepted_while_it_is_sent(
    ada: User, trio: list[Version]
) -> None:
    tournament = running(ada, trio, pairs=2)
    play(tournament, 4)
    lines = tournament_lines(Tournament.objects.get())
    sent = [next(lines)]
    play(tournament)
    sent += lines
    assert differences(b"".join(sent)) == []


def test_a_leaderboard_is_verified_while_its_ratings_are_behind(client: Client, ada: User, bob: User) -> None:
    ladder = small_ladder(ada, bob)
    play(ladder, 4)
    compute_ratings("crapaud")
    play(ladder, 4)
    content = download(client, "/leaderboard/crapaud/bundle.jsonl")
    assert differences(content) == []
    assert sum(sum(line["penta"]) for line in map(json.loads, content.splitlines()) if "penta" in line) == 2


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("between", [1])
def test_a_leaderboard_is_of_one_moment_though_it_is_rated_between_the_reads(between: int) -> None:
    ladder = small_ladder(author("ada"), author("bob"))
    play(ladder, 4)
    compute_ratings("crapaud")
    content = b"".join(written_between(ratings_lines("crapaud", "crapaud", 2), ladder, between))
    assert differences(content) == []
    assert Pair.objects.filter(status="accepted").count() == 4


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("between", READS)
def test_a_tournaments_bundle_is_of_one_moment_though_pairs_are_accepted_between_the_reads(
    between: int,
) -> None:
    ada = author("ada")
    tournament = running(ada, entrants(ada, 3), pairs=2)
    play(tournament, 4)
    content = b"".join(written_between(tournament_lines(tournament), tournament, between))
    assert differences(content) == []
    assert Pair.objects.filter(status="accepted").count() == 4


def small_ladder(ada: User, bob: User) -> Tournament:
    accepted_bot(ada, "Hers")
    accepted_bot(bob, "His")
    ladder = ensure_ladder("crapaud")
    advance(ladder.pk)
    return ladder


def written_between(lines: Iterator[bytes], tournament: Tournament, number: int) -> list[bytes]:
    """The lines, while another connection plays two pairs and rates just before the reader's query of that
    number."""
    asked = 0

    def write() -> None:
        try:
            play(Tournament.objects.get(pk=tournament.pk), 4)
            compute_ratings("crapaud")
        finally:
            connections.close_all()

    def interfere(execute: Any, sql: str, *rest: Any) -> Any:
        nonlocal asked
        if sql.startswith("SELECT"):
            asked += 1
            if asked == number + 1:
                writer = threading.Thread(target=write)
                writer.start()
                writer.join()
        return execute(sql, *rest)

    with connection.execute_wrapper(interfere):
        found = list(lines)
    assert asked > number
    return found
