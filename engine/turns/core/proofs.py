"""A graph of turns with proof numbers: which turn to look at next, and what is proved (Allis 1994)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cython

from engine.turns.core.buffers import ints, longs
from engine.turns.core.snapshots import MOST_BYTES, position_key, write_position
from engine.turns.core.state import pile_size
from engine.turns.core.tables import P_DISCARD, P_HAND, P_RESERVE

if TYPE_CHECKING:
    from engine.turns.core.core import Core

NOT_PROVED = cython.declare(cython.int, 1 << 30)  # the proof number of what cannot be proved
MOST_SUM = cython.declare(cython.int, (1 << 30) - 1)  # of numbers; turns reached in many ways count in each
MOST_TURNS = cython.declare(cython.int, 60)  # no search looks further ahead

# What is known of a turn.
NEW = cython.declare(cython.int, 0)
EXPANDED = cython.declare(cython.int, 1)
PARTLY_EXPANDED = cython.declare(cython.int, 2)  # some of the positions it can end in are missing
CLOSED = cython.declare(cython.int, 3)  # its numbers are final


@cython.cclass
class Proofs:
    """Turns, each the position in which it begins, and the turns that follow from them.

    A turn has two pairs of numbers, one for each seat's win: how many turns at least must still be proved for
    it, and how many refuted to refute it. A turn is told from others by its position and by how many turns
    after the root it comes, so that no line leads back to it.
    """

    most: cython.int
    views: list[object]
    room: cython.p_uchar  # the positions
    begins: cython.p_int  # where each begins
    keys: cython.p_ulonglong
    slots: cython.p_int  # 1 + the number of a turn, by the low bits of its key; 0 is free
    last_slot: cython.int
    depths: cython.p_uchar
    movers: cython.p_uchar
    states: cython.p_uchar
    marks: cython.p_int  # 1 + the turn that was last found to lead there
    firsts: cython.p_int  # the first of its edges
    degrees: cython.p_int
    proofs: cython.p_int  # two for each turn, by seat
    refutations: cython.p_int
    edges: cython.p_int  # twice the turn it leads to, plus 1 if only the opponent's stop leads there
    path: cython.p_int
    n_turns: cython.int
    n_edges: cython.int
    n_room: cython.int
    cut: cython.int  # whether anything was left out, so that no draw is proved
    timed: cython.int  # whether turns are told apart by their stall (RULES 3)

    @cython.cfunc
    def _allocate(self, size: cython.Py_ssize_t, form: str) -> cython.p_uchar:
        """Room for numbers of a form, 0 at first, which is held as long as this lives."""
        view = memoryview(bytearray(size)).cast("B").cast(form)  # type: ignore[call-overload]
        self.views.append(view)
        return core_address(view) if cython.compiled else view

    @cython.cfunc
    def _make_room(self, turns: cython.int):
        """Room for so many turns."""
        self.views, self.most, self.last_slot = [], turns, 1
        while self.last_slot < 2 * turns:
            self.last_slot *= 2
        self.last_slot -= 1
        self.room = self._allocate(96 * turns + MOST_BYTES, "B")
        self.keys = longs(self._allocate(8 * turns, "Q"))
        self.begins = ints(self._allocate(4 * turns, "i"))
        self.slots = ints(self._allocate(4 * (self.last_slot + 1), "i"))
        self.depths, self.movers = self._allocate(turns, "B"), self._allocate(turns, "B")
        self.states = self._allocate(turns, "B")
        self.marks, self.firsts = ints(self._allocate(4 * turns, "i")), ints(self._allocate(4 * turns, "i"))
        self.degrees = ints(self._allocate(4 * turns, "i"))
        self.proofs, self.refutations = (
            ints(self._allocate(8 * turns, "i")),
            ints(self._allocate(8 * turns, "i")),
        )
        self.edges = ints(self._allocate(24 * turns, "i"))
        self.path = ints(self._allocate(4 * (MOST_TURNS + 2), "i"))

    @cython.cfunc
    @cython.exceptval(check=False)
    @cython.nogil
    def _forget(self) -> cython.void:
        """No turn is known."""
        index: cython.int
        for index in range(self.last_slot + 1):
            self.slots[index] = 0
        self.n_turns = self.n_edges = self.n_room = self.cut = 0

    @cython.cfunc
    @cython.exceptval(check=False)
    @cython.nogil
    def _find_or_add(self, core: Core, code: cython.ulonglong, depth: cython.int) -> cython.int:
        """The number of the turn that begins with a position, with its table's code; -1 if there is no room
        for another."""
        extra: cython.ulonglong = depth | core.stall << 8 if self.timed else depth
        key: cython.ulonglong = position_key(core, code, extra)
        slot: cython.int = (key >> 1) & self.last_slot
        turn: cython.int
        seat: cython.int
        while self.slots[slot]:
            turn = self.slots[slot] - 1
            if self.keys[turn] == key:
                return turn
            slot = (slot + 1) & self.last_slot
        turn = self.n_turns
        if turn == self.most or self.n_room > 96 * self.most:
            return -1
        self.n_turns += 1
        self.slots[slot] = turn + 1
        self.keys[turn] = key
        self.depths[turn], self.movers[turn], self.states[turn] = depth, core._turn, NEW
        self.marks[turn] = self.degrees[turn] = 0
        if core._over or depth >= MOST_TURNS:
            if not core._over:
                self.cut = 1
            self._close(turn, -1)
            return turn
        self.begins[turn] = self.n_room
        self.n_room = write_position(core, self.room, self.n_room)
        for seat in range(2):
            self.proofs[2 * turn + seat] = 1 + self._cards_left(core, seat)
            self.refutations[2 * turn + seat] = 1 + self._cards_left(core, 1 - seat)
        return turn

    @cython.cfunc
    @cython.exceptval(check=False)
    @cython.nogil
    def _cards_left(self, core: Core, seat: cython.int) -> cython.int:
        """How many cards a seat still has in its piles."""
        return (
            pile_size(core, P_RESERVE + seat)
            + pile_size(core, P_HAND + seat)
            + pile_size(core, P_DISCARD + seat)
        )

    @cython.cfunc
    @cython.exceptval(check=False)
    @cython.nogil
    def _close(self, turn: cython.int, winner: cython.int) -> cython.void:
        """A turn's numbers are final: `winner` wins, or for -1 nobody does."""
        seat: cython.int
        self.states[turn] = CLOSED
        for seat in range(2):
            self.proofs[2 * turn + seat] = 0 if seat == winner else NOT_PROVED
            self.refutations[2 * turn + seat] = NOT_PROVED if seat == winner else 0

    @cython.cfunc
    @cython.exceptval(check=False)
    @cython.nogil
    def _link(self, turn: cython.int, core: Core, code: cython.ulonglong, forced: cython.int) -> cython.int:
        """Add an edge to the turn that begins with a position, with its table's code; answers its number, -1
        if it was there and -2 if there is no room. `forced` says that only the opponent's stop leads there.
        """
        edge: cython.int
        follower: cython.int = self._find_or_add(core, code, self.depths[turn] + 1)
        if follower < 0 or self.n_edges == 6 * self.most:
            return -2
        if self.marks[follower] == turn + 1:
            if core.order and not forced:
                for edge in range(self.firsts[turn], self.n_edges):
                    if self.edges[edge] >> 1 == follower:
                        self.edges[edge] = 2 * follower
            return -1
        self.marks[follower] = turn + 1
        self.edges[self.n_edges] = 2 * follower + forced
        self.n_edges += 1
        self.degrees[turn] += 1
        return self.n_edges - 1

    @cython.cfunc
    @cython.exceptval(check=False)
    @cython.nogil
    def _update_numbers(self, turn: cython.int) -> cython.void:
        """Work a turn's numbers out from those of the turns that follow."""
        mover: cython.int = self.movers[turn]
        other: cython.int = 1 - mover
        place: cython.int
        follower: cython.int
        least: cython.int = NOT_PROVED  # for the mover, who chooses
        refuted: cython.longlong = 0
        proved: cython.longlong = 0  # for the other, who has to answer everything
        hardest: cython.int = 0
        easiest: cython.int = NOT_PROVED
        if self.states[turn] == CLOSED:
            return
        for place in range(self.firsts[turn], self.firsts[turn] + self.degrees[turn]):
            follower = 2 * (self.edges[place] >> 1)
            if not self.edges[place] & 1:
                least = min(least, self.proofs[follower + mover])
                refuted += self.refutations[follower + mover]
            proved += self.proofs[follower + other]
            hardest = max(hardest, self.proofs[follower + other])
            easiest = min(easiest, self.refutations[follower + other])
        if self.states[turn] == PARTLY_EXPANDED or not self.degrees[turn]:
            hardest = NOT_PROVED
        if not least or not hardest:
            self._close(turn, other if least else mover)
            return
        if least >= NOT_PROVED:
            refuted = 0
        proved = min(proved, MOST_SUM)
        if hardest >= NOT_PROVED:
            proved, easiest = NOT_PROVED, 0
        self.proofs[2 * turn + mover], self.refutations[2 * turn + mover] = least, min(refuted, MOST_SUM)
        self.proofs[2 * turn + other], self.refutations[2 * turn + other] = proved, easiest

    @cython.cfunc
    @cython.exceptval(check=False)
    @cython.nogil
    def _descend(self, seat: cython.int) -> cython.int:
        """Walk to the turn whose numbers matter most for a seat's win; answers how many steps `path` has."""
        turn: cython.int = 0
        length: cython.int = 0
        best: cython.int
        least: cython.int
        number: cython.int
        place: cython.int
        follower: cython.int
        self.path[0] = 0
        while self.states[turn] == EXPANDED or self.states[turn] == PARTLY_EXPANDED:
            best, least = -1, NOT_PROVED
            for place in range(self.firsts[turn], self.firsts[turn] + self.degrees[turn]):
                follower = self.edges[place] >> 1
                if self.movers[turn] != seat:
                    number = self.refutations[2 * follower + seat]
                elif self.edges[place] & 1:
                    continue
                else:
                    number = self.proofs[2 * follower + seat]
                if number < least:
                    best, least = follower, number
            if best < 0:
                break
            length += 1
            self.path[length] = best
            turn = best
        return length
