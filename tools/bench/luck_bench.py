"""``./crapette bench luck``: measures how many games it takes to tell two bots apart."""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections import deque
from dataclasses import dataclass
from random import Random
from time import process_time
from typing import TYPE_CHECKING, Any

import numpy as np

import engine
from analysis.formats.committed_seeds import leg_suits
from analysis.luck.measurement import luck_of
from analysis.luck.policy_agreement import tallies
from analysis.luck.subtracted_share import adjust_pairs
from analysis.training.selfplay import NODES, play
from analysis.values import VERSION
from analysis.values.seat_policies import choose_policy
from engine.policies import Bots, bots
from engine.policies.greedy import greedy
from engine.turns.core import DISCARD, DRAWN, HAND, NOBODY, RESERVE
from engine.turns.moves import texts
from tools.bench import luck_cost

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from engine.turns.core import Core

    Floats = NDArray[np.float64]
    Entrant = Callable[[Bots, Random], Any]

ELO = 20.0
SCORE = 1 / (1 + 10 ** (-ELO / 400)) - 0.5
"""What 20 Elo are in points a game: 0.0288."""
POWER = (1.959964 + 0.841621) ** 2
"""Two-sided test at 5 %, found in 80 % of the cases."""
FEWEST = 12.0
"""Six pairs that all say the same: the least that proves anything at 5 % (`analysis.verdicts.difference`)."""
RESAMPLES = 400
CLEAR = 5.0
"""Standard errors that the score of the bots that show what margins are worth must be away from even."""
HANDICAPS = (0.1, 0.25, 0.5, 0.8)
"""Shares of decisions at random, mildest first."""
LEARNED = 10
"""From so many pairs, the first ones, it is learned how a bot plays."""
YARDSTICK_PAIRS = 3
"""Pairs that show what margins are worth, for each pair of the bots to be told apart."""
METHODS = ("raw", "pairs", "pairs, margins", "pairs, adjusted", "all together", "own share")
CONVENTIONS = f"""\
The number of games needed to tell apart two bots {ELO:g} Elo apart is (1.96 + 0.84)² σ² / δ²: two-sided at
95 %, found in 80 % of the cases. It is 2,374 if every game is won or lost with equal chances. σ² is
measured on games of bots in this process. δ is {SCORE:.4f} points per game; for margins, it is multiplied
by the cards or points that correspond to a point of score. That rate is measured in other games, between
bots of clearly different strength (t of {CLEAR:g} or more). Like bots use the mildest clear handicap of the
greedy bot out of {HANDICAPS}, because the score of a much weaker bot cannot fall any further, which would
flatter the rate. Unlike bots use themselves. A dash means that no rate was clear. Pairs are the same deal
with seats swapped and suits renamed. Adjusted means without the luck of the cards turned up (analysis/luck,
version {VERSION}). The measurement is not told who plays: each seat is played on by the policy most like its
bot's games in earlier pairs (analysis/luck/policy_agreement.py), at first by the greedy bot's. Own share is
all together, with the share of luck that earlier pairs support (analysis/luck/subtracted_share.py), as in
verdicts. Mean luck is that of result and margin, in standard errors. Never below {FEWEST:g} games. Intervals:
95 % by bootstrap over pairs."""


@dataclass(frozen=True)
class Kind:
    """Two bots to be told apart, and the pairings, of which the first that is clear shows what margins are
    worth."""

    name: str
    first: Entrant
    second: Entrant
    yardsticks: tuple[tuple[Entrant, Entrant], ...]


def erring(share: float) -> Entrant:
    """The greedy bot with a share of its decisions at random."""
    return lambda bots, rng: bots.perturbed(rng, share)


def exact(bots: Bots, _: Random) -> Any:
    """The greedy bot."""
    return bots.greedy


def planning(bots: Bots, _: Random) -> Any:
    """The planner."""
    return bots.planner


KINDS = (
    Kind("like", exact, erring(0.02), tuple((exact, erring(share)) for share in HANDICAPS)),
    Kind("unlike", planning, exact, ((planning, exact),)),
)


FOREIGN_NODES = 60
RESERVE_CARD, CARD, LOADED, EMPTY_HOUSE, BUILT, PLY = 4.0, 2.0, 3.0, 1.0, 0.3, 0.01
"""What it thinks of them; the planner thinks 6, 3, 2, 2.5, 0.1 and 0.01."""


def foreign(core: Core) -> tuple[int, ...]:
    """A bot that searches as many do, and as none of the known policies: the planner's way with other values.

    Its moves up to the next unknown card, breadth first.
    """
    seat, names = core.turn, texts(2, core.turn)
    uncovering = {"r": RESERVE + seat, "d": DISCARD + seat}
    lines: deque[tuple[tuple[int, ...], Core]] = deque([((), core.clone())])
    seen = {core.table_hash()}
    most, plan = float("-inf"), ()
    while lines:
        line, here = lines.popleft()
        for move in here.legal():
            if here.irregular(move):
                continue
            name = names[move] or ""
            after = here.clone()
            closes = name in {"draw", "pass"} or here.size(uncovering.get(name[0], DRAWN)) > 1
            if name not in {"draw", "pass"}:
                after.push(move)
            if closes or after.over or after.turn != seat:
                found = _worth(after, seat) - PLY * len(line)
                if found > most:
                    most, plan = found, (*line, move)
            elif len(seen) < FOREIGN_NODES and after.table_hash() not in seen:
                seen.add(after.table_hash())
                lines.append(((*line, move), after))
    return plan or (greedy(core),)


def _worth(core: Core, seat: int) -> float:
    if core.over:
        return 1000.0
    other = 1 - seat
    own = RESERVE_CARD * core.size(RESERVE + seat)
    own += CARD * (core.size(HAND + seat) + core.size(DISCARD + seat) + core.size(DRAWN))
    theirs = core.size(RESERVE + other) + core.size(DISCARD + other)
    empty = sum(core.top_of(house) == NOBODY for house in range(8))
    return LOADED * theirs + EMPTY_HOUSE * empty + BUILT * sum(map(sum, core.heights_of())) - own


FOREIGN = Kind("foreign", lambda *_: foreign, exact, ((lambda *_: foreign, exact),))
"""A bot that searches with other values than any known policy, and the greedy bot; for games of turns."""


@dataclass(frozen=True)
class Line:
    """What was found for one variant and kind; intervals are (low, high)."""

    variant: str
    kind: str
    pairs: int
    score: float
    correlation: float
    left_result: float
    left_margin: float
    mean_result: float
    mean_margin: float
    games: dict[str, float | None]
    ratios: dict[str, float | None]
    intervals: dict[str, tuple[float, float] | None]
    seconds: float


def legs(
    variant: str, entrants: tuple[Entrant, Entrant], pairs: int, seed: str, adjust: bool = True
) -> Floats:
    """Play pairs; (pairs, 2, 4): score, margin and the luck of both, for the first bot, in each leg."""
    out = np.zeros((pairs, 2, 4))
    seen: tuple[list[dict[str, int]], list[dict[str, int]]] = ([], [])
    for number in range(pairs):
        text = hashlib.sha256(f"bench/luck/{seed}/{variant}/{number}".encode()).hexdigest()
        start = engine.deal(variant, text)
        alike = choose_policy(seen[0]), choose_policy(seen[1])  # by the pairs before this one
        for leg in range(2):
            rng = Random(f"{seed}/{number}/{leg}")
            policies = [entrant(bots(engine.variant(variant), NODES), rng) for entrant in entrants]
            begun = start.relabelled(leg_suits(text, leg, engine.SUIT_RELABELLINGS))
            played = play(begun, policies if leg == 0 else policies[::-1])
            row = [played.result / 2, played.margin, 0.0, 0.0]
            if adjust:
                luck = luck_of(begun, played.words, alike if leg == 0 else alike[::-1])
                row[2:] = [luck.result / 2, luck.margin]
                if number < LEARNED:
                    for seat, tally in enumerate(tallies(begun, played.words)):
                        seen[seat ^ leg].append(tally)
            out[number, leg] = row if leg == 0 else [-one for one in row]
    return out


def yardstick(variant: str, kind: Kind, pairs: int, seed: int) -> Floats | None:
    """The games of the first pairing whose strength differs clearly; None if none does."""
    for number, entrants in enumerate(kind.yardsticks):
        found = legs(variant, entrants, pairs, f"{seed}/{kind.name}/{number}", adjust=False)
        scores = found[:, :, 0].mean(axis=1)
        error = float(scores.std(ddof=1)) / len(scores) ** 0.5
        if abs(float(scores.mean())) > CLEAR * error:
            return found
    return None


def exchange(found: Floats) -> float:
    """Margin that goes with a point of score."""
    return float(found[:, :, 1].mean()) / (float(found[:, :, 0].mean()) or 1e-9)


def needed(found: Floats, rate: float | None) -> dict[str, float | None]:
    """Games needed by each method; None by margins if nobody knows what they are worth."""
    score, margin = found[:, :, 0], found[:, :, 1]
    fair_score, fair_margin = score - found[:, :, 2], margin - found[:, :, 3]

    def games(values: Floats, effect: float | None) -> float | None:
        if effect is None:
            return None
        each = float(values.var(ddof=1)) if values.ndim == 1 else 2 * float(values.mean(axis=1).var(ddof=1))
        return max(FEWEST, POWER * each / max(effect**2, 1e-12))

    by_margin = None if rate is None else SCORE * abs(rate)
    return {
        "raw": games(score.reshape(-1), SCORE),
        "pairs": games(score, SCORE),
        "pairs, margins": games(margin, by_margin),
        "pairs, adjusted": games(fair_score, SCORE),
        "all together": games(fair_margin, by_margin),
        "own share": games(own_share(margin, found[:, :, 3]), by_margin),
    }


def own_share(values: Floats, luck: Floats) -> Floats:
    """What `adjust_pairs` leaves of each pair, (pairs, 1)."""
    pairs = zip(values.mean(axis=1).tolist(), luck.mean(axis=1).tolist(), strict=True)
    return np.asarray(adjust_pairs(pairs))[:, None]


def against_raw(games: dict[str, float | None]) -> dict[str, float | None]:
    """How many times fewer games than raw results each method needs."""
    raw = games["raw"] or FEWEST
    return {name: None if count is None else raw / count for name, count in games.items()}


def measure(variant: str, kind: Kind, pairs: int, seed: int) -> Line:
    """One line of the table."""
    begun = process_time()
    found = legs(variant, (kind.first, kind.second), pairs, str(seed))
    scale = yardstick(variant, kind, YARDSTICK_PAIRS * pairs, seed)
    games = needed(found, None if scale is None else exchange(scale))
    chance = np.random.default_rng(seed)
    drawn: dict[str, list[float]] = {name: [] for name in METHODS}
    for _ in range(RESAMPLES):
        rate = None if scale is None else exchange(scale[chance.integers(0, len(scale), len(scale))])
        again = needed(found[chance.integers(0, len(found), len(found))], rate)
        for name, ratio in against_raw(again).items():
            if ratio is not None:
                drawn[name].append(ratio)
    intervals = {
        name: (float(np.quantile(values, 0.025)), float(np.quantile(values, 0.975))) if values else None
        for name, values in drawn.items()
    }
    return Line(
        variant,
        kind.name,
        pairs,
        0.5 + float(found[:, :, 0].mean()),
        correlation(found[:, 0, 0], found[:, 1, 0]),
        left(found[:, :, 0], found[:, :, 2]),
        left(found[:, :, 1], found[:, :, 3]),
        mean_in_errors(found[:, :, 2]),
        mean_in_errors(found[:, :, 3]),
        games,
        against_raw(games),
        intervals,
        process_time() - begun,
    )


def correlation(first: Floats, second: Floats) -> float:
    """Of the two legs' results; 0 where one does not vary."""
    if first.std() == 0 or second.std() == 0:
        return 0.0
    return float(np.corrcoef(first, second)[0, 1])


def left(values: Floats, luck: Floats) -> float:
    """The part of the variance of single games that the adjustment leaves."""
    raw = float(values.var())
    return float((values - luck).var()) / raw if raw else 1.0


def mean_in_errors(luck: Floats) -> float:
    """The mean of a luck over pairs, in its standard errors."""
    pairs = luck.mean(axis=1)
    return float(pairs.mean()) / (float(pairs.std(ddof=1)) / len(pairs) ** 0.5 or 1e-9)


def table(lines: Sequence[Line]) -> str:
    """The lines as a Markdown table."""
    head = "| variant | bots | score | legs' correlation | mean luck | variance left: result, margin | "
    head += " | ".join(METHODS) + " | raw / all together | raw / own share |"
    rows = [head, "|" + "---|" * (head.count("|") - 1)]
    for line in lines:
        counts = " | ".join(
            "–" if count is None else f"{count:,.0f}" for count in (line.games[name] for name in METHODS)
        )
        rows.append(
            f"| `{line.variant}` | {line.kind} | {line.score:.2f} | {line.correlation:+.2f} | "
            f"{line.mean_result:+.1f}, {line.mean_margin:+.1f} | "
            f"{line.left_result:.2f}, {line.left_margin:.2f} | "
            f"{counts} | {ratio(line, 'all together')} | {ratio(line, 'own share')} |"
        )
    return "\n".join(rows)


def ratio(line: Line, method: str) -> str:
    """How many times fewer games a method needs, with its interval."""
    found, within = line.ratios[method], line.intervals[method]
    return f"{found:.1f} ({within[0]:.1f}-{within[1]:.1f})" if found and within else "–"


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="./crapette bench luck", description=__doc__)
    parser.add_argument(
        "--cost", action="store_true", help="measure the CPU time of luck compared with its game instead"
    )
    parser.add_argument(
        "--games", type=int, help="games for each variant and kind of bots (default: 400; with --cost 20)"
    )
    parser.add_argument(
        "--variant",
        action="append",
        choices=tuple(engine.VARIANTS),
        help="only this variant; may be repeated",
    )
    parser.add_argument(
        "--foreign", action="store_true", help="measure a bot that no known policy plays like, against greedy"
    )
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    games = given.games or (20 if given.cost else 400)
    if games < 12:
        parser.error(f"expected --games of at least 12, got {given.games}")
    in_turns = tuple(name for name, rules in engine.VARIANTS.items() if not rules.in_ticks)
    variants = given.variant or (in_turns if given.foreign else tuple(engine.VARIANTS))
    return _cost(variants, games) if given.cost else _games(variants, games, given)


def _cost(variants: Sequence[str], games: int) -> int:
    """Measure and print what luck costs; 1 if the target is missed."""
    found = luck_cost.costs(variants, games)
    text = (luck_cost.CONVENTIONS, luck_cost.table(found), luck_cost.verdict(found))
    sys.stdout.write("\n\n".join(text) + "\n")
    return int(luck_cost.missed(found) != [])


def _games(variants: Sequence[str], games: int, given: argparse.Namespace) -> int:
    """Measure and print how many games it takes to tell bots apart."""
    lines = []
    for variant in variants:
        for kind in (FOREIGN,) if given.foreign else KINDS:
            lines.append(measure(variant, kind, games // 2, given.seed))
            sys.stderr.write(f"{variant}, {kind.name} bots: {lines[-1].seconds:.0f} s\n")
    short = [f"{line.variant} ({line.kind})" for line in lines if (line.ratios["all together"] or 0.0) < 3]
    verdict = f"not reached by {', '.join(short)}" if short else "reached everywhere"
    sys.stdout.write(f"{CONVENTIONS}\n\n{table(lines)}\n\nA third of the raw number: {verdict}.\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
