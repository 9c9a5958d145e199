"""A game in progress as small integers and 64-bit sets: what search and playouts work on.

*Cards* are ids ``4 * kind + copy`` (`cards.kind`), 208 for none, so that equal cards of several packs stay
apart. *Piles* are linked lists: ``top[pile]`` and ``below[id]``; every move is one pop and one push. *Moves*
are the bit indices described in `turns.moves`. *Sets of houses* are bit masks: ``at[kind]`` holds the houses
with that top (``at[52]`` the empty ones), and ``link`` one bit for each pair of houses whose tops build, kept
up to date as tops change.

Positions come and go through `Core.load` and the accessors; `turns.game` and `turns.position` are the
readable side of it.
"""

from __future__ import annotations

from types import SimpleNamespace

import cython

from engine.bits import ALL64, GOLDEN, ONE, mix
from engine.turns.core import plain_steps
from engine.turns.core.applying import apply, call_stop, place_of, stoppable
from engine.turns.core.generation import check, generate, is_irregular, is_legal, list_moves
from engine.turns.core.hashing import hash_position
from engine.turns.core.plain import add_slots
from engine.turns.core.planning import MOST_ENDS, NO_PLANS, check_nodes, plan_turn, read_plans
from engine.turns.core.playouts import (
    check_ranks,
    floors_of,
    margin,
    perft,
    pick_move,
    pick_ranked,
    play_ranked,
    result,
)
from engine.turns.core.readable import Readable
from engine.turns.core.state import become, ending, fill, pack_counters, rename, retop
from engine.turns.core.tables import (
    EMPTY,
    NONE,
    P_FOUNDATION,
    P_HAND,
    P_PASS,
    P_RESERVE,
    SOURCE,
    STOPPABLE,
    TARGET,
)
from engine.turns.core.texts import spell_legal, spell_public
from engine.turns.core.undoing import push, undo


@cython.final
@cython.cclass
class Core(Readable):
    """A game in progress as integers: the fast path for search.

    Build one with `Game(position).core` or `load`. ``legal()`` and ``step(move)`` answer tuples of move
    numbers; `moves.texts(players, turn)` turns a number into text.
    """

    def __init__(self, variant, players: cython.int):
        """An empty table for `players` seats of a `variants.Variant`; fill it with `load`."""
        if not cython.compiled:
            self.below, self.top, self.at = [208] * 212, [208] * 32, [0] * 56
            self.heights, self.completed = [0] * 16, [0] * 4
            self.link, self.words = [0] * 4, [0] * 7
        self._players = players
        self.wide = players > 2
        self.build = variant.build * 64
        self.needs_room = variant.needs_room
        self.own_discard = variant.own_discard
        self.must_place = variant.must_place
        self.drawing = variant.draw
        self.order = variant.order
        self.scheme = variant.points
        self.ready = self.best = 0

    def load(self, piles, heights, completed, emptied, out, state) -> None:
        """Set the whole table up.

        Args:
            piles: 29 sequences of card ids, bottom to top: houses, reserves, discards, hands, drawn.
            heights: the n foundation heights of each suit, highest first.
            completed: foundations completed by each seat.
            emptied, out: seats in the order in which they emptied their reserve and went out.
            state: turn, laying turns left (0 in play), quota, idle, stall, passes, mute bits, last mark
                (0-3), turn number.
        """
        suit: cython.int
        index: cython.int
        house: cython.int
        for pile in range(29):
            fill(self, pile, piles[pile])
        self.due = 0
        for suit in range(4):
            for index in range(self._players):
                height: cython.int = heights[suit][index]
                self.heights[4 * suit + index] = height
                if height < 13:
                    self.due |= ONE << (13 * suit + height)
        for index in range(self._players):
            self.completed[index] = completed[index]
        self.n_emptied, self.n_out = len(emptied), len(out)
        self.emptied = sum(seat << 4 * place for place, seat in enumerate(emptied))
        self.out = sum(seat << 4 * place for place, seat in enumerate(out))
        self._turn, self.lay, self.quota, self.idle, self.stall, self.passes, self.mute, self.last = state[:8]
        self._turn_number = state[8]
        self.base = 512 * (4 * (self._players - 2) + self._turn)
        for index in range(56):
            self.at[index] = 0
        self.at[EMPTY] = (1 << 4 * self._players) - 1
        for index in range(4):
            self.link[index] = 0
        self.fit = 0
        for house in range(4 * self._players):
            retop(self, house, EMPTY, self.top[house] >> 2)
        self._over = ending(self)
        self.ready = False

    @cython.ccall
    def legal(self) -> tuple[int, ...]:
        """The numbers of the legal moves, ascending; empty when the game is over."""
        if not self.ready:
            generate(self)
        return list_moves(self)

    @cython.ccall
    def step(self, move: cython.int) -> tuple[int, ...]:
        """Carry out a legal move and answer the legal moves after it, in one crossing.

        Raises:
            ValueError: the move is not legal.
        """
        apply(self, check(self, move))
        generate(self)
        return list_moves(self)

    def push(self, move: cython.int) -> int:
        """Carry out a legal move and answer the token that `undo` takes back.

        Raises:
            ValueError: the move is not legal.
        """
        return push(self, check(self, move))

    def advance(self, moves: list[int]) -> int:
        """Carry out moves up to the first that turns up a card or ends the turn; answer how many that were.

        If one is not legal, those before it are carried out and the answer is ``~count`` of them.
        """
        count: cython.int = 0
        turn: cython.int = self._turn
        move: cython.int
        source: cython.int
        for move in moves:
            if not is_legal(self, move):
                return ~count
            source = SOURCE[self.base + move]
            apply(self, move)
            count += 1
            if self._over or self._turn != turn or source == P_HAND + turn:
                break
            if P_RESERVE <= source < P_HAND and self.top[source] != NONE:
                break
        return count

    def trace(self, moves: list[int]) -> list[tuple[int, int, int, int, tuple[int, ...] | None]]:
        """Carry out legal moves, of several turns if need be, and tell of each what an event does.

        That is: the card moved (208: none; 256 more if the discard was turned over for it), the card then on
        top of the pile it left (208: none), the place of the foundation it went to among those of its suit
        (else -1), the counters (see `counters`), and, only where one of these changed, turn, laying turns,
        quota, turn number and how many seats are out.

        Raises:
            ValueError: a move is not legal; those before it were carried out.
        """
        told: list[tuple[int, int, int, int, tuple[int, ...] | None]] = []
        move: cython.int
        card: cython.int
        source: cython.int
        place: cython.int
        below: cython.int
        number: cython.int
        counters: cython.int
        before: cython.ulonglong
        after: cython.ulonglong
        for move in moves:
            check(self, move)
            source = SOURCE[self.base + move]
            place = -1
            if TARGET[self.base + move] == P_FOUNDATION:
                place = place_of(self, self.top[source] >> 2)
            before = pack_counters(self) >> 24
            number = self._turn_number
            card = apply(self, move)
            below = NONE if source == P_PASS else self.top[source]
            after = pack_counters(self)
            counters = after & 0xFFFFFF
            if before == after >> 24 and number == self._turn_number:
                told.append((card, below, place, counters, None))
            else:
                state = (self._turn, self.lay, self.quota, self._turn_number, self.n_out)
                told.append((card, below, place, counters, state))
        return told

    def public_text(self, name: str, faces: bytes) -> str:
        """The line of the position as every seat may see it (RULES 1).

        Args:
            name: the variant's.
            faces: the two letters of each kind of card.
        """
        room: cython.uchar[1024]
        if not cython.compiled:
            room = [0] * 1024
        letters: cython.p_uchar = faces
        end: cython.int = spell_public(room, 0, self, letters)
        return name + bytes(room[:end]).decode("ascii")

    def legal_text(self, book: bytes) -> str:
        """The legal moves as a JSON list.

        Args:
            book: ten bytes a move, in the order wanted: its number in two, how many letters, and the letters.
        """
        if not self.ready:
            generate(self)
        room: cython.uchar[4608]
        if not cython.compiled:
            room = [0] * 4608
        entries: cython.p_uchar = book
        end: cython.int = spell_legal(room, self, entries, len(book) // 10)
        return bytes(room[:end]).decode("ascii")

    def undo(self, token: cython.ulonglong) -> None:
        """Take back the last move or stop, given the token that `push` or `stop` answered for it."""
        undo(self, token)

    def stop(self) -> int:
        """The opponent calls stop (RULES 6); answers a token for `undo`.

        Raises:
            ValueError: there is nothing to stop, the opponent is mute, or the mark is unknown.
        """
        if not stoppable(self) or self.last == 3:
            raise ValueError("expected an action that the opponent may stop")
        return call_stop(self)

    def can_stop(self) -> bool:
        """Whether the opponent of the mover may call stop now, rightly or not."""
        return bool(stoppable(self))

    def irregular(self, move: cython.int) -> bool:
        """Whether a legal move would break the order of precedence; False where nobody can call stop.

        Raises:
            ValueError: the move is not legal.
        """
        check(self, move)
        return self.order == STOPPABLE and bool(is_irregular(self, move))

    def clone(self) -> Core:
        """A copy that shares nothing."""
        new: Core = Core.__new__(Core)
        become(new, self)
        return new

    def __copy__(self):
        """`clone`."""
        return self.clone()

    def __deepcopy__(self, memo):
        """`clone`."""
        return self.clone()

    def __reduce__(self):
        """By the variant as numbers and what `load` takes."""
        rules = (self.build >> 6, self.needs_room, self.own_discard, self.must_place, self.drawing)
        piles = [self.pile(number) for number in range(29)]
        table = (piles, self.heights_of(), *self.tally(), self.state())
        return core_of, ((*rules, self.order, self.scheme), self._players, table)

    def playout(self, seed: cython.ulonglong, limit: cython.int = 1000000) -> int:
        """Play uniformly random legal moves to the end of the game, or `limit` plies; answers the plies
        played.

        The seed alone decides the moves (splitmix64), compiled or not. Nobody calls stop.
        """
        state: cython.ulonglong = seed
        plies: cython.int = 0
        while not self._over and plies < limit:
            state = (state + GOLDEN) & ALL64
            apply(self, pick_move(self, mix(state) >> 32))
            plies += 1
        return plies

    def play_ranked(self, ranks: bytes, lone: cython.int) -> int:
        """Play to the end of the game, at each ply the legal move of the least rank, of equal ones the lowest
        number; return the plies played.

        Args:
            ranks: for each seat one for each move number: 128 where two play, else 448.
            lone: the rank of a house's only card going onto another house's card, in place of `ranks`.

        Who may call stop does so at each irregular action (RULES 6).

        Raises:
            ValueError: there are not so many ranks.
        """
        check_ranks(self, ranks)
        order: cython.p_uchar = ranks
        plies: cython.int
        with cython.nogil:
            plies = play_ranked(self, order, lone)
        return plies

    def ranked(self, ranks: bytes, lone: cython.int) -> int:
        """The move that `play_ranked` plays here, -1 if the game is over. Raises ValueError as it does."""
        check_ranks(self, ranks)
        order: cython.p_uchar = ranks
        return -1 if self._over else pick_ranked(self, order, lone, floors_of(self, order))

    def planned(self, nodes: cython.int) -> tuple[int, ...]:
        """The moves that the house planner answers here, looking at up to `nodes` positions.

        Breadth first over the seat's own moves up to the next one that uncovers a card, draws, ends the turn
        or goes out, so that no card is looked at that the seat may not know. Empty if there are none.

        Raises:
            ValueError: not from 1 to 512 nodes.
        """
        check_nodes(nodes)
        if not cython.compiled:
            line = [0] * 512
            return tuple(line[: 0 if self._over else plan_turn(self, nodes, line, NO_PLANS, 0)])
        found: cython.ushort[512]
        length: cython.int = 0 if self._over else plan_turn(self, nodes, found, NO_PLANS, 0)
        return tuple([found[index] for index in range(length)])

    def plans(self, nodes: cython.int, most: cython.int) -> list[tuple[int, tuple[int, ...]]]:
        """Up to `most` of the lines among which `planned` chooses, each with its worth in hundredths of a
        card, best first, of equal ones the first found.

        Raises:
            ValueError: not from 1 to 512 nodes.
        """
        check_nodes(nodes)
        line: cython.ushort[512]
        room: cython.int[13313]
        if not cython.compiled:
            line, room = [0] * 512, [0] * 13313
        if self._over or not plan_turn(self, nodes, line, room, MOST_ENDS):
            return []
        return read_plans(room, most)

    def worth(self) -> tuple[int, int]:
        """What a finished game of two was worth to seat 0: 1 for a win, 0 for a draw, -1 for a loss, and how
        much it is ahead, in points, or in cards left where no points were made (RULES 3, 5, 6)."""
        return result(self), margin(self)

    def exchanged(self, names: bytes) -> Core:
        """A copy in which other cards lie in reserves, discards, hands and in the air: ``names[card]``, an
        id, in the place of each card.

        Args:
            names: for each of the 208 ids and `NOBODY` the id that takes its place; a permutation that
                leaves what lies in houses where it is.

        Raises:
            ValueError: not so many names.
        """
        if len(names) != 209:
            raise ValueError(f"expected 209 names, got {len(names)}")
        new: Core = Core.__new__(Core)
        order: cython.p_uchar = names
        become(new, self)
        rename(new, self, order, 0)
        return new

    def perft(self, depth: cython.int) -> int:
        """The number of sequences of `depth` moves from here, the mover's moves only (RULES 8)."""
        return perft(self, depth)

    def hash(self) -> int:
        """64 bits of the whole position: equal positions, equal hash."""
        return hash_position(self, False)

    def canonical_hash(self) -> int:
        """The same with the houses as a multiset: equal too for positions that differ only in their order."""
        return hash_position(self, True)

    def table_hash(self) -> int:
        """`canonical_hash` without counters and tally, for search within a turn."""
        return hash_position(self, 2)

    def counters(self) -> int:
        """Idle (7 bits from the lowest), stall (8), passes (3), the mute seats (4), the last mark (2)."""
        return pack_counters(self) & 0xFFFFFF


if not cython.compiled:
    Core = add_slots(Core)
    Core.step, Core.legal, Core.push = plain_steps.step, plain_steps.legal, plain_steps.push


def core_of(rules: tuple[int, ...], players: int, table: tuple[object, ...]) -> Core:
    """A core by what `Core.__reduce__` tells of it: how cores are pickled."""
    names = ("build", "needs_room", "own_discard", "must_place", "draw", "order", "points")
    core = Core(SimpleNamespace(**dict(zip(names, rules, strict=True))), players)
    core.load(*table)
    return core
