"""A game cut into *stretches*: the moves of one seat from one piece of news to the next.

News are a card that is drawn or turned up, and the end of the turn. Within a stretch nothing is left to
chance, so nothing is judged in the middle of one. Where every card is known a whole turn is one stretch.

For each stretch the house planner says what it would have done up to its own next news.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from engine.policies import planner
from engine.turns.moves import STOP, texts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from analysis.values.public_game import Chance, Table
    from engine.policies.greedy import Policy

NODES: Final = 500
"""Positions looked at for an answer, as many as the house's planner: a game takes well under a second."""


@dataclass(frozen=True, slots=True)
class PlayedLine:
    """Moves up to the first news: the table they lead to, and the card that turned up, if one did."""

    words: tuple[str, ...]
    table: Table
    chance: Chance | None


@dataclass(frozen=True, slots=True)
class Stretch:
    """The stretch of `seat` from the `first`-th word of a game on (from 0), `before` which the table lay so.

    A call of stop belongs to what it ends, though `played.words` does not have it; `until` is the place
    after it.
    """

    first: int
    until: int
    seat: int
    before: Table
    played: PlayedLine


def stretches(table: Table, words: Sequence[str]) -> Iterator[Stretch]:
    """The stretches of a game from a table on, which is played to the game's end.

    Each table that is handed out is a copy. Raises BrokenRecord.
    """
    place = 0
    while place < len(words):
        before, first = table.clone(), place
        seat, news = before.core.turn, () if before.knows_all() else ("draw",)
        chance: Chance | None = None
        while place < len(words) and words[place] != STOP:
            word = words[place]
            chance = table.follow(word)
            place += 1
            if chance is not None or word in news or table.core.over or table.core.turn != seat:
                break
        played = tuple(words[first:place])
        if chance is None and place < len(words) and words[place] == STOP:
            table.follow(STOP)
            place += 1
        yield Stretch(first, place, seat, before, PlayedLine(played, table.clone(), chance))


def plan_stretch(before: Table, policy: Policy | None = None) -> PlayedLine:
    """The planner's stretch from a table on.

    It plans again where its line only uncovers a card that was seen before.
    """
    policy, table = policy or planner(NODES), before.clone()
    seat = table.core.turn
    names = texts(2, seat)
    words: list[str] = []
    while True:
        for move in policy(table.core):
            words.append(str(names[move]))
            chance = table.push(move)
        if chance is not None or words[-1] == "draw" or table.core.over or table.core.turn != seat:
            return PlayedLine(tuple(words), table, chance)


def same_end(one: PlayedLine, other: PlayedLine) -> bool:
    """Whether two lines lead to the same table, and turn a card up on the same pile."""
    turned = [None if line.chance is None else line.chance.pile for line in (one, other)]
    return turned[0] == turned[1] and one.table.core.table_hash() == other.table.core.table_hash()
