"""Rows of a large arena, written in bulk by the database itself, just as the services would leave them."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Final

from django.contrib.auth import get_user_model
from django.db import connection, transaction
from django.db.models import F
from django.utils import timezone

from bots.models import Archive, Bot, Status, Version
from bots.versions import choose_active
from tests.factories.bots import let_play_everywhere
from tournaments.models import Entry, Pairing, RatingState, Tournament

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

SHA: Final = "0" * 64
OWNERS: Final = 100


def in_use() -> bool:
    """Whether the database has been used."""
    return Tournament.objects.exists() or Bot.objects.exists()


@transaction.atomic
def make_versions(count: int) -> list[int]:
    """So many accepted versions, each of a bot of its own, the first the anchor; their keys."""
    users = get_user_model().objects.bulk_create(
        get_user_model()(username=f"author{number}", email=f"author{number}@example.org")
        for number in range(OWNERS)
    )
    archive = Archive.objects.create(sha256=SHA, data=b"")
    bots = Bot.objects.bulk_create(
        Bot(
            name=f"Bot {number}" if number else "Greedy",
            slug=f"bot-{number}" if number else "greedy",
            owner=users[number % OWNERS] if number else None,
            is_house=not number,
        )
        for number in range(count)
    )
    versions = Version.objects.bulk_create(
        Version(
            bot=bot,
            number=1,
            sha256=SHA,
            archive=archive,
            filename="bot.py",
            language="python",
            entry="bot.py",
            size=1000,
            file_count=1,
            status=Status.ACCEPTED,
        )
        for bot in bots
    )
    let_play_everywhere(versions)
    Version.objects.filter(bot__in=bots).update(activated_at=F("created_at"))
    for bot in bots:
        choose_active(bot.pk)
    return [version.pk for version in versions]


def fill_counters(tournament: int) -> None:
    """Let every pairing of a tournament have brought one pair; the stronger (earlier) one wins mostly."""
    dice = random.Random(1)
    pairings = list(Pairing.objects.filter(tournament=tournament))
    for pairing in pairings:
        _bring(pairing, 1, dice)
    Pairing.objects.bulk_update(pairings, COUNTERS, batch_size=500)


COUNTERS: Final = [
    "pairs_made", "pairs_done", "wins", "draws", "losses", "margin_sum", "margin_squares",
    "penta_0", "penta_1", "penta_2", "penta_3", "penta_4",
]  # fmt: skip


def _bring(pairing: Pairing, pairs: int, dice: random.Random) -> None:
    pairing.pairs_made = pairing.pairs_done = pairs
    for _ in range(pairs):
        score = min(4, max(0, round(dice.gauss(2.2, 1.1))))
        name = f"penta_{score}"
        setattr(pairing, name, getattr(pairing, name) + 1)
        pairing.wins += score // 2
        pairing.draws += score % 2
        pairing.losses += 2 - score // 2 - score % 2
        margin = dice.gauss(score - 2.0, 5.0)
        pairing.margin_sum += margin
        pairing.margin_squares += margin**2


@transaction.atomic
def make_ladder(versions: Sequence[int], games: int, pairs_a_couple: int) -> None:
    """A ladder with so many accepted games between neighbours and strangers, each couple meeting often."""
    now = timezone.now()
    ladder = Tournament.objects.create(
        slug="ladder-crapaud",
        name="Ladder",
        variant="crapaud",
        format=Tournament.Format.LADDER,
        status=Tournament.Status.PAUSED,
        seed=SHA,
        seed_commitment=SHA,
        started_at=now,
    )
    entries = Entry.objects.bulk_create(
        (Entry(tournament=ladder, version_id=key, number=n) for n, key in enumerate(versions, start=1)),
        batch_size=500,
    )
    dice = random.Random(2)
    couples: set[tuple[int, int]] = set()
    wanted = games // 2 // pairs_a_couple
    while len(couples) < wanted:
        one, other = dice.randrange(len(entries)), dice.randrange(len(entries))
        if one != other:
            couples.add((min(one, other), max(one, other)))
    pairings = []
    for table, (one, other) in enumerate(sorted(couples), start=1):
        pairing = Pairing(
            tournament=ladder,
            round=1,
            table=table,
            first=entries[one],
            second=entries[other],
            pairs_planned=pairs_a_couple,
        )
        _bring(pairing, pairs_a_couple, dice)
        pairings.append(pairing)
    Pairing.objects.bulk_create(pairings, batch_size=500)
    _write_games(ladder.pk, pairs_a_couple)
    RatingState.objects.create(variant="crapaud", requested=games // 2)
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")


def _write_games(ladder: int, pairs: int) -> None:
    """Pairs, games, seats, attempts and results of every pairing of the ladder, by the database."""
    postgresql = connection.vendor == "postgresql"
    uuid = (
        "lpad(to_hex(p.id * 2 + leg.n), 32, '0')::uuid" if postgresql else "printf('%032x', p.id * 2 + leg.n)"
    )
    json = "::jsonb" if postgresql else ""
    numbers = "WITH RECURSIVE k(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM k WHERE n < %s)"
    legs = "CROSS JOIN (SELECT 0 AS n UNION ALL SELECT 1) leg"
    accepted = (
        "FROM tournaments_pair p JOIN tournaments_pairing r ON r.id = p.pairing_id AND r.tournament_id = %s"
    )
    played = "FROM tournaments_game g WHERE g.tournament_id = %s"
    now = timezone.now()
    steps: list[tuple[str, list[int | str | datetime]]] = [
        (
            "INSERT INTO tournaments_pair (pairing_id, number, run, batch, deal, deal_seed, status, score, "
            f"margin, void_reason, host, created_at, accepted_at) {numbers} SELECT r.id, k.n, 1, 1, 1, %s, "
            "'accepted', 2, 0, '', '', %s, %s "
            "FROM tournaments_pairing r CROSS JOIN k WHERE r.tournament_id = %s",
            [pairs, SHA, now, now, ladder],
        ),
        (
            "INSERT INTO tournaments_game (id, tournament_id, pair_id, leg, start, suits, status, token, "
            f'"order", created_at, started_at, finished_at) SELECT {uuid}, r.tournament_id, p.id, leg.n, '
            f"'', 'SHDC', 'finished', 1, p.id * 2 + leg.n, %s, %s, %s {accepted} {legs}",
            [now, now, now, ladder],
        ),
        (
            "INSERT INTO tournaments_seat (game_id, seat, entry_id, version_id, cpu_ms) SELECT g.id, e.seat, "
            "CASE WHEN e.seat = g.leg THEN r.first_id ELSE r.second_id END, "
            "(SELECT version_id FROM tournaments_entry WHERE id = "
            "CASE WHEN e.seat = g.leg THEN r.first_id ELSE r.second_id END), 100 "
            "FROM tournaments_game g JOIN tournaments_pair p ON p.id = g.pair_id "
            "JOIN tournaments_pairing r ON r.id = p.pairing_id "
            "CROSS JOIN (SELECT 0 AS seat UNION ALL SELECT 1) e WHERE g.tournament_id = %s",
            [ladder],
        ),
        (
            "INSERT INTO tournaments_attempt (game_id, token, worker, host, release, lease_until, "
            "heartbeat_at, ply, cause, detail, started_at, ended_at) "
            f"SELECT g.id, 1, 'bench', '', '', %s, %s, 300, 'delivered', '', %s, %s {played}",
            [now, now, now, now, ladder],
        ),
        (
            "INSERT INTO tournaments_result (game_id, attempt_id, termination, detail, ranking, points, "
            '"left", plies, turns, cpu_ms, clock_scale, chain_sha256, body_sha256, accepted_at) '
            "SELECT a.game_id, a.id, "
            f"'win', '', '[[0],[1]]'{json}, '[0,0]'{json}, '[0,9]'{json}, 300, 40, '[100,100]'{json}, 1, "
            "%s, %s, %s FROM tournaments_attempt a WHERE a.worker = 'bench'",
            [SHA, SHA, now],
        ),
    ]
    with connection.cursor() as cursor:
        for statement, values in steps:
            cursor.execute(statement, values)
