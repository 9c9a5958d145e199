"""Plays games of tournaments to their ends by the engine's policies: real games, in milliseconds."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any, Final

import engine
from analysis.training.selfplay import NODES, play
from bots.playing.game_process import DeliveredGame
from engine.policies import bots
from tournaments.games.claims import Kind, claim_next
from tournaments.games.results import accept_results
from tournaments.models import Game
from tournaments.models.embargo import seeing_hidden
from tournaments.pairing.progress import advance

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tournaments.models import Tournament

PLANNING: Final = {"planner": NODES, "sampler": 8 * NODES, "oracle": 12 * NODES}
"""Positions that the stronger house bots look at for an answer."""
SHARES: Final = {"random": 1.0, "greedy": 0.0, "cautious": 0.05}
"""Shares of moves at random, in which weaker bots differ from the greedy one; authors' bots are between."""
COMMENTED: Final = 25
"""Plies from one comment of a bot to the next."""
INCREMENT_MS: Final = 500


def policy_of(bot: str, rules: engine.Variant) -> Any:
    """The way that a bot of this name plays here."""
    family = bot.partition("-")[0]
    known = bots(rules, PLANNING.get(family, NODES))
    if family in PLANNING:
        return known.planner
    dice = random.Random(bot)
    share = SHARES.get(family, 0.1 + 0.3 * dice.random())
    return known.perturbed(dice, share) if share else known.greedy


def real_game(game: Game, slugs: Sequence[str]) -> DeliveredGame:
    """What a playing process would deliver of a game of these bots."""
    start = engine.Position.parse(game.start)
    words = play(start, [policy_of(slug, start.rules) for slug in slugs]).words
    table: Any = engine.Game.of(start)
    dice = random.Random(game.start)
    clocks = [game.tournament.bank_ms] * table.players
    log: list[Any] = []
    for word in words:
        event = table.apply(word)
        told: dict[str, Any] = {"n": len(log), "ply": table.ply, **event.as_dict()}
        if start.rules.in_ticks:
            told["ms"] = [dice.randrange(2, 9), dice.randrange(2, 9)]
        else:
            took = dice.randrange(5, 90)
            clocks[event.seat] += (INCREMENT_MS if word == "h-d" else 0) - took
            told |= {"ms": took, "clocks": list(clocks)}
            if len(log) % COMMENTED == 0:
                told["comment"] = f"{table.position.left[event.seat]} cards to go"
        log.append(told)
    outcome = table.outcome()
    assert outcome is not None, f"a game of {slugs} did not end"
    result = {
        "termination": outcome.result,
        "seat": None,
        "detail": "",
        "ranking": [list(group) for group in outcome.ranking],
        "points": list(outcome.points),
        "left": list(table.position.left),
        "plies": table.ply,
        "turns": table.turns,
        "cpu_ms": [dice.randrange(400, 4000) for _ in slugs],
    }
    log.append({"n": len(log), "type": "end", "ply": table.ply, "result": result, "clocks": clocks})
    said = [{"stderr": f"{slug} is ready\n", "exit": ""} for slug in slugs]
    return DeliveredGame(log, result, said, {"level": "full"})


@seeing_hidden()
def play_next(kind: Kind = Kind.LOCAL) -> Game | None:
    """Play the game of this kind that waits longest, and return it; None if none waits."""
    held = claim_next("pictures", kind=kind)
    if held is None:
        return None
    game = Game.objects.select_related("tournament").get(pk=held.game)
    slugs = game.seats.order_by("seat").values_list("version__bot__slug", flat=True)
    accept_results([(held, real_game(game, list(slugs)))])
    return game


def play_on(tournament: Tournament, most: int = 10_000, kind: Kind = Kind.LOCAL) -> int:
    """Play what waits, of this tournament and any other that does, until there is no more or it is enough;
    return how many games it was."""
    for played in range(most):
        if play_next(kind) is None:
            advance(tournament.pk)
            if play_next(kind) is None:
                return played
    return most
