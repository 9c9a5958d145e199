"""Plays `vitesse` by simulating the next dozen ticks for every pair of actions.

It remembers every card that was turned up. So once a hand has been gone through, it knows what each turn will
bring, for both sides. The value of a pair of actions is where it leads if both then play naturally. These
values form the matrix of a game in which both choose at once. The bot assumes that the opponent plays the
natural action half the time, and otherwise the mixture of a good player (found by fictitious play), and
chooses the best answer to that. So it takes a contested card if it has priority in this tick, does not race
for one that the other gets, and keeps a queen back while the other has the king. It calls stop once that is
sure to win.
"""

from crapette import Answer

AHEAD, SURE, RESERVE_CARD = 12, 25.0, 1.5  # ticks looked ahead; what a won game, a reserve card is worth
BELIEF, ROUNDS = 0.5, 60  # how much of the other's choice is taken for natural; rounds of fictitious play
ACTIONS = ("s1-f", "s2-f", "s3-f", "s4-f", "r-f", "d-f", "turn", "wait", "stop")
RESERVE, DISCARD, TURN, WAIT, STOP = 4, 5, 6, 7, 8
UNKNOWN, NONE, KING = -1, -2, 12
SUITS, RANKS = "SHDC", "A23456789TJQK"


class Memory:
    """Hands and discards of both seats with everything seen of them so far, bottom to top."""

    def __init__(self):
        self.hands = self.discards = None

    def see(self, race, ticks):
        """Update from the ticks since the last call; `race` is the position after them."""
        if self.hands is None:  # the first question, maybe in the middle of a game
            self.hands = [[UNKNOWN] * len(seat.hand) for seat in race.seats]
            self.discards = [[number(card) for card in seat.discard] for seat in race.seats]
            return
        for done in (each for tick in ticks for each in tick["done"]):
            hand, discard = self.hands[done["seat"]], self.discards[done["seat"]]
            if done["move"] == "turn":
                if "flip" in done:
                    hand[:] = discard[::-1]
                    discard.clear()
                hand.pop()
                discard.append(number(done["card"]))
            elif done["move"] == "d-f" and "missed" not in done:
                discard.pop()


class Table:
    """A position that can be played on quickly; cards are 13 * suit + rank."""

    def __init__(self, race, memory):
        self.tick = race.tick
        self.heights = [list(suit) for suit in race.foundations]
        self.slots = [[NONE if card is None else number(card) for card in seat.slots] for seat in race.seats]
        self.reserves = [[number(card) for card in seat.reserve] for seat in race.seats]
        self.hands, self.discards = memory.hands, memory.discards
        self.completed = list(race.completed)
        self.left = [seat.left for seat in race.seats]
        self.stopper = None

    def copy(self):
        """Return another to play on."""
        other = object.__new__(Table)
        for name in ("heights", "slots", "reserves", "hands", "discards"):
            setattr(other, name, [pile[:] for pile in getattr(self, name)])
        other.completed, other.left = self.completed[:], self.left[:]
        other.tick, other.stopper = self.tick, self.stopper
        return other

    def fits(self, card):
        """Whether a card that is known can go up."""
        return card >= 0 and card % 13 in self.heights[card // 13]

    def options(self, seat):
        """What a seat may do, beside waiting and calling stop; the natural thing first."""
        found = [place for place, card in enumerate(self.slots[seat]) if self.fits(card)]
        if self.reserves[seat] and self.fits(self.reserves[seat][-1]):
            found.append(RESERVE)
        stuck = not found
        if self.discards[seat] and self.fits(self.discards[seat][-1]):
            found.append(DISCARD)
        if stuck and (self.hands[seat] or self.discards[seat]):
            found.append(TURN)
        return found

    def natural(self, seat):
        """Return the action of a seat that only looks at its own cards."""
        if not self.reserves[seat] and self.points(seat) + 20 > self.points(1 - seat) + 1:
            return STOP
        found = self.options(seat)
        return found[0] if found else WAIT

    def points(self, seat):
        """Return the points of a seat so far."""
        return 10 * self.completed[seat] + 52 - self.left[seat]

    def play(self, actions):
        """Play a tick."""
        first = self.tick % 2
        for seat in (first, 1 - first):
            self._act(seat, actions[seat])
        self.tick += 1
        for seat in (1 - first, first):
            if actions[seat] == STOP or not self.left[seat]:
                self.stopper = seat

    def _act(self, seat, action):
        if action == TURN:
            if not self.hands[seat]:
                self.hands[seat], self.discards[seat] = self.discards[seat][::-1], []
            self.discards[seat].append(self.hands[seat].pop())
        elif action < TURN:
            slots, reserve = self.slots[seat], self.reserves[seat]
            pile = slots if action < RESERVE else reserve if action == RESERVE else self.discards[seat]
            place = action if action < RESERVE else -1
            card = pile[place]
            if not self.fits(card):
                return
            heights = self.heights[card // 13]
            heights[heights.index(card % 13)] += 1
            self.completed[seat] += card % 13 == KING
            self.left[seat] -= 1
            if pile is slots:
                slots[place] = reserve.pop() if reserve else NONE
            else:
                pile.pop()

    def worth(self, seat):
        """Return the value for a seat after some ticks of natural play, in points."""
        for _ in range(AHEAD):
            if self.stopper is not None:
                break
            self.play((self.natural(0), self.natural(1)))
        ahead = self.points(seat) - self.points(1 - seat)
        if self.stopper is None:
            return ahead + RESERVE_CARD * (len(self.reserves[1 - seat]) - len(self.reserves[seat]))
        ahead += 20 if self.stopper == seat else -20
        return ahead + (SURE if ahead > 0 else -SURE if ahead < 0 else 0)


class Racer:
    """Chooses an action in each tick of one game."""

    def __init__(self):
        self.memory = Memory()

    def __call__(self, turn):
        """Answer a tick."""
        race, seat = turn.race(), turn.seat
        self.memory.see(race, turn.events)
        table = Table(race, self.memory)
        if "stop" in turn.legal and stop_wins(table, seat):
            return Answer("stop", evaluation=1.0)
        own, others = choices(table, seat), choices(table, 1 - seat)
        if len(own) == 2 and own[0] == TURN:  # nothing to decide
            return "turn"
        worth = [[outcome(table, seat, mine, theirs) for theirs in others] for mine in own]
        expected = mixed(worth)
        natural = others.index(table.natural(1 - seat))
        guess = [(1 - BELIEF) * share + BELIEF * (place == natural) for place, share in enumerate(expected)]
        values = [sum(map(float.__mul__, row, guess)) for row in worth]
        best = values.index(max(values))
        likely = ACTIONS[others[guess.index(max(guess))]]
        return Answer(
            ACTIONS[own[best]],
            comment=f"{values[best]:+.1f}; expects {likely}",
            evaluation=max(-1.0, min(1.0, values[best] / 40)),
        )


def stop_wins(table, seat):
    """Whether calling stop in this tick wins whatever the other does."""
    other = 1 - seat
    if not table.reserves[other] and table.tick % 2 == other:
        return table.points(seat) > table.points(other) + 20  # it may call first
    tops = [*table.slots[other], *table.reserves[other][-1:], *table.discards[other][-1:]]
    gain = max((11 if card % 13 == KING else 1 for card in tops if table.fits(card)), default=0)
    return table.points(seat) + 20 > table.points(other) + gain


def choices(table, seat):
    """Return a seat's actions. Waiting comes last except for stopping, so it is not preferred to equals."""
    return [*table.options(seat), WAIT, *([] if table.reserves[seat] else [STOP])]


def outcome(table, seat, mine, theirs):
    """Return the value of a pair of actions for the seat."""
    after = table.copy()
    after.play((mine, theirs) if seat == 0 else (theirs, mine))
    return float(after.worth(seat))


def mixed(worth):
    """Return how the other mixes its actions if both play well, by fictitious play (Brown 1951)."""
    rows, columns = [0.0] * len(worth), [0.0] * len(worth[0])
    counts = [0] * len(columns)
    for _ in range(ROUNDS):
        row = worth[rows.index(max(rows))]
        columns = [total + value for total, value in zip(columns, row, strict=True)]
        chosen = columns.index(min(columns))
        counts[chosen] += 1
        rows = [total + each[chosen] for total, each in zip(rows, worth, strict=True)]
    return [count / ROUNDS for count in counts]


def number(card):
    """The card as a number."""
    return UNKNOWN if card == "??" else 13 * SUITS.index(card[1]) + RANKS.index(card[0])
