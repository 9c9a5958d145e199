"""Claims of games, and ends of games that nobody played."""

import hashlib
from typing import Any

from bots.playing.game_process import DeliveredGame
from tournaments.games.claims import Kind, Lease, claim_next, claim_rest
from tournaments.games.play import PairPlayer
from tournaments.games.results import accept_results
from tournaments.models import Attempt, Game, Pair, Result, Tournament
from tournaments.models.embargo import seeing_hidden
from tournaments.pairing.progress import advance


def accept_result(lease: Lease, delivery: DeliveredGame) -> Result:
    """Deliver one game."""
    return accept_results([(lease, delivery)])[0]


def play_attempt(lease: Lease) -> Result | None:
    """Play a leased game alone and deliver it; None if the attempt was lost or the machine failed."""
    player = PairPlayer()
    player.play(lease)
    player.deliver()
    return next(iter(player.results), None)


@seeing_hidden()
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


@seeing_hidden()
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


@seeing_hidden()
def claim_as_a_worker(kind: Kind = Kind.LOCAL) -> Lease | None:
    """The claim of the game that one worker plays next: of the pair it is at, if one is left there."""
    last = Attempt.objects.select_related("game__pair", "game__tournament").order_by("pk").last()
    rest = None
    if last is not None:
        rest = claim_rest(Lease(last.pk, last.game_id, 0, "", row=last.game), "a worker", last.host)
    return rest or claim_next("a worker", kind=kind)


def lease() -> Lease:
    """The claim of the next game."""
    found = claim_as_a_worker()
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
        found = claim_as_a_worker()
        if found is None:
            advance(tournament.pk)
            found = claim_as_a_worker()
        if found is None:
            tournament.refresh_from_db()
            return played
        deliver = delivery if tournament.players == 2 else group_delivery
        accept_result(found, deliver(found.game))
    raise AssertionError("the tournament does not end")


def accepted_pairs(tournament: Tournament) -> int:
    """Pairs that count."""
    return Pair.objects.filter(pairing__tournament=tournament, status=Pair.Status.ACCEPTED).count()
