"""``./crapette bench luck --cost``: measures the CPU time of a game's luck, compared with the game."""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from time import process_time
from typing import TYPE_CHECKING, Final

import engine
from analysis.luck.measurement import luck_of
from analysis.luck.policy_agreement import tallies
from analysis.values.seat_policies import choose_policy, of_house
from kit.bot.entrants import find
from referee.job import ClockRule, Job
from referee.supervise import PlayingProcess
from sandbox import Stage

if TYPE_CHECKING:
    from collections.abc import Sequence

PAIRINGS: Final = (("greedy", "planner"), ("random", "greedy"), ("cautious", "greedy"))
TARGET: Final = 0.25
AIM: Final = 0.1
CONVENTIONS: Final = f"""\
CPU time of a game between house bots, in the sandbox, and of its luck from the record as the arena keeps it.
The game's is that of the referee and both bots from the moment they are ready to the result; starting
processes and sandboxes is left out, though it costs more than some games. The policies of greedy, planner and
random are known, that of cautious is chosen as for uploads. Alike: comparing a game with every policy, done
for the first games of an upload in a variant. Target: at most {TARGET:g} of the game's time; aim {AIM:g}."""


@dataclass(frozen=True, slots=True)
class Cost:
    """CPU milliseconds a game: of playing it, of measuring its luck, of comparing it with every policy."""

    variant: str
    bots: tuple[str, str]
    games: int
    game_ms: float
    luck_ms: float
    alike_ms: float
    reveals: float

    @property
    def ratio(self) -> float:
        """Luck's part of the game's time."""
        return self.luck_ms / self.game_ms


def cost(stage: Stage, variant: str, bots: tuple[str, str], games: int) -> Cost:
    """Play games of two house bots and measure the luck of each."""
    seats = [find(name).seat(stage) for name in bots]
    seen: tuple[list[dict[str, int]], list[dict[str, int]]] = ([], [])
    known = [of_house(name, ticks=engine.variant(variant).in_ticks) for name in bots]
    rows = []
    with PlayingProcess(stage) as process:
        for number in range(games):
            start = str(engine.deal(variant, f"{number // 2 + 1:064x}"))
            order = seats if number % 2 == 0 else seats[::-1]
            game = process.start(Job(variant, start, tuple(order), ClockRule()))
            events = [event for batch in game.batches() for event in batch]
            if game.result is None:
                raise RuntimeError(f"expected game {number} of {variant} to end")
            begun = process_time()
            words, position = engine.words_of(events), engine.Position.parse(start)
            alike = [given or choose_policy(own) for given, own in zip(known, seen, strict=True)]
            luck = luck_of(position, words, (alike[number % 2], alike[1 - number % 2]))
            measured = process_time()
            for seat, tally in enumerate(tallies(position, words)):
                seen[seat ^ (number % 2)].append(tally)
            spent = 1000 * (measured - begun), 1000 * (process_time() - measured)
            rows.append((game.result["cpu_us"]["play"] / 1000, *spent, luck.reveals))
    return Cost(variant, bots, games, *map(statistics.fmean, zip(*rows, strict=True)))


def costs(variants: Sequence[str], games: int) -> list[Cost]:
    """What luck costs in each variant and pairing; the first game of a process warms it up."""
    stage = Stage.ensure()
    for variant in variants:
        cost(stage, variant, PAIRINGS[0], 1)
    return [cost(stage, variant, bots, games) for variant in variants for bots in PAIRINGS]


def table(found: Sequence[Cost]) -> str:
    """The costs as a Markdown table."""
    rows = [
        "| variant | bots | game, ms | luck, ms | luck / game | alike, ms | cards |",
        "|---|---|---|---|---|---|---|",
    ]
    rows += [
        f"| `{each.variant}` | {', '.join(each.bots)} | {each.game_ms:.0f} | {each.luck_ms:.1f} | "
        f"{each.ratio:.2f} | {each.alike_ms:.1f} | {each.reveals:.0f} |"
        for each in found
    ]
    return "\n".join(rows)


def missed(found: Sequence[Cost]) -> list[str]:
    """The lines that miss the target."""
    return [f"{each.variant} ({', '.join(each.bots)})" for each in found if each.ratio > TARGET]


def verdict(found: Sequence[Cost]) -> str:
    """Where the target is missed."""
    variants = missed(found)
    return f"The target is missed in {', '.join(variants)}." if variants else "The target is reached."
