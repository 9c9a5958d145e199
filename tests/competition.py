"""Tournaments for tests: real rows made by the services, and games whose ends are invented."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from bots.services.playing.player import DeliveredGame
from tests.authors import accepted_bot, author
from tournaments.models import Game, Pair, Tournament
from tournaments.services.creation import NewTournament, create_tournament
from tournaments.services.pairing.progress import advance, start_tournament
from tournaments.services.playing.claims import Lease, claim_next
from tournaments.services.playing.results import accept_result

if TYPE_CHECKING:
    from arena.accounts.models import User
    from bots.models import Version


def entrants(owner: User, count: int = 3) -> list[Version]:
    """Accepted versions of as many bots of one owner."""
    return [accepted_bot(owner, f"{owner.username} bot {number}") for number in range(1, count + 1)]


def rivals(count: int = 3) -> list[Version]:
    """Accepted versions of as many bots, each of another owner."""
    return [accepted_bot(author(f"rival {number}"), f"Rival {number}") for number in range(1, count + 1)]


def running(owner: User | None, versions: list[Version], *, pairs: int = 2, **more: Any) -> Tournament:
    """A tournament of these versions that has been started; one of the house, owner None, is rated."""
    new = NewTournament(
        more.pop("name", "Test cup"), tuple(one.pk for one in versions), pairs_per_pairing=pairs, **more
    )
    tournament = create_tournament(new, owner)
    start_tournament(tournament)
    return tournament


def delivery(game_id: object, *, seat: int | None = None, events: int = 5, **result: Any) -> DeliveredGame:
    """An invented end of a game: the winner follows from the game's key unless a seat is given."""
    game = Game.objects.select_related("pair").get(pk=game_id)  # type: ignore[misc]
    # By deal and leg, not by the game's own random key, so that a tournament replayed ends the same.
    digest = hashlib.sha256(f"{game.pair.deal_seed}{game.leg}{game.pair.pairing.table}".encode()).digest()
    winner = digest[0] % 2 if seat is None else seat
    log: list[Any] = [
        {"n": n, "type": "move", "seat": n % 2, "move": "draw", "ply": n + 1, "clocks": [60000, 60000]}
        for n in range(events)
    ]
    left = [12, 12]
    left[winner] = 0
    body = {
        "termination": "win",
        "seat": None,
        "detail": "Won by going out.",
        "ranking": [[winner], [1 - winner]],
        "points": [0, 0],
        "left": left,
        "plies": events,
        "turns": 3,
        "cpu_ms": [10, 20],
        **result,
    }
    log.append({"n": events, "type": "end", "result": body})
    return DeliveredGame(log, body, [{"stderr": "", "exit": ""}] * 2, {"level": "full"})


def group_delivery(game_id: object) -> DeliveredGame:
    """An invented end of a game of three or four; the order follows from the deal."""
    game = Game.objects.select_related("pair", "tournament").get(pk=game_id)  # type: ignore[misc]
    players = game.tournament.players
    best = int(game.pair.deal_seed[:4], 16) % players
    order = [(best + step) % players for step in range(players)]
    return delivery(
        game_id,
        ranking=[[seat] for seat in order],
        points=[20 - 10 * order.index(seat) for seat in range(players)],
        left=[10 * order.index(seat) for seat in range(players)],
        cpu_ms=[10] * players,
    )


def lease() -> Lease:
    """The claim of the next game."""
    found = claim_next("a worker")
    assert found is not None
    return found


def play_one(**how: Any) -> Lease:
    """Claim the next game and deliver an invented end."""
    found = lease()
    accept_result(found, delivery(found.game, **how))
    return found


def play_all(tournament: Tournament) -> int:
    """Play a tournament to its end with invented games; how many there were."""
    for played in range(100_000):
        found = claim_next("a worker")
        if found is None:
            advance(tournament.pk)
            found = claim_next("a worker")
        if found is None:
            tournament.refresh_from_db()
            return played
        deliver = delivery if tournament.players == 2 else group_delivery
        accept_result(found, deliver(found.game))
    raise AssertionError("the tournament does not end")


def accepted_pairs(tournament: Tournament) -> int:
    """Pairs that count."""
    return Pair.objects.filter(pairing__tournament=tournament, status=Pair.Status.ACCEPTED).count()
