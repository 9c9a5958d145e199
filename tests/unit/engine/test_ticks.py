"""A game of `vitesse`: its ticks tell all that everyone saw, and can be taken back (RULES 7)."""

from random import Random

import pytest

from engine import IllegalMove, NotationError, Tick, TickGame, TickPosition
from engine.cards import PACK, SUITS
from engine.ticks.core import TickCore


def test_the_ticks_of_whole_games_lead_from_the_public_start_to_every_public_position() -> None:
    missed = 0
    for number in range(12):
        rng = Random(number)
        game = TickGame.deal("vitesse", rng.randbytes(32))
        table = Board(game.start.public())
        while not game.finished:
            first, second = (_eager(game.legal(seat), rng) for seat in (0, 1))
            tick = Tick.from_dict(game.push(first, second).as_dict())
            assert tick == game.history[-1]
            table.see(tick)
            assert str(table.public(game.position)) == str(game.position.public())
            missed += sum(each.missed for each in tick.done)
    assert missed > 10


def test_a_tick_taken_back_leaves_nothing_behind() -> None:
    game = TickGame.deal("vitesse", "00" * 32)
    other = game.clone()
    game.play(["s2-f,turn", "wait,wait"])
    assert (game.ply, other.ply) == (2, 0)
    game.pop()
    game.pop()
    assert (game.position, game.history) == (game.start, ())
    with pytest.raises(IllegalMove, match=r"^expected a tick to take back, got the start of the game$"):
        game.pop()


def test_a_card_that_comes_too_late_is_told_with_the_foundation_it_was_meant_for() -> None:
    game = TickGame(
        TickPosition.parse("vitesse 4 4,2/0,0/0,0/0,0 ./5S,-,-,-/????/2H ./-,5S,-,-/????/3H 0 0,0/.")
    )
    done = [each.as_dict() for each in game.push("s1-f", "s2-f").done]
    assert done == [
        {"seat": 0, "move": "s1-f", "card": "5S", "from": "s0.1", "to": "fS0"},
        {"seat": 1, "move": "s2-f", "card": "5S", "from": "s1.2", "to": "fS0", "missed": True},
    ]


def test_what_ticks_cannot_lead_to_is_refused_with_a_sentence() -> None:
    for seat, stopper, message in (
        (
            "4D/5S,-,6S,7S/./.",
            ".",
            "expected no empty slot of seat 0 beside its reserve, got '4D/5S,-,6S,7S/./.'",
        ),
        (
            *("4D/5S,6S,7S,8S/./.", "0"),
            "expected an empty reserve of seat 0, which stopped, got '4D/5S,6S,7S,8S/./.'",
        ),
        ("./-,-,-,-/./.", ".", "expected a stopper, as seat 0 has no card left, got '.'"),
        (f"./-,-,-,-/{''.join(PACK)}/2H", ".", "expected at most 52 cards of seat 0, a pack, got 53"),
    ):
        with pytest.raises(NotationError) as caught:
            TickPosition.parse(f"vitesse 4 0,0/0,0/0,0/0,0 {seat} ./2S,-,-,-/./. 0 0,0/{stopper}")
        assert str(caught.value) == message


def test_the_core_takes_no_pile_that_it_has_no_room_for() -> None:
    core: TickCore = TickCore()  # type: ignore[no-untyped-call]
    with pytest.raises(ValueError, match=r"^expected at most 56 cards in a pile, got 57$"):
        core.load([[], [], [], [], [], [0] * 57], [52] * 8, [(0, 0)] * 4, (0, 0), (0, 0, -1))


class Board:
    """Piles moved about as the ticks say, by one who knows no rules."""

    def __init__(self, start: TickPosition) -> None:
        self.heights = [list(suit) for suit in start.foundations]
        self.piles: dict[str, list[str]] = {}
        for number, seat in enumerate(start.seats):
            self.piles |= {
                f"r{number}": list(seat.reserve),
                f"h{number}": list(seat.hand),
                f"d{number}": list(seat.discard),
            }
            for slot, card in enumerate(seat.slots, start=1):
                self.piles[f"s{number}.{slot}"] = [card] if card else []

    def see(self, tick: Tick) -> None:
        for each in tick.done:
            if each.missed or each.card is None or each.source is None or each.target is None:
                continue
            if each.flip is not None:
                discard = self.piles[f"d{each.flip}"]
                self.piles[f"h{each.flip}"] = discard[::-1]
                discard.clear()
            self.piles[each.source].pop()
            if each.target[0] == "f":
                self.heights[SUITS.index(each.target[1])][int(each.target[2])] += 1
            else:
                self.piles[each.target].append(each.card)
            if each.refill is not None:
                self.piles[f"r{each.seat}"].pop()
                self.piles[each.source].append(each.refill)
            if each.reveal is not None:
                self.piles[each.reveal[0]][-1] = each.reveal[1]

    def public(self, truth: TickPosition) -> TickPosition:
        """The public position by these piles; tick, stall and tally by the game."""
        seats = []
        for number, seat in enumerate(truth.seats):
            slots = tuple(
                pile[-1] if (pile := self.piles[f"s{number}.{slot}"]) else None for slot in range(1, 5)
            )
            reserve, hand, discard = (tuple(self.piles[f"{letter}{number}"]) for letter in "rhd")
            seats.append(type(seat)(reserve, slots, hand, discard))
        foundations = tuple(map(tuple, self.heights))
        return type(truth)(
            truth.tick, foundations, (seats[0], seats[1]), truth.stall, truth.completed, truth.stopper
        ).public()


def _eager(legal: tuple[str, ...], rng: Random) -> str:
    """A card if one fits, else a turn; stop and wait now and then."""
    cards = [action for action in legal if action.endswith("-f")]
    if cards and rng.random() < 0.9:
        return rng.choice(cards)
    return "turn" if "turn" in legal and rng.random() < 0.9 else rng.choice(("wait", legal[-1]))
