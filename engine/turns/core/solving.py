"""Endings solved: who wins with best play on both sides, once every card is known."""

from __future__ import annotations

import cython

from engine.turns.core.applying import apply, call_stop, stoppable
from engine.turns.core.buffers import ints, longs
from engine.turns.core.core import Core
from engine.turns.core.generation import generate
from engine.turns.core.planning import clear_pile_hashes, hash_after_card, hash_after_move, hash_whole_table
from engine.turns.core.proofs import EXPANDED, MOST_TURNS, NEW, NOT_PROVED, PARTLY_EXPANDED, Proofs
from engine.turns.core.snapshots import position_key, read_position
from engine.turns.core.state import become, pile_size
from engine.turns.core.tables import (
    IDLE_LIMIT,
    IRREGULAR,
    NONE,
    P_DRAWN,
    P_HAND,
    P_PASS,
    REGULAR,
    SOURCE,
    STALL_LIMIT,
    lowest,
)

MOST_LEFT = cython.declare(cython.int, 106)  # more cards than a seat can have
TRICKS = cython.declare(cython.int, 8)  # ways of going out that are tried first, for each seat
TRICK = cython.declare(cython.int, 64)  # bytes of one: how many moves, and the moves
LINE = cython.declare(cython.int, 256)  # bytes of a line of the root
UNDECIDED = cython.declare(cython.int, 2)


@cython.final
@cython.cclass
class Solver(Proofs):
    """Who wins an ending of two seats if both play their best and know every card.

    `begin` with a core, then `search` until it answers; each call goes on where the last one stopped. It
    looks at whole turns: a turn leads to every position in which it can end, and positions that differ only
    in the order of the houses or of the moves count once. Proof-number search decides which turn to look at
    next. A win is a win by the rules as they are: whatever the opponent does, calls of stop included, and
    before the limits of RULES 3.

    What it needs it takes when it is made: about 170 bytes for each of `turns`, and 860 for each of `width`,
    the positions that it looks at within one turn.
    """

    width: cython.int
    least: cython.int  # the fewest cards left in a position that waits
    root: Core
    cores: list[Core]
    places: cython.pp_void  # the cores, for code that runs without the interpreter
    parents: cython.p_int  # of positions within the turn that is looked at
    made: cython.p_uchar  # the moves that led to them
    lefts: cython.p_uchar  # cards that the mover has left
    after: cython.p_int  # the next one with as many
    heads: cython.p_int  # the first for each number of cards
    tails: cython.p_int
    codes: cython.p_ulonglong  # their tables, each one number
    seen: cython.p_ulonglong  # their keys, by the low bits; 0 is free
    last_seen: cython.int
    held: cython.p_int  # where in `seen` each is
    tricks: cython.p_uchar
    next_trick: cython.int[2]
    lines: cython.p_uchar  # one for each edge of the root, then the one that wins at once
    looked_at: cython.longlong

    def __init__(self, core: Core, turns: cython.int = 65536, width: cython.int = 4096):
        """A solver for the variant of `core`, which it begins with.

        Raises:
            ValueError: not two seats, room for less than 16 or more than a million turns, a width that is not
                from 16 to 65536, or as `begin`.
        """
        index: cython.int
        if core.wide or not 16 <= turns <= 1 << 20 or not 16 <= width <= 1 << 16:
            raise ValueError(
                f"expected two seats, 16 to 1048576 turns and a width of 16 to 65536, got {core.players},"
                f" {turns} and {width}"
            )
        self._make_room(turns)
        self.width, self.root, self.last_seen = width, core.clone(), 1
        while self.last_seen < 2 * width - 1:
            self.last_seen = 2 * self.last_seen + 1
        self.cores = [core.clone() for index in range(width + 1)]
        if not cython.compiled:
            self.places = self.cores
            self.next_trick = [0, 0]
        else:
            self.places = cython.cast(cython.pp_void, self._allocate(8 * (width + 1), "B"))
            for index in range(width + 1):
                self.places[index] = cython.cast(cython.p_void, self.cores[index])
        self.parents, self.after = ints(self._allocate(4 * width, "i")), ints(self._allocate(4 * width, "i"))
        self.held, self.heads = ints(self._allocate(4 * width, "i")), ints(self._allocate(4 * MOST_LEFT, "i"))
        self.tails = ints(self._allocate(4 * MOST_LEFT, "i"))
        self.made, self.lefts = self._allocate(width, "B"), self._allocate(width, "B")
        self.codes = longs(self._allocate(8 * width, "Q"))
        self.seen = longs(self._allocate(8 * (self.last_seen + 1), "Q"))
        self.tricks = self._allocate(2 * TRICKS * TRICK, "B")
        self.lines = self._allocate(LINE * (width + 1), "B")
        self.begin(core)

    def __reduce__(self):
        """Nothing to keep: it is what one search works on. Raises TypeError."""
        raise TypeError("cannot copy or pickle a Solver; make another of the same core")

    def begin(self, core: Core) -> None:
        """Begin with another position of the same variant.

        Raises:
            ValueError: the game is over, or an action that the opponent may rightly stop has just been made.
        """
        index: cython.int
        if core._over or (stoppable(core) and core.last != REGULAR):
            raise ValueError("expected a game that goes on, with nothing to stop")
        become(self.root, core)
        self._forget()
        self.timed = core.stall + MOST_TURNS >= STALL_LIMIT
        self.looked_at = 0
        self.next_trick[0] = self.next_trick[1] = 0
        for index in range(2 * TRICKS):
            self.tricks[TRICK * index] = 0
        self.lines[LINE * self.width] = 0
        self._find_or_add(core, hash_whole_table(core), 0)

    def search(self, positions: cython.longlong) -> int | None:
        """Look at about so many positions more, unless it is decided before.

        Returns:
            1 if the seat to move wins, -1 if it loses, 0 if neither can force a win, None if that is not yet
            known.
        """
        answer: cython.int
        with cython.nogil:
            answer = self._search(self.looked_at + positions)
        return None if answer == UNDECIDED else answer

    @property
    def positions(self) -> int:
        """How many positions were looked at."""
        return self.looked_at

    @property
    def exhausted(self) -> bool:
        """Whether looking further brings nothing."""
        return bool(self._is_solved())

    def line(self) -> tuple[int, ...]:
        """If the seat to move wins, moves up to the end of its turn after which it still wins; else none."""
        place: cython.int
        index: cython.int
        found: cython.int = -1
        if self.proofs[self.movers[0]] == 0:
            found = self.width
            for place in range(self.degrees[0]):
                index = self.edges[self.firsts[0] + place]
                if not index & 1 and self.proofs[index + self.movers[0]] == 0:
                    found = place
                    break
        if found < 0:
            return ()
        return tuple([self.lines[LINE * found + 1 + index] for index in range(self.lines[LINE * found])])

    @cython.cfunc
    @cython.exceptval(check=False)
    @cython.nogil
    def _is_solved(self) -> cython.int:
        """Whether the root's numbers are final."""
        if self.proofs[0] == 0 or self.proofs[1] == 0:
            return 1
        return self.proofs[0] >= NOT_PROVED and self.proofs[1] >= NOT_PROVED

    @cython.cfunc
    @cython.exceptval(check=False)
    @cython.nogil
    def _search(self, until: cython.longlong) -> cython.int:
        """`search`, until so many positions were looked at in all; `UNDECIDED` for None."""
        length: cython.int
        mover: cython.int = self.movers[0]
        while self.looked_at < until and not self._is_solved():
            length = self._descend(mover if self.proofs[mover] <= self.proofs[1 - mover] else 1 - mover)
            if self.states[self.path[length]] == NEW:
                self._expand(
                    self.path[length],
                    cython.cast(Core, self.places[0]),
                    cython.cast(Core, self.places[self.width]),
                )
            while length >= 0:
                self._update_numbers(self.path[length])
                length -= 1
        if self.proofs[mover] == 0:
            return 1
        if self.proofs[1 - mover] == 0:
            return -1
        return 0 if self._is_solved() and not self.cut else UNDECIDED

    @cython.cfunc
    @cython.exceptval(check=False)
    @cython.nogil
    def _expand(self, turn: cython.int, first: Core, spare: Core) -> cython.void:
        """Find out in which positions a turn can end, or that its seat can win in it."""
        index: cython.int
        count: cython.int
        become(first, self.root)
        read_position(first, self.room, self.begins[turn])
        self.firsts[turn] = self.n_edges
        if self._wins_by_known_moves(first, spare):
            self._close(turn, first._turn)
            return
        count = self._search_turn(first, turn)
        for index in range(count):
            self.seen[self.held[index]] = 0
        if self.states[turn] == NEW:
            self.states[turn] = EXPANDED
        elif self.states[turn] == PARTLY_EXPANDED:
            self.cut = 1

    @cython.cfunc
    @cython.exceptval(check=False)
    @cython.nogil
    def _wins_by_known_moves(self, first: Core, game: Core) -> cython.int:
        """Whether the seat goes out by moves that won elsewhere: mostly they win in sister positions too."""
        index: cython.int
        place: cython.int
        move: cython.int
        seat: cython.int = first._turn
        trick: cython.int
        for index in range(TRICKS):
            trick = TRICK * (TRICKS * seat + index)
            if not self.tricks[trick]:
                break
            become(game, first)
            for place in range(self.tricks[trick]):
                move = self.tricks[trick + 1 + place]
                if not game.ready:
                    generate(game)
                if not (game.words[move >> 6] >> (move & 63)) & 1:
                    break
                apply(game, move)
                self.looked_at += 1
                if game._over == 1:
                    return 1
                if game._turn != seat or (game.last == IRREGULAR and stoppable(game)):
                    break
        return 0

    @cython.cfunc
    @cython.exceptval(check=False)
    @cython.nogil
    def _search_turn(self, first: Core, turn: cython.int) -> cython.int:
        """Look at the positions within a turn, those with the fewest cards left first; answers how many."""
        count: cython.int = 1
        found: cython.int
        place: cython.int
        for place in range(MOST_LEFT):
            self.heads[place] = -1
        self.parents[0] = -1
        self._is_new(first, 0, hash_whole_table(first))
        self.least = self._cards_left(first, first._turn) + pile_size(first, P_DRAWN)
        self._queue(0, self.least)
        while True:
            while self.least < MOST_LEFT and self.heads[self.least] < 0:
                self.least += 1
            if self.least >= MOST_LEFT:
                return count
            place = self.heads[self.least]
            self.heads[self.least] = self.after[place]
            found = self._try_moves(cython.cast(Core, self.places[place]), turn, place, count)
            if found < 0:
                return -found
            count = found

    @cython.cfunc
    @cython.exceptval(check=False)
    @cython.nogil
    def _try_moves(self, here: Core, turn: cython.int, place: cython.int, count: cython.int) -> cython.int:
        """Make every move in a position within a turn; answers how many positions are known then, with a
        minus if no more need be looked at."""
        half: cython.int
        found: cython.int
        word: cython.ulonglong
        piles: cython.ulonglong[64]
        if not cython.compiled:
            piles = [0] * 64
        clear_pile_hashes(piles)
        if not here.ready:
            generate(here)
        for half in range(2):
            word = here.words[half]
            while word:
                if count == self.width:
                    self.states[turn] = PARTLY_EXPANDED
                    return -count
                found = self._try_move(
                    here,
                    cython.cast(Core, self.places[count]),
                    turn,
                    place,
                    64 * half + lowest(word),
                    count,
                    piles,
                )
                word &= word - 1
                if found < 0:
                    return -count
                count += found
        return count

    @cython.cfunc
    @cython.exceptval(check=False)
    @cython.nogil
    def _try_move(
        self,
        here: Core,
        there: Core,
        turn: cython.int,
        place: cython.int,
        move: cython.int,
        number: cython.int,
        piles: cython.p_ulonglong,
    ) -> cython.int:
        """Make a move in a position within a turn: -1 if it wins, 1 if it leads to one that is new and
        becomes that `number`, else 0.

        Whoever may call stop at an irregular move does, so that it ends the turn.
        """
        seat: cython.int = here._turn
        source: cython.int = SOURCE[here.base + move]
        forced: cython.int = 0
        code: cython.ulonglong = self.codes[place]
        self.looked_at += 1
        become(there, here)
        apply(there, move)
        self.parents[number], self.made[number] = place, move
        if there._over == 1:
            self._remember_line(turn, number, seat)
            self._close(turn, seat)
            return -1
        if source == P_HAND + seat and here.top[source] == NONE:
            code = hash_whole_table(there)  # the discard was turned over
        elif source == P_HAND + seat:
            code = hash_after_card(here, source, P_DRAWN, code, piles)
        elif source != P_PASS:
            code = hash_after_move(here, move, code, piles)
        if there.last == IRREGULAR and stoppable(there):
            call_stop(there)
            code = hash_whole_table(there)  # a card in the air has gone to the discard
            forced = self.cut = 1
        if there._over or there._turn != seat:
            # A line is kept for `width` edges of the root.
            place = (
                -2 if turn == 0 and self.degrees[0] == self.width else self._link(turn, there, code, forced)
            )
            if place == -2:
                self.states[turn] = PARTLY_EXPANDED
            elif place >= 0 and turn == 0:
                self._write_line(number, self.lines, LINE * (place - self.firsts[0]), LINE)
            return 0
        if there.idle >= IDLE_LIMIT:
            self.states[turn] = PARTLY_EXPANDED
        if not self._is_new(there, number, code):
            return 0
        # What leaves a seat's own piles does not come back in its turn.
        self._queue(number, self.lefts[place] - (16 <= source < P_HAND or source == P_DRAWN))
        return 1

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    @cython.nogil
    def _queue(self, number: cython.int, left: cython.int) -> cython.void:
        """A position waits to be looked at behind those in which as many cards are left."""
        self.lefts[number], self.after[number] = left, -1
        if self.heads[left] < 0:
            self.heads[left] = number
        else:
            self.after[self.tails[left]] = number
        self.tails[left] = number
        self.least = min(self.least, left)

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    @cython.nogil
    def _is_new(self, game: Core, number: cython.int, code: cython.ulonglong) -> cython.int:
        """Whether a position within the turn, with its table's code, was not seen before; from now on it
        was."""
        key: cython.ulonglong = position_key(game, code, 0)
        slot: cython.int = (key >> 1) & self.last_seen
        while self.seen[slot]:
            if self.seen[slot] == key:
                return 0
            slot = (slot + 1) & self.last_seen
        self.seen[slot] = key
        self.held[number], self.codes[number] = slot, code
        return 1

    @cython.cfunc
    @cython.exceptval(check=False)
    @cython.nogil
    def _write_line(
        self, number: cython.int, room: cython.p_uchar, at: cython.int, size: cython.int
    ) -> cython.int:
        """Write how many moves lead to a position within the turn, and which; 0 if there is no room."""
        length: cython.int = 0
        place: cython.int = number
        while self.parents[place] >= 0:
            length += 1
            place = self.parents[place]
        room[at] = 0
        if length >= size:
            return 0
        room[at] = length
        place = number
        while length:
            room[at + length] = self.made[place]
            place = self.parents[place]
            length -= 1
        return 1

    @cython.cfunc
    @cython.exceptval(check=False)
    @cython.nogil
    def _remember_line(self, turn: cython.int, number: cython.int, seat: cython.int) -> cython.void:
        """A seat goes out: keep the moves, to try them elsewhere."""
        if turn == 0:
            self._write_line(number, self.lines, LINE * self.width, LINE)
        if self._write_line(number, self.tricks, TRICK * (TRICKS * seat + self.next_trick[seat]), TRICK):
            self.next_trick[seat] = (self.next_trick[seat] + 1) % TRICKS
