"""Ways to play as functions of the core: what a search plays its games out with.

`greedy` chooses the best-looking single move and looks at nothing that its seat may not know. `playout` lets
every seat play so to the end of the game, which for two seats takes 10 microseconds in the compiled core.
`race_playout` is the same for `vitesse`.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from engine.core import NOBODY
from engine.errors import EngineError, quoted
from engine.moves import is_wide, texts

if TYPE_CHECKING:
    from engine.core import Core
    from engine.racecore import RaceCore

TARGETS: Final = "frdt"
"""Where the greedy bot likes a card to go, best first: foundation, reserve, discard, house."""
SOURCES: Final = "rdht"
"""Which card it likes to get rid of, best first: reserve, discard, drawn card, house."""
EMPTIES_HOUSE: Final = 34
"""The rank of a house's last card going onto another house."""
DRAW, DISCARD, NEVER = 40, 50, 99
SEAT_MOVES: Final = 128
"""Move numbers of a seat where two play."""
TICK_ORDER: Final = bytes((1, 2, 3, 4, 5, 0, 7, 8) * 2)
"""Actions of `vitesse` by number, best first, for both seats: reserve, slots, discard, turn, wait."""


@cache
def ranks(players: int, turn: int) -> bytes:
    """The greedy rank of each move number for the seat to move; the lowest is the best.

    Moves from house to house rank last here: `EMPTIES_HOUSE` takes their place where one empties a house.

    >>> table = ranks(2, 0)
    >>> [table[texts(2, 0).index(move)] for move in ("r-f", "d-r1", "t1-d1", "r-t4", "draw", "h-d", "t1-t2")]
    [0, 11, 23, 30, 40, 50, 99]
    """
    found = []
    for text in texts(players, turn):
        source, _, target = (text or "").partition("-")
        if not text or (source[0] == "t" and target[:1] == "t"):
            found.append(NEVER)
        elif not target:
            found.append(DRAW)
        elif text == "h-d":
            found.append(DISCARD)
        else:
            found.append(10 * TARGETS.index(target[0]) + SOURCES.index(source[0]))
    return bytes(found)


@cache
def _of_two() -> bytes:
    """The ranks of both seats as `Core.play_ranked` takes them."""
    return b"".join(ranks(2, turn).ljust(SEAT_MOVES, bytes([NEVER])) for turn in range(2))


def greedy(core: Core) -> int:
    """The number of the move that the house's greedy bot makes.

    To a foundation, else onto an opponent's reserve, its discard, a house, else draw; of equal ones that of
    the lowest number. Between houses only a last card moves, and only onto another card: so play has an end.

    Raises:
        EngineError: the game is over.

    >>> from engine.game import Game
    >>> game = Game.deal("crapaud", "00" * 32)
    >>> texts(2, game.turn)[greedy(game.core)]
    't6-f'
    """
    legal = core.legal()
    if not legal:
        raise EngineError("expected a game that goes on, got one that is over")
    table = ranks(core.players, core.turn)
    houses = 16 if is_wide(core.players) else 8
    found, least = -1, NEVER + 1
    for move in legal:
        rank = table[move]
        if rank == NEVER and least > EMPTIES_HOUSE and move < houses * houses:
            source, target = divmod(move, houses)
            if core.size(source) == 1 and core.top_of(target) != NOBODY:
                rank = EMPTIES_HOUSE
        if rank < least:
            found, least = move, rank
    return found


def playout(core: Core) -> Core:
    """A copy of the core, played to the end by greedy seats; the core itself stays as it is.

    It plays the cards as they lie, so sample what is hidden first (`sampling.cores`). With two seats who may
    call stop does so at each irregular action (RULES 6).

    >>> from engine.game import Game
    >>> core = Game.deal("crapette", "00" * 32, 3).core
    >>> playout(core).over > 0, core.over
    (True, 0)
    """
    copy = core.clone()
    if copy.players == 2:
        copy.play_ranked(_of_two(), EMPTIES_HOUSE)
        return copy
    while not copy.over:
        copy.push(greedy(copy))
    return copy


def race_playout(core: RaceCore, ticks: int = 1_000_000) -> RaceCore:
    """A copy of a core of `vitesse`, played on by two greedy seats to the end or for so many ticks.

    A seat stops as soon as it may and has fewer cards left. Hidden cards can be turned up and fit nowhere.

    Raises:
        EngineError: less than no ticks.

    >>> from engine.racetable import to_race_core
    >>> from engine.vitesse import deal
    >>> core = to_race_core(deal("00" * 32))
    >>> race_playout(core).over > 0, bool(core.over)
    (True, False)
    """
    if ticks < 0:
        raise EngineError(f"expected a number of ticks, got {quoted(ticks)}")
    copy = core.clone()
    copy.play_greedily(TICK_ORDER, True, ticks)
    return copy
