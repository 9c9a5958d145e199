"""The deal (RULES 2)."""

import hashlib
from collections.abc import Callable, Iterator

from tests.oracle.position import LAYING_TURNS, State
from tests.oracle.rulesets import PACK, RULESETS, SUITS, Ruleset

_SUIT_ORDER = "CDHS"  # clubs lowest, then diamonds, hearts, spades


def words(seed: bytes, label: str) -> Iterator[int]:
    """The byte stream of a label, cut into 4-byte big-endian words."""
    block = 0
    while True:
        digest = hashlib.sha256(seed + b"/" + label.encode() + b"/" + block.to_bytes(8, "big")).digest()
        for start in range(0, len(digest), 4):
            yield int.from_bytes(digest[start : start + 4], "big")
        block += 1


def shuffled(pack: tuple[str, ...], seed: bytes, label: str) -> list[str]:
    """Fisher-Yates from the last index down, with the unbiased `below`."""
    stream = words(seed, label)

    def below(k: int) -> int:
        while True:
            word = next(stream)
            if word < 2**32 - 2**32 % k:
                return word % k

    found = list(pack)
    for i in range(len(found) - 1, 0, -1):
        j = below(i + 1)
        found[i], found[j] = found[j], found[i]
    return found


def deal(variant: str, seed: str, players: int = 2) -> State:
    """The position after the deal; `seed` is 64 hex digits."""
    rules = RULESETS[variant]
    key = bytes.fromhex(seed)
    if rules.one_shuffle:
        both = shuffled(PACK * 2, key, "pack")
        packs = [both[:52], both[52:]]
    else:
        packs = [shuffled(PACK, key, f"pack{seat}") for seat in range(players)]
    houses_each = 0 if rules.laying else 4
    reserves, houses, hands = [], [], []
    for pack in packs:
        reserve, rest = pack[: rules.reserve_size], pack[rules.reserve_size :]
        reserves.append("".join(reserve))  # the 13th on top
        houses += rest[:houses_each] or [""] * 4
        hands.append("".join(reversed(rest[houses_each:])))  # the next card on top, that is last
    return State(
        rules=rules,
        turn=starter(rules, reserves, houses, hands),
        laying=(LAYING_TURNS - 1, 2) if rules.laying else None,
        drawn="",
        houses=houses,
        foundations={suit: [0] * players for suit in SUITS},
        reserves=reserves,
        hands=hands,
        discards=[""] * players,
    )


def starter(rules: Ruleset, reserves: list[str], houses: list[str], hands: list[str]) -> int:
    """Who starts."""
    if rules.family == "crapo":
        return 0

    def by_value_and_suit(card: str) -> tuple[int, int]:
        return rules.value[card], _SUIT_ORDER.index(card[1])

    if rules.family == "crapaud":
        return _first(reserves, hands, by_value_and_suit, prefer_lower=True)
    if rules.family == "italian":
        return _first(reserves, hands, by_value_and_suit, prefer_lower=False)
    # crapette and russian-bank: lowest value of reserve top, then of the first own house, ...; the lower seat
    shown = [
        [rules.value[reserve[-2:]], *(rules.value[house] for house in houses[4 * seat : 4 * seat + 4])]
        for seat, reserve in enumerate(reserves)
    ]
    return shown.index(min(shown))


def _first(
    reserves: list[str], hands: list[str], key: Callable[[str], tuple[int, int]], *, prefer_lower: bool
) -> int:
    """Compare reserve tops, the hands' bottom cards, the next from the bottom, and so on; then seat 0."""
    for first, second in zip(_compared(reserves[0], hands[0]), _compared(reserves[1], hands[1]), strict=True):
        if key(first) != key(second):
            return 0 if (key(first) < key(second)) == prefer_lower else 1
    return 0


def _compared(reserve: str, hand: str) -> list[str]:
    return [reserve[-2:], *(hand[i : i + 2] for i in range(0, len(hand), 2))]
