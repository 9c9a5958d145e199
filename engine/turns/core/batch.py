"""Many games side by side, stepped without the interpreter: the vector environment of games of turns."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cython

from engine.bits import ALL64, GOLDEN, ONE, mix
from engine.turns.core.applying import apply, call_stop, stoppable
from engine.turns.core.buffers import floats, longs, shorts
from engine.turns.core.core import Core
from engine.turns.core.generation import generate
from engine.turns.core.observing import blank, size_of, write_seen
from engine.turns.core.opponents import CALLER, PLANNER, answer, any_legal
from engine.turns.core.planning import check_nodes
from engine.turns.core.playouts import check_ranks, floors_of, margin
from engine.turns.core.state import become
from engine.turns.core.tables import IRREGULAR, NONE, P_DRAWN, P_RESERVE, lowest

if TYPE_CHECKING:
    from engine.turns.core.dealing import Dealer


@cython.final
@cython.cclass
class Batch:
    """Games of one variant side by side, all of which make a move at each `step`.

    A game that ends is dealt anew at once (unless `again` is false): game ``i`` plays deals ``first + i``,
    ``first + i + stride`` and so on, whatever the others do. Whoever may call stop at an irregular move does
    (RULES 6). Seats that `policies` names are played here, between two moves of the caller's seats.

    What a step tells goes into buffers of the caller, C-contiguous; any but the first may be None:

    - ``actions`` (int16, a game): read; the moves to make, numbers as `Core.legal` has them.
    - ``legal`` (uint8, games times 128 or, with three and four seats, 448): 1 for each legal move.
    - ``bits`` (uint64, games times 2 or 7): the same, move ``m`` as bit ``m % 64`` of word ``m // 64``.
    - ``seen`` (uint8, games times `size_of`): what the seat to move may know, below.
    - ``final`` (uint8, games times seats times `size_of`): what each seat knew at the end of the game that
      ended last here.
    - ``acting`` (uint8, a game): the seat to move.
    - ``rewards`` (float32, games times seats): 0, and when a game has just ended 1 for the first to -1 for
      the last, seats that share places their mean; so a game of two brings 1, 0 or -1.
    - ``returns`` (float32, games times seats): the rewards of the game that ended last here.
    - ``ended`` (uint8, a game): 0, or why the game just ended (`WIN`, `STALL`, `PASSES`); ``legal``,
      ``bits``, ``seen`` and ``acting`` then tell of the next deal.
    - ``margins`` (int16, a game): with two seats, how much seat 0 was ahead in a game that just ended, as
      `Core.worth` has it.

    An observation, in bytes; a card is its kind plus 1 (`cards.kind`), 0 where there is none and 53
    for a card that nobody has seen. Seats come in turn from the one that looks.

    - 13 for each house, bottom to top;
    - 4 suits times seats: the heights of the foundations, highest first;
    - for each seat 16 cards of the reserve, 52 of the discard and 52 of the hand, from the top down, then
      how many there are in each;
    - for each seat how many cards of each of the 52 kinds lie unseen in its reserve or hand (in both seats'
      together where the packs were shuffled as one);
    - for each seat the foundations it completed and whether it may still call stop;
    - the drawn card; idle plies; turns without a foundation move (RULES 3); passes; laying turns left and
      draws left in this one (RULES 6); the mark of the last action; the number of the seat to move.
    """

    games: cython.int
    players: cython.int
    width: cython.int  # of a game in `legal`
    size: cython.int  # of an observation
    open: cython.int  # whether observations show every card
    again: cython.int  # whether a game that ended is dealt anew
    shared: cython.int  # whether unseen cards are counted for both seats together
    first: cython.ulonglong
    stride: cython.ulonglong  # from a game's deal to its next
    policies: cython.uchar[4]  # who plays each seat
    nodes: cython.int  # how many positions the planner looks at
    lone: cython.int
    floors: cython.uint
    ranks: cython.uchar[1792]  # of the greedy bot, as `Core.play_ranked` takes them
    plan: cython.ushort[512]  # what a seat that is played here does next
    dealer: Dealer
    cores: list[Core]
    views: list[memoryview]
    made_of: tuple[object, ...]
    places: cython.pp_void  # the cores, for code that runs without the interpreter
    actions: cython.p_short
    legal: cython.p_uchar
    bits: cython.p_ulonglong
    seen: cython.p_uchar
    final: cython.p_uchar
    acting: cython.p_uchar
    rewards: cython.p_float
    returns: cython.p_float
    ended: cython.p_uchar
    margins: cython.p_short
    known: cython.p_ulonglong  # four words a game: the ids of the cards that were seen
    numbers: cython.p_ulonglong  # the deal that each game plays
    dice: cython.p_ulonglong  # of each game's seats that are played at random

    def __init__(
        self,
        dealer: Dealer,
        core: Core,
        games: cython.int,
        buffers,
        first=0,
        everything=False,
        again=True,
        stride=0,
        policies=b"",
        ranks=b"",
        lone=0,
        nodes=1,
    ):
        """Games of the variant and seats of `core`.

        Args:
            dealer: what deals them.
            games: how many.
            buffers: the caller's, in the order and with the sizes above.
            first: the number of the first deal.
            everything: whether observations show the cards that nobody has seen, too.
            again: whether a game that ended is dealt anew; if not, its actions are ignored from then on.
            stride: from the number of a game's deal to that of its next; 0: the number of games.
            policies: for each seat 0 for the caller, 1 for random moves, 2 for the greedy bot, 3 for the
                planner; empty: the caller plays all.
            ranks, lone: how the greedy bot plays, as `Core.play_ranked` takes them; only with `policies`.
            nodes: how many positions the planner looks at, as `Core.planned` takes it.

        Raises:
            ValueError: a buffer of another size, not one game at least, no seat for the caller, or what
                `Core.play_ranked` and `Core.planned` raise.
        """
        index: cython.int
        if games < 1:
            raise ValueError(f"expected one game at least, got {games}")
        self.made_of = (
            *(dealer, core.clone(), games, tuple(buffers), first, everything, again),
            *(stride, policies, ranks, lone, nodes),
        )
        if not cython.compiled:
            self.policies, self.ranks, self.plan = [0] * 4, [0] * 1792, [0] * 512
        self.games, self.players, self.dealer = games, core.players, dealer
        self.width = 448 if core.wide else 128
        self.size = size_of(core.players)
        self.open, self.again, self.shared, self.first = bool(everything), bool(again), dealer.one_pack, first
        self.stride = stride or games
        self._play_for(core, policies, ranks, lone, nodes)
        self.cores = [core.clone() for index in range(games)]
        self.views = []
        if not cython.compiled:
            self.places = self.cores
        else:
            self.places = cython.cast(cython.pp_void, self._own(8 * games))
            for index in range(games):
                self.places[index] = cython.cast(cython.p_void, self.cores[index])
        self._lend(buffers)
        self.known = longs(self._own(32 * games, "Q"))
        self.numbers = longs(self._own(8 * games, "Q"))
        self.dice = longs(self._own(8 * games, "Q"))

    def __reduce__(self):
        """By what it was made of, the caller's buffers among it, and how the games stand."""
        return Batch, self.made_of, self.standing()

    def __setstate__(self, standing):
        """`restore`."""
        self.restore(standing)

    def standing(self) -> tuple[list[Core], list[bytes]]:
        """How the games stand, for `restore`; what stands in the caller's buffers is not among it."""
        return [core.clone() for core in self.cores], [bytes(view) for view in self._kept()]

    def restore(self, standing: tuple[list[Core], list[bytes]]) -> None:
        """Go on where the games of a batch like this one stood; nothing is told."""
        cores, kept = standing
        for core, other in zip(self.cores, cores, strict=True):
            become(core, other)
        for view, content in zip(self._kept(), kept, strict=True):
            view.cast("B")[:] = content

    def _kept(self) -> list[memoryview]:
        """Room of our own: what was seen, the deals' numbers and the dice."""
        return self.views[len(self.views) - 3 :]

    @cython.cfunc
    def _play_for(self, core: Core, policies: bytes, ranks: bytes, lone, nodes) -> cython.void:
        """Take on the seats that `policies` names."""
        index: cython.int
        self.nodes, self.lone, self.floors = nodes, lone, 0
        for index in range(4):
            self.policies[index] = CALLER
        if not policies:
            return
        if len(policies) != core.players or CALLER not in policies or max(policies) > PLANNER:
            raise ValueError(
                f"expected for each of {core.players} seats a way to play from 0 to 3 and one 0 at least,"
                f" got {list(policies)}"
            )
        check_ranks(core, ranks)
        check_nodes(nodes)
        for index in range(core.players):
            self.policies[index] = policies[index]
        for index in range(len(ranks)):
            self.ranks[index] = ranks[index]
        self.floors = floors_of(core, self.ranks)

    @cython.cfunc
    def _lend(self, buffers) -> cython.void:
        """Take the caller's buffers."""
        games: cython.int = self.games
        actions, legal, bits, seen, final, acting, rewards, returns, ended, margins = buffers
        if actions is None:
            raise ValueError("expected a buffer of actions, got None")
        self.actions = shorts(self._held(actions, 2 * games, "h"))
        self.legal = self._held(legal, games * self.width, "B")
        self.bits = longs(self._held(bits, games * self.width // 8, "Q"))
        self.seen = self._held(seen, games * self.size, "B")
        self.final = self._held(final, games * self.players * self.size, "B")
        self.acting = self._held(acting, games, "B")
        self.rewards = floats(self._held(rewards, 4 * games * self.players, "f"))
        self.returns = floats(self._held(returns, 4 * games * self.players, "f"))
        self.ended = self._held(ended, games, "B")
        self.margins = shorts(self._held(margins, 2 * games, "h"))

    @cython.cfunc
    def _own(self, size: cython.Py_ssize_t, form: str = "B") -> cython.p_uchar:
        """Room of our own."""
        return self._held(bytearray(size), size, form)

    @cython.cfunc
    def _held(self, buffer, size: cython.Py_ssize_t, form: str) -> cython.p_uchar:
        """The address of a buffer, which is held as long as the batch lives; nowhere for None."""
        if buffer is None:
            return cython.cast(cython.p_uchar, 0) if cython.compiled else None
        view = memoryview(buffer)
        if view.readonly or not view.c_contiguous or view.nbytes != size:
            kind = "read-only" if view.readonly else "writable"
            raise ValueError(
                f"expected a writable C-contiguous buffer of {size} bytes, got {view.nbytes}, {kind}"
            )
        view = view.cast("B").cast(form)  # type: ignore[call-overload]
        self.views.append(view)
        return core_address(view) if cython.compiled else view

    def reset(self) -> None:
        """Deal every game anew, from the first deal on, and tell."""
        index: cython.int
        seat: cython.int
        with cython.nogil:
            for index in range(self.games):
                self.numbers[index] = self.first + index
                self._begin(cython.cast(Core, self.places[index]), index)
                self._clear(index)
                if self.returns:
                    for seat in range(self.players):
                        self.returns[self.players * index + seat] = 0
                self._play_on(cython.cast(Core, self.places[index]), index)
                self._tell(cython.cast(Core, self.places[index]), index)

    def begin_with(self, first: cython.ulonglong) -> None:
        """Let the next `reset` begin with another deal."""
        self.first = first

    def step(self) -> None:
        """Make the move of `actions` in every game, and tell.

        Raises:
            ValueError: one is not legal; then no game has moved.
        """
        index: cython.int
        wrong: cython.int = -1
        with cython.nogil:
            for index in range(self.games):
                if not self._may(cython.cast(Core, self.places[index]), self.actions[index]):
                    wrong = index
                    break
            if wrong < 0:
                for index in range(self.games):
                    self._move(cython.cast(Core, self.places[index]), index)
        if wrong >= 0:
            core: Core = self.cores[wrong]
            raise ValueError(f"expected one of {core.legal()} in game {wrong}, got {self.actions[wrong]}")

    def play(self, plies: cython.int, seed: cython.ulonglong, begin: cython.ulonglong = 0) -> None:
        """Make uniformly random moves: `plies` steps, each written to `actions` and told as `step` tells it.

        The seed and a game's number, the first's is `begin`, decide its moves (splitmix64), compiled or not.
        """
        state: cython.ulonglong
        index: cython.int
        _: cython.int
        with cython.nogil:
            for index in range(self.games):
                state = mix((seed + GOLDEN * (begin + index)) & ALL64)
                for _ in range(plies):
                    state = (state + GOLDEN) & ALL64
                    self.actions[index] = any_legal(cython.cast(Core, self.places[index]), mix(state) >> 32)
                    self._move(cython.cast(Core, self.places[index]), index)

    def core(self, index: int) -> Core:
        """A copy of a game's core, with every card where it truly lies."""
        return self.cores[index].clone()

    def observation(self, index: cython.int, seat: cython.int) -> bytearray:
        """What a seat may know of a game, as ``seen`` has it."""
        if not (0 <= index < self.games and 0 <= seat < self.players):
            raise ValueError(f"expected a game and a seat of the batch, got {index} and {seat}")
        room = bytearray(self.size)
        seen: cython.p_uchar = room
        self._see(seen, 0, self.cores[index], seat, index)
        return room

    def deal_of(self, index: cython.int) -> int:
        """The number of the deal that a game plays."""
        if not 0 <= index < self.games:
            raise ValueError(f"expected a game from 0 to {self.games - 1}, got {index}")
        return self.numbers[index]

    @cython.cfunc
    @cython.exceptval(check=False)
    @cython.nogil
    def _may(self, game: Core, move: cython.int) -> cython.int:
        """Whether a move is legal."""
        if not game.ready:
            generate(game)
        if game._over:
            return 1
        return 0 <= move < self.width and (game.words[move >> 6] >> (move & 63)) & 1

    @cython.cfunc
    @cython.exceptval(check=False)
    @cython.nogil
    def _move(self, game: Core, index: cython.int) -> cython.void:
        """Make a game's move, play on for the seats that are played here, and tell."""
        self._clear(index)
        if game._over:
            return
        self._make(game, index, self.actions[index])
        self._play_on(game, index)
        self._tell(game, index)

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    @cython.nogil
    def _make(self, game: Core, index: cython.int, move: cython.int) -> cython.void:
        """Make a move and see what it turns up; tell how the game ended, if it did."""
        apply(game, move)
        self._look(game, index)
        if game.last == IRREGULAR and stoppable(game):
            call_stop(game)
        if game._over:
            self._end(game, index)

    @cython.cfunc
    @cython.exceptval(check=False)
    @cython.nogil
    def _play_on(self, game: Core, index: cython.int) -> cython.void:
        """Deal anew where a game has ended, and play to where one of the caller's seats is to move."""
        length: cython.int
        step: cython.int
        number: cython.int
        while True:
            if game._over:
                if not self.again:
                    return
                self.numbers[index] += self.stride
                self._begin(game, index)
            if not self.policies[game._turn]:
                return
            self.dice[index] = (self.dice[index] + GOLDEN) & ALL64
            length = answer(
                game,
                self.policies[game._turn],
                self.nodes,
                self.ranks,
                self.lone,
                self.floors,
                mix(self.dice[index]) >> 32,
                self.plan,
            )
            number = game._turn_number
            for step in range(length):
                self._make(game, index, self.plan[step])
                if game._over or game._turn_number != number:
                    break

    @cython.cfunc
    @cython.exceptval(check=False)
    @cython.nogil
    def _begin(self, game: Core, index: cython.int) -> cython.void:
        """Deal a game, and see what lies open."""
        number: cython.int
        card: cython.int
        self.dealer.deal(game, self.numbers[index])
        self.dice[index] = mix(self.numbers[index])
        for number in range(4):
            self.known[4 * index + number] = 0
        for number in range(4 * self.players):
            card = game.top[number]
            if card != NONE:
                self.known[4 * index + (card >> 6)] |= ONE << (card & 63)
        self._look(game, index)

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    @cython.nogil
    def _look(self, game: Core, index: cython.int) -> cython.void:
        """Remember the cards that may just have been turned up."""
        number: cython.int
        card: cython.int
        for number in range(P_RESERVE, P_RESERVE + self.players):
            card = game.top[number]
            if card != NONE:
                self.known[4 * index + (card >> 6)] |= ONE << (card & 63)
        card = game.top[P_DRAWN]
        if card != NONE:
            self.known[4 * index + (card >> 6)] |= ONE << (card & 63)

    @cython.cfunc
    @cython.exceptval(check=False)
    @cython.nogil
    def _clear(self, index: cython.int) -> cython.void:
        """Nothing has ended yet."""
        seat: cython.int
        if self.rewards:
            for seat in range(self.players):
                self.rewards[self.players * index + seat] = 0
        if self.ended:
            self.ended[index] = 0
        if self.margins:
            self.margins[index] = 0

    @cython.cfunc
    @cython.exceptval(check=False)
    @cython.nogil
    def _end(self, game: Core, index: cython.int) -> cython.void:
        """Tell how a game ended."""
        seat: cython.int
        place: cython.int
        at: cython.int = self.players * index
        if self.rewards:
            for seat in range(self.players if game.n_out else 0):
                # The mean of the places that are left: places run from 1 to -1.
                self.rewards[at + seat] = -1.0 * game.n_out / (self.players - 1)
            for place in range(game.n_out):
                seat = game.out >> (4 * place) & 15
                self.rewards[at + seat] = 1 - 2.0 * place / (self.players - 1)
            if self.returns:
                for seat in range(self.players):
                    self.returns[at + seat] = self.rewards[at + seat]
        if self.final:
            for seat in range(self.players):
                self._see(self.final, (at + seat) * self.size, game, seat, index)
        if self.ended:
            self.ended[index] = game._over
        if self.margins and self.players == 2:
            self.margins[index] = margin(game)

    @cython.cfunc
    @cython.exceptval(check=False)
    @cython.nogil
    def _tell(self, game: Core, index: cython.int) -> cython.void:
        """Tell who is to move, what is legal and what may be seen."""
        number: cython.int
        bit: cython.int
        word: cython.ulonglong
        if not game.ready:
            generate(game)
        if self.acting:
            self.acting[index] = game._turn
        if self.legal:
            number = index * self.width
            blank(self.legal, number, self.width)
            for bit in range(self.width >> 6):
                word = game.words[bit]
                while word:
                    self.legal[number + 64 * bit + lowest(word)] = 1
                    word &= word - 1
        if self.bits:
            number = index * (self.width >> 6)
            for bit in range(self.width >> 6):
                self.bits[number + bit] = game.words[bit]
        if self.seen:
            self._see(self.seen, index * self.size, game, game._turn, index)

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    @cython.nogil
    def _see(
        self, room: cython.p_uchar, at: cython.int, game: Core, seat: cython.int, index: cython.int
    ) -> cython.void:
        """Write what a seat may know of a game."""
        write_seen(room, at, game, seat, self.known, 4 * index, not self.open, self.shared)
