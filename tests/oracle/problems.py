"""Random positions that games reach seldom: few cards, counters at their limits, an end near."""

from random import Random

from tests.oracle.position import IDLE_LIMIT, STALL_LIMIT, BadPosition, State, Unruled, check_reachable, parse
from tests.oracle.rulesets import RANKS, RULESETS, SUITS, Ruleset


def problem(rng: Random, variant: str, players: int = 2) -> State:
    """A valid random position of an unfinished or finished game, made again until RULES 1 accepts it."""
    while True:
        state = _attempt(rng, RULESETS[variant], players)
        try:
            found = parse(str(state))
            check_reachable(found)
        except (BadPosition, Unruled):
            continue
        return found


def _attempt(rng: Random, rules: Ruleset, players: int) -> State:
    heights = {suit: sorted((_height(rng) for _ in range(players)), reverse=True) for suit in SUITS}
    loose = [
        rank + suit
        for suit in SUITS
        for height in heights[suit]
        for rank in sorted(RANKS, key=rules.order.index)[height:]
    ]
    rng.shuffle(loose)

    def pile(longest: int, at_least: int = 0) -> str:
        count = min(max(rng.choice((0, 0, 1, 1, 2, rng.randint(0, longest))), at_least), len(loose))
        return "".join(loose.pop() for _ in range(count))

    reserves = [pile(5) if rules.reserve_size else "" for _ in range(players)]
    hands = [pile(6) for _ in range(players)]
    discards = [pile(6) for _ in range(players)]
    laying = (rng.randrange(4), rng.randrange(3)) if rules.laying and rng.random() < 0.4 else None
    emptiness = 0.7 if laying else rng.choice((0.0, 0.0, 0.1, 0.5))
    houses = ["" if rng.random() < emptiness else pile(8, at_least=1) for _ in range(4 * players)]
    drawn = loose.pop() if loose and rng.random() < 0.3 else ""
    turn = rng.randrange(players)
    out = [
        s for s in range(players) if not (reserves[s] + hands[s] + discards[s] + (drawn if s == turn else ""))
    ]
    rng.shuffle(out)
    emptied = [s for s in range(players) if not reserves[s]] if rules.reserve_size else []
    rng.shuffle(emptied)
    return State(
        rules=rules,
        turn=turn,
        laying=laying,
        drawn=drawn,
        houses=houses,
        foundations=heights,
        reserves=reserves,
        hands=hands,
        discards=discards,
        idle=0 if drawn else rng.choice((0, 0, 1, IDLE_LIMIT - 1, IDLE_LIMIT)),
        stall=rng.choice((0, 5, STALL_LIMIT - 2, STALL_LIMIT - 1)),
        passes=rng.choice((0, 0, 0, players - 1)),
        mute=rng.choice(("", "", "0", "1", "01")) if rules.stop_calls else "",
        last=rng.choice(".+!") if rules.stop_calls else ".",
        completed=[rng.randrange(3) for _ in range(players)],
        emptied="".join(map(str, emptied)),
        out="".join(map(str, out)),
    )


def _height(rng: Random) -> int:
    return rng.choice((0, 1, 2, 3, 5, 8, 11, 12, 12, rng.randrange(14)))
