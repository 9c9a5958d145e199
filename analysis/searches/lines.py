"""What lines of play are worth: two bots' answers to the same position, compared.

The ends of the lines are valued as in `mistakes`: by the arena's value function, as the mean over the cards
that could turn up there. A line may end within the turn: then the seat still moves. Nobody finishes it, since
a bot that moves a card to and fro would be praised for what the finisher does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis.searches.stretches import PlayedLine
from analysis.searches.win_chances import End, mean_result, value_ends
from analysis.serving_guard import thinks
from analysis.values.function import ValueFunction, load
from analysis.values.public_game import Table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from analysis.values.public_game import Chance
    from engine import TurnPosition

    Lines = Sequence[Sequence[str]]


@thinks
def worths(
    start: TurnPosition, words: Sequence[str], lines: Mapping[int, Lines], values: ValueFunction | None = None
) -> dict[int, list[float]]:
    """The worth of each line, in points of a game (0 to 1) for the seat that plays it.

    `lines` are by place: how many of the game's `words` were played before.

    Raises:
        UnknownValues: the variant has no value function.
        BrokenRecord: the words are not moves of a game from there, or a line is none.
    """
    values = values or load(start.variant)
    table, ends, seats = Table(start), list[End](), list[int]()
    for place in range(len(words) + 1):
        for line in lines.get(place, ()):
            seats.append(table.core.turn)
            ends.append(_end(values, table.clone(), line))
        if place < len(words):
            table.follow(words[place])
    found = zip(ends, value_ends(ends, values), seats, strict=True)
    taken = iter([(1 + mean_result(end, valued) * (1 - 2 * seat)) / 2 for end, valued, seat in found])
    return {place: [next(taken) for _ in lines[place]] for place in sorted(lines) if place <= len(words)}


def _end(values: ValueFunction, table: Table, line: Sequence[str]) -> End:
    """Where a line leads, up to the first news."""
    seat = table.core.turn
    chance: Chance | None = None
    for word in line:
        chance = table.follow(word)
        if chance is not None or word == "draw" or table.core.over or table.core.turn != seat:
            break
    return End.of(values, PlayedLine(tuple(line), table, chance))
