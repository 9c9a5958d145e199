"""Groups, then knock-out: who is in which group, who meets whom there, and who advances to which place.

The seeds go to the groups in a snake: A, B, C, C, B, A, and so on. In each group everyone meets everyone, and
the first `advance` go on to a single elimination. Their places in its bracket are fixed beforehand, so
everybody can see whom the winner of a group will meet: the winners of the groups stand in the best places, A
before B, then come the runners-up, and so on. Those of one group stand as far apart as possible, so that they
meet as late as possible.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

from analysis.errors import InvalidTournament
from analysis.formats import circle
from analysis.formats.bracket import seed_order

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from analysis.formats.bracket import State
    from analysis.formats.standings import Row

MOST_GROUPS: Final = 16
ADVANCING: Final = (1, 2, 4)
"""How many of each group may advance."""
USUAL_SIZE: Final = 4

Entrant = TypeVar("Entrant")


class GroupSlot(NamedTuple):
    """A place in a group's table, both from 0: ``GroupSlot(0, 1)`` is the runner-up of group A."""

    group: int
    place: int


class GroupMeeting(NamedTuple):
    """A meeting of a group: round and table from 1, the group from 0, and the two entrants."""

    round: int
    table: int
    group: int
    first: int
    second: int


@dataclass(frozen=True, slots=True)
class GroupRule:
    """How many groups there are (0: not settled yet), how many of each advance, and how many pairs a match of
    the knock-out has (0: as many as in the groups)."""

    groups: int
    advance: int
    knockout_pairs: int = 0

    @property
    def qualifiers(self) -> int:
        """How many play in the knock-out."""
        return self.groups * self.advance

    @property
    def least(self) -> int:
        """The fewest entrants: somebody has to be left behind in each group."""
        return self.groups * (self.advance + 1)

    def for_entrants(self, entrants: int) -> GroupRule:
        """Return the same; if no number was asked for, with groups of about four (eight if four advance)."""
        if self.groups:
            return self
        usual = max(USUAL_SIZE, 2 * self.advance)
        most = max(1, min(MOST_GROUPS, entrants // (self.advance + 1)))
        number = min(most, max(1, (entrants + usual // 2) // usual))
        if self.advance == 1:
            number = max(2, number)  # one group's winner would have nobody to meet
        return GroupRule(number, self.advance, self.knockout_pairs)

    def as_options(self) -> dict[str, Any]:
        """Return the rule as a tournament's options store it."""
        return {
            "groups": {
                "number": self.groups,
                "advance": self.advance,
                "knockout_pairs": self.knockout_pairs,
            }
        }


def rule_of(options: Mapping[str, Any]) -> GroupRule | None:
    """Return the rule in a tournament's options; None if it has no groups."""
    found = options.get("groups")
    return GroupRule(found["number"], found["advance"], found["knockout_pairs"]) if found else None


def check(rule: GroupRule, entrants: int) -> None:
    """Raise InvalidTournament if a settled rule does not fit so many entrants."""
    if rule.advance not in ADVANCING:
        raise InvalidTournament(
            f"1, 2 or 4 of each group can advance. You asked for {rule.advance}.", "advance"
        )
    if not 1 <= rule.groups <= MOST_GROUPS:
        raise InvalidTournament(
            f"There can be 1 to {MOST_GROUPS} groups. You asked for {rule.groups}.", "groups"
        )
    if rule.qualifiers < 2:
        raise InvalidTournament("Of a single group, at least two must advance.", "advance")
    if entrants < rule.least:
        raise InvalidTournament(
            f"With this many groups and {rule.advance} advancing from each, choose at least {rule.least} "
            f"bots. You chose {entrants}.",
            "groups",
        )


def letter(group: int) -> str:
    """Return the name of a group (from 0): A, B, …"""
    return chr(ord("A") + group)


def snake(entrants: Sequence[Entrant], groups: int) -> list[list[Entrant]]:
    """Distribute entrants, best first, to groups; sizes differ by at most one."""
    found: list[list[Entrant]] = [[] for _ in range(groups)]
    for index, one in enumerate(entrants):
        row, place = divmod(index, groups)
        found[place if row % 2 == 0 else groups - 1 - place].append(one)
    return found


def group_rounds(entrants: int, groups: int, cycles: int = 1) -> int:
    """Return how many rounds the groups take, which are played at the same time."""
    return circle.rounds(-(-entrants // groups)) * cycles


def meetings_of(size: int, cycles: int = 1) -> int:
    """Return how many meetings a group of this size has."""
    return size * (size - 1) // 2 * cycles


def schedule(entrants: Sequence[int], groups: int, cycles: int = 1) -> Iterator[GroupMeeting]:
    """Return the meetings of all groups by round and table, each group's in the circle method's order."""
    members = snake(entrants, groups)
    rounds = [list(circle.circle(len(group), cycles)) for group in members]
    for number in range(max(map(len, rounds))):
        table = 0
        for group, tables in enumerate(rounds):
            for first, second in tables[number] if number < len(tables) else ():
                table += 1
                yield GroupMeeting(number + 1, table, group, members[group][first], members[group][second])


@lru_cache(maxsize=64)
def draw(groups: int, advance: int) -> tuple[GroupSlot, ...]:
    """Return who stands where in the bracket, by seed (from 0): the winners of groups first, A before B.

    Place by place, each group gets the seed that keeps it farthest from those it has; among equals the
    one that is nearest to the order of the groups.
    """
    size = 1 << max(1, (groups * advance - 1).bit_length())
    position = {seed: index for index, seed in enumerate(seed_order(size))}
    taken: list[list[int]] = [[] for _ in range(groups)]
    for place in range(advance):
        seeds = range(place * groups, (place + 1) * groups)
        costs = [
            [
                sum(_nearness(position[seed], position[other], size) for other in taken[group])
                + (abs(seed - place * groups - group) if place else 10 * groups * abs(seed - group))
                for seed in seeds
            ]
            for group in range(groups)
        ]
        for group, column in enumerate(_assigned(costs)):
            taken[group].append(seeds[column])
    slots = {
        seed: GroupSlot(group, place) for group, seeds in enumerate(taken) for place, seed in enumerate(seeds)
    }
    return tuple(slots[seed] for seed in sorted(slots))


def _nearness(one: int, other: int, size: int) -> int:
    """The cost of two places in a bracket in one group: by far the highest where they meet at once."""
    meet = (one ^ other).bit_length()  # the round in which they can meet, from 1
    return 10_000 * (int(64 ** (size.bit_length() - 1 - meet)) - 1)


def _assigned(costs: Sequence[Sequence[int]]) -> list[int]:
    """Return the column of each row so that the sum of costs is least (H. W. Kuhn, Naval Research Logistics
    Quarterly 2, 1955), in the version with potentials and shortest augmenting paths."""
    count = len(costs)
    rows, columns = [0] * (count + 1), [0] * (count + 1)
    owner, way = [0] * (count + 1), [0] * (count + 1)  # rows and columns from 1; column 0 is the start
    for row in range(1, count + 1):
        owner[0], column = row, 0
        least, used = [float("inf")] * (count + 1), [False] * (count + 1)
        while owner[column]:
            used[column] = True
            here, following, step = owner[column], 0, float("inf")
            for one in range(1, count + 1):
                if used[one]:
                    continue
                reduced = costs[here - 1][one - 1] - rows[here] - columns[one]
                if reduced < least[one]:
                    least[one], way[one] = reduced, column
                if least[one] < step:
                    step, following = least[one], one
            for one in range(count + 1):
                if used[one]:
                    rows[owner[one]] += int(step)
                    columns[one] -= int(step)
                else:
                    least[one] -= step
            column = following
        while column:
            owner[column] = owner[way[column]]
            column = way[column]
    found = [0] * count
    for column in range(1, count + 1):
        found[owner[column] - 1] = column - 1
    return found


def in_group(label: str) -> bool:
    """Whether a pairing's label is that of a group, not of a match of the bracket."""
    return len(label) == 1


def advancing(tables: Sequence[Sequence[int] | None], advance: int) -> list[int | None]:
    """Return the entrants by their seeds in the bracket; `tables` are the groups best first, None while a
    group is not over."""
    return [
        None if table is None else table[slot.place]
        for slot in draw(len(tables), advance)
        for table in [tables[slot.group]]
    ]


def seedings(seeds: Sequence[int | None], groups: int, entrants: Sequence[int]) -> dict[int, int]:
    """Return what decides a level match of the knock-out, smaller being better: the place in the group from
    which an entrant came, then its number among all `entrants`, best first."""
    came = {
        one: slot.place
        for one, slot in zip(seeds, draw(groups, len(seeds) // groups), strict=True)
        if one is not None
    }
    return {one: came.get(one, len(entrants)) * len(entrants) + index for index, one in enumerate(entrants)}


def rank_groups(
    tables: Sequence[Sequence[Row]], drawn: Sequence[int], state: State | None
) -> list[list[int]]:
    """Return all entrants in groups of equal place, best first.

    `drawn` are those in the knock-out and `state` is how it stands; before it, nobody is drawn. Whoever is
    still in it shares the first place. Those who did not advance follow, by their place in the group, their
    points per game there and their mean margin.
    """
    places = state.places if state else []
    known = {one for group in places for one in group}
    still = [one for one in drawn if one not in known]
    found = [list(group) for group in places]
    if still:
        # Once there is a champion nobody is still in it, unless a void pair turned a match round later.
        found.insert(len(found) if state and state.champion is not None else 0, still)
    rest: dict[tuple[float, ...], list[int]] = {}
    for row in (row for table in tables for row in table if row.entrant not in set(drawn)):
        key = (row.place, -round(row.rate, 9), -round(row.margin, 9))
        rest.setdefault(key, []).append(row.entrant)
    return [*found, *(rest[key] for key in sorted(rest))]
