"""Brackets for single and double elimination, as a graph of matches.

Seeds stand in the usual places: the first two can only meet in the final. Missing entrants are byes. In
double elimination the losers of each round of the winners' bracket (W) drop into the losers' bracket (L), in
reverse order, so that a rematch comes late. The winners of both brackets meet in the grand final (GF). If the
one from the losers' bracket wins, they meet again (GF2), because each has then lost once. While a match is
level, further pairs are played; who wins it then is decided here, too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from analysis.formats.standings import Row

EXTRA_PAIRS: Final = 3
"""Pairs added one by one while a knock-out match is level."""
FINAL_EXTRA: Final = "final_extra"
"""The option of an event with how many its finals have; older events have as many as in other matches."""
FINAL_EXTRA_PAIRS: Final = EXTRA_PAIRS + 4
"""The champion of an event is to be found at the table, so a level final goes on for longer."""

MATCH_POINTS: Final = {"first": (1.0, 0.0), "second": (0.0, 1.0), "drawn": (0.5, 0.5)}
"""What a match to points is worth to both."""


@dataclass(frozen=True, slots=True)
class Source:
    """Where an entrant of a match comes from: a seed (from 0), or the winner or loser of another match."""

    kind: str
    seed: int = -1
    match: str = ""


@dataclass(frozen=True, slots=True)
class Node:
    """A match: its label ("W2.1": second round of the winners' bracket, first match) and its two sources."""

    label: str
    first: Source
    second: Source

    @property
    def stage(self) -> str:
        """The round of its bracket: "W2"."""
        return self.label.partition(".")[0]


@dataclass(frozen=True, slots=True)
class State:
    """A bracket after some results: matches to be played now, sides known so far, champion, places.

    `sides[label]` are the two entrants of a match, None for a bye; only matches with both sides known are
    in it.
    """

    ready: list[tuple[str, int, int]]
    sides: dict[str, tuple[int | None, int | None]]
    champion: int | None
    places: list[list[int]]


def seed_order(size: int) -> list[int]:
    """Return the seeds (from 0) in their order in the bracket; `size` is a power of two."""
    order = [0]
    while len(order) < size:
        order = [seed for one in order for seed in (one, 2 * len(order) - 1 - one)]
    return order


def bracket(entrants: int, *, double: bool = False) -> list[Node]:
    """Return the matches for this many entrants, each after its sources."""
    size = 1 << max(1, (entrants - 1).bit_length())
    order = seed_order(size)
    nodes = [
        Node(f"W1.{table + 1}", Source("seed", order[2 * table]), Source("seed", order[2 * table + 1]))
        for table in range(size // 2)
    ]
    rounds = size.bit_length() - 1
    for number in range(2, rounds + 1):
        nodes += _winners_meet(f"W{number}", f"W{number - 1}", size >> number)
    return [*nodes, *_losers(size, rounds)] if double else nodes


def resolve(entrants: Sequence[int | None], nodes: Sequence[Node], winners: Mapping[str, int]) -> State:
    """Apply results (winner by label) to a bracket; `entrants` are in the order of their seeds, None where
    nobody is known yet."""
    outcomes: dict[str, tuple[int | None, int | None]] = {}
    sides: dict[str, tuple[int | None, int | None]] = {}
    ready: list[tuple[str, int, int]] = []
    lost: dict[int, list[str]] = {}
    for node in nodes:
        if node.label == "GF2" and not _needs_reset(sides, outcomes):
            continue
        found = [_side(source, entrants, outcomes) for source in (node.first, node.second)]
        if any(known is False for known, _ in found):
            continue
        one, other = (who for _, who in found)
        sides[node.label] = (one, other)
        if one is None or other is None:
            outcomes[node.label] = (other if one is None else one, None)
        elif node.label in winners:
            winner = winners[node.label]
            loser = other if winner == one else one
            outcomes[node.label] = (winner, loser)
            lost.setdefault(loser, []).append(node.stage)
        else:
            ready.append((node.label, one, other))
    champion = _champion(nodes, sides, outcomes)
    return State(ready, sides, champion, _places(nodes, lost, champion, len(entrants)))


def went_on(
    nodes: Sequence[Node], winners: Mapping[str, int], met: Mapping[str, Sequence[int]]
) -> dict[str, int]:
    """Return the winner of each match by label, of those before a match that is made whoever went on to it.

    `met` are the two entrants of each match that is made, by label. A pair that is voided after that may
    change the score of a match, but not who plays the next one.
    """
    found = dict(winners)
    for node in nodes:
        for source in (node.first, node.second):
            before = met.get(source.match, ())
            came = [one for one in before if one in met.get(node.label, ())]
            if len(came) == 1:
                others = [one for one in before if one not in came]
                found[source.match] = (came if source.kind == "winner" else others)[0]
    return found


def _winners_meet(stage: str, before: str, count: int) -> list[Node]:
    """Return a round in which the winners of neighbouring matches meet."""
    return [
        Node(
            f"{stage}.{table}",
            Source("winner", match=f"{before}.{2 * table - 1}"),
            Source("winner", match=f"{before}.{2 * table}"),
        )
        for table in range(1, count + 1)
    ]


def _losers(size: int, rounds: int) -> list[Node]:
    """The losers' bracket and the grand finals."""
    nodes: list[Node] = []
    last = Source("loser", match="W1.1")
    if rounds > 1:
        nodes += [
            Node(f"L1.{t}", Source("loser", match=f"W1.{2 * t - 1}"), Source("loser", match=f"W1.{2 * t}"))
            for t in range(1, size // 4 + 1)
        ]
        for number in range(2, rounds + 1):
            count, stage = size >> number, 2 * number - 2
            nodes += [
                Node(
                    f"L{stage}.{table}",
                    Source("winner", match=f"L{stage - 1}.{table}"),
                    Source("loser", match=f"W{number}.{count + 1 - table}"),
                )
                for table in range(1, count + 1)
            ]
            if number < rounds:
                nodes += _winners_meet(f"L{stage + 1}", f"L{stage}", count // 2)
        last = Source("winner", match=f"L{2 * rounds - 2}.1")
    nodes.append(Node("GF", Source("winner", match=f"W{rounds}.1"), last))
    nodes.append(Node("GF2", Source("winner", match="GF"), Source("loser", match="GF")))
    return nodes


def _side(
    source: Source, entrants: Sequence[int | None], outcomes: Mapping[str, tuple[int | None, int | None]]
) -> tuple[bool, int | None]:
    """Whether it is known who comes from a source, and who (None: a bye)."""
    if source.kind == "seed":
        if source.seed >= len(entrants):
            return True, None
        return entrants[source.seed] is not None, entrants[source.seed]
    if source.match not in outcomes:
        return False, None
    winner, loser = outcomes[source.match]
    return True, winner if source.kind == "winner" else loser


def _needs_reset(
    sides: Mapping[str, tuple[int | None, int | None]], outcomes: Mapping[str, tuple[int | None, int | None]]
) -> bool:
    """Whether the winner of the losers' bracket won the grand final."""
    return "GF" in outcomes and outcomes["GF"][0] == sides["GF"][1]


def _champion(
    nodes: Sequence[Node],
    sides: Mapping[str, tuple[int | None, int | None]],
    outcomes: Mapping[str, tuple[int | None, int | None]],
) -> int | None:
    """Return the champion, or None while that is open."""
    if nodes[-1].label != "GF2":
        return outcomes.get(nodes[-1].label, (None, None))[0]
    if "GF" in outcomes and not _needs_reset(sides, outcomes):
        return outcomes["GF"][0]
    return outcomes.get("GF2", (None, None))[0]


def _places(
    nodes: Sequence[Node], lost: Mapping[int, list[str]], champion: int | None, entrants: int
) -> list[list[int]]:
    """Return groups of equal place: the champion first, then by how late they lost their last match.

    Only entrants that are out have a place.
    """
    allowed = 2 if nodes[-1].label == "GF2" else 1
    stages = list(dict.fromkeys(node.stage for node in nodes))
    out: dict[int, list[int]] = {}
    for one, stages_lost in lost.items():
        if one != champion and (len(stages_lost) >= allowed or champion is not None):
            out.setdefault(_depth(stages_lost[-1], stages), []).append(one)
    groups = [sorted(out[depth]) for depth in sorted(out, reverse=True)]
    if champion is not None:
        groups.insert(0, [champion])
    return groups if entrants else []


def _depth(stage: str, stages: Sequence[str]) -> int:
    """Return how late a stage is played; the grand final comes last."""
    return stages.index(stage)


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """A match of the bracket whose planned pairs are all played, `extra` of them added to break a tie, of
    `most` that may be."""

    label: str
    entrants: tuple[int, int]
    points: tuple[float, float]
    margin: float
    extra: int
    most: int = EXTRA_PAIRS


def most_extra(label: str, nodes: Sequence[Node], options: Mapping[str, object]) -> int:
    """Return how many extra pairs a match of this bracket may have, by its label and its event's options."""
    asked = options.get(FINAL_EXTRA)
    finals = ("GF", "GF2") if nodes[-1].label == "GF2" else (nodes[-1].label,)
    return asked if isinstance(asked, int) and label in finals else EXTRA_PAIRS


def goes_on(match: PlayedMatch, seeds: tuple[int, int]) -> int | None:
    """Return who advances, 0 or 1, or None if another pair must be played.

    More points win. If the points are level after all extra pairs, the larger margin decides (of the first
    over the second), then the better (lower) seed.
    """
    first, second = match.points
    if first != second:
        return 0 if first > second else 1
    if match.extra < match.most:
        return None
    if match.margin:
        return 0 if match.margin > 0 else 1
    return 0 if seeds[0] < seeds[1] else 1


def winners(played: Iterable[PlayedMatch], seeds: Mapping[int, int]) -> tuple[dict[str, int], list[str]]:
    """Return the winner of each match by label, and the labels of level matches that need another pair."""
    won: dict[str, int] = {}
    level: list[str] = []
    for match in played:
        one, other = match.entrants
        side = goes_on(match, (seeds[one], seeds[other]))
        if side is None:
            level.append(match.label)
        else:
            won[match.label] = match.entrants[side]
    return won, level


def order_by_place(rows: Sequence[Row], groups: Iterable[Sequence[int]]) -> list[Row]:
    """Return rows in the order of a decided bracket; `groups` are entrants of equal place, best first."""
    place, places = 1, {}
    for group in groups:
        places.update(dict.fromkeys(group, place))
        place += len(group)
    for row in rows:
        row.place = places.get(row.entrant, row.place)
    return sorted(rows, key=lambda row: row.place)
