"""The variants as data: what RULES' headings and tables say of each, and nothing they do not say."""

from dataclasses import dataclass, field

SUITS = "SHDC"
RED = "HD"
RANKS = "A23456789TJQK"
PACK = tuple(rank + suit for suit in SUITS for rank in RANKS)  # RULES 2: suits S, H, D, C, each A 2 ... K


@dataclass(frozen=True)
class Ruleset:
    """One turn-based variant. `family` names the section of RULES that says how its cards move."""

    name: str
    family: str
    players: tuple[int, ...] = (2,)
    order: str = RANKS  # RULES 1: value is the place in this order, ace 1
    sequence: str = "alternating"  # or "suit": what a house builds down in
    ace_is_built: bool = True
    reserve_size: int = 13
    one_shuffle: bool = False  # RULES 2: two packs shuffled as one, or a pack for each seat
    laying: bool = False  # RULES 6
    stop_calls: bool = False
    strict: bool = False
    value: dict[str, int] = field(init=False, repr=False, hash=False)
    builds: dict[str, frozenset[str]] = field(init=False, repr=False, hash=False)
    loads: dict[str, frozenset[str]] = field(init=False, repr=False, hash=False)

    def __post_init__(self) -> None:
        """Work out which cards may lie on which: `builds` and `loads` give them for each top."""
        value = {card: self.order.index(card[0]) + 1 for card in PACK}
        builds = {top: frozenset(card for card in PACK if self._builds(top, card, value)) for top in PACK}
        # RULES 1, load: same suit and exactly one step away in value
        loads = {
            top: frozenset(card for card in PACK if top[1] == card[1] and abs(value[top] - value[card]) == 1)
            for top in PACK
        }
        for name, worked_out in (("value", value), ("builds", builds), ("loads", loads)):
            object.__setattr__(self, name, worked_out)

    def _builds(self, top: str, card: str, value: dict[str, int]) -> bool:
        if value[card] != value[top] - 1:  # every variant builds down
            return False
        if value[card] == 1 and not self.ace_is_built:  # RULES 5, crapo: the sequence ends at the two
            return False
        if self.sequence == "suit":  # RULES 5, crapette
            return top[1] == card[1]
        return (top[1] in RED) != (card[1] in RED)


RULESETS = {
    ruleset.name: ruleset
    for ruleset in (
        Ruleset("crapaud", "crapaud", one_shuffle=True),
        Ruleset("crapaud-kjq", "crapaud", one_shuffle=True, order="A23456789TQJK"),
        Ruleset("crapo", "crapo", reserve_size=0, ace_is_built=False),
        Ruleset("crapette", "crapette", players=(2, 3, 4), sequence="suit"),
        Ruleset("crapette-it", "italian", laying=True, stop_calls=True),
        Ruleset("crapette-it-strict", "italian", laying=True, strict=True),
        Ruleset("russian-bank", "russian"),
    )
}
TABLES = tuple((ruleset.name, players) for ruleset in RULESETS.values() for players in ruleset.players)
