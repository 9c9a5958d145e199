"""Verifies groups with a knock-out after them: who met whom there, the draw, and the places."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from analysis.formats.bracket import bracket, resolve, went_on
from analysis.formats.groups import (
    advancing,
    check,
    draw,
    in_group,
    letter,
    meetings_of,
    rank_groups,
    rule_of,
    schedule,
    seedings,
    snake,
)
from analysis.formats.knockout import winners
from analysis.formats.standings import standings

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from analysis.formats.bracket import Node, State
    from analysis.formats.groups import GroupRule
    from analysis.formats.knockout import PlayedMatch
    from analysis.formats.standings import Meeting, Row
    from kit.verify.findings import Findings

Line = dict[str, Any]
Pairings = dict[tuple[int, int], Line]


@dataclass(frozen=True, slots=True)
class StagedEvent:
    """What a bundle says of an event with groups. `meeting` and `played` read a pairing as the standings and
    the bracket count it; `voided` are the rounds and tables in which a pair was voided."""

    head: Line
    numbers: list[int]
    pairings: Pairings
    meeting: Callable[[Line], list[Meeting]]
    played: Callable[[Line], PlayedMatch]
    voided: set[tuple[int, int]]
    found: Findings

    @property
    def rule(self) -> GroupRule:
        """How many groups there are, and who advances. Raises ValueError or InvalidTournament."""
        rule = rule_of(self.head["options"])
        if rule is None:
            raise ValueError("expected how many groups there are in the options, got nothing")
        settled = rule.for_entrants(len(self.numbers))
        check(settled, len(self.numbers))
        return settled

    def check(self) -> None:
        """Check who met whom in the groups, that the draw follows from their tables, and every match of the
        knock-out from the one before."""
        if not self.pairings:
            return
        self._schedule()
        drawn = self._drawn()
        if not drawn:
            late = [line for line in self.pairings.values() if not in_group(line["label"])]
            if late or self.head["status"] == "finished":
                self.found.add("knock-out", "draw", "expected the matches of its first round, got none")
            return
        self._draw(drawn)
        self._matches(drawn)

    def places(self) -> list[list[int]]:
        """Return the entrants in groups of equal place."""
        drawn, first = self._drawn(), self._first()
        seeds = [drawn.get(seed, one) for seed, one in enumerate(first)]
        known = [one for one in seeds if one is not None]
        inside = known if len(known) == len(seeds) else []
        return rank_groups(self._tables(), inside, self._state(seeds)[0])

    def _members(self) -> list[list[int]]:
        return snake(self.numbers, self.rule.groups)

    def _tables(self) -> list[list[Row]]:
        met: dict[str, list[Meeting]] = {}
        for line in self.pairings.values():
            if in_group(line["label"]):
                met.setdefault(line["label"], []).extend(self.meeting(line))
        return [standings(keys, met.get(letter(index), [])) for index, keys in enumerate(self._members())]

    def _first(self) -> list[int | None]:
        """Return who advances by seed, from the tables; None where a group is not over."""
        orders: list[list[int] | None] = []
        for index, table in enumerate(self._tables()):
            lines = [line for line in self.pairings.values() if line["label"] == letter(index)]
            over = all(is_over(line) for line in lines)
            whole = len(lines) == meetings_of(len(table), self.head["cycles"])
            orders.append([row.entrant for row in table] if over and whole else None)
        return advancing(orders, self.rule.advance)

    def _schedule(self) -> None:
        """Check the meetings of the groups, which are all made at the start. Hidden ones may be missing."""
        groups = {
            (one.round, one.table): (letter(one.group), [one.first, one.second])
            for one in schedule(self.numbers, self.rule.groups, self.head["cycles"])
        }
        rounds = max(number for number, _ in groups)
        whole = self.head["status"] == "finished"
        for key in sorted(groups.keys() | self.pairings.keys()):
            where, line = f"round {key[0]}, table {key[1]}", self.pairings.get(key)
            if line is None:
                if whole:
                    self.found.add(where, "entrants", f"expected {list(groups[key][1])}, got none")
                continue
            if key[0] > rounds:
                if in_group(line["label"]):
                    self.found.add(where, "label", "expected a match of the knock-out, got a group")
                continue
            label, entrants = groups.get(key, (None, None))
            self.found.same(where, "label", label, line["label"])
            self.found.same(where, "entrants", entrants, line["entrants"])

    def _drawn(self) -> dict[int, int]:
        """Return the entrants by seed, from the matches and byes of the knock-out's first round."""
        by_label = {line["label"]: line for line in self.pairings.values()}
        found: dict[int, int] = {}
        for node in self._nodes():
            line = by_label.get(node.label)
            if node.stage == "W1" and line is not None:
                seeds = sorted((node.first.seed, node.second.seed))[:1]  # of a bye, as the other is missing
                if len(line["entrants"]) == 2:
                    seeds = [node.first.seed, node.second.seed]
                found.update(zip(seeds, line["entrants"], strict=True))
        return found

    def _nodes(self) -> list[Node]:
        return bracket(self.rule.qualifiers)

    def _draw(self, drawn: Mapping[int, int]) -> None:
        """Check the draw. After a pair of a group was voided its table may be another than the one that was
        drawn from; then only the group of those who advanced from it is known."""
        members = [set(keys) for keys in self._members()]
        slots = draw(self.rule.groups, self.rule.advance)
        for seed, entrant in drawn.items():
            if entrant not in members[slots[seed].group]:
                what = f"expected one of group {letter(slots[seed].group)}, got entrant {entrant}"
                self.found.add("knock-out", f"seed {seed + 1}", what)
        if len(set(drawn.values())) < len(drawn):
            self.found.add("knock-out", "draw", "expected everybody once, got an entrant twice")
        again = {self.pairings[key]["label"] for key in self.voided & self.pairings.keys()}
        for seed, advances in enumerate(self._first()):
            if letter(slots[seed].group) in again:
                continue
            if advances is not None and (seed in drawn or self.head["status"] == "finished"):
                self.found.same("knock-out", f"seed {seed + 1}", advances, drawn.get(seed))

    def _matches(self, drawn: Mapping[int, int]) -> None:
        """Check who meets whom in the knock-out, and that in the end every match was played."""
        seeds = [drawn.get(seed) for seed in range(self.rule.qualifiers)]
        state, labels = self._state(seeds)
        known = {node.label for node in self._nodes()}
        again = any(not in_group(self.pairings[key]["label"]) for key in self.voided & self.pairings.keys())
        for key, line in self.pairings.items():
            where = f"round {key[0]}, table {key[1]}"
            if in_group(line["label"]):
                continue
            if line["label"] not in known:
                self.found.add(where, "label", f"expected a match of the bracket, got {line['label']!r}")
            elif not again and line["label"] in state.sides:
                meet = [one for one in state.sides[line["label"]] if one is not None]
                self.found.same(where, "entrants", meet, line["entrants"])
        if self.head["status"] == "finished":
            for label, sides in state.sides.items():
                if None not in sides and label not in labels:
                    self.found.add("knock-out", label, "expected a match that was played, got none")
            if state.champion is None:
                self.found.add("knock-out", "champion", "expected one, got none")

    def _state(self, seeds: list[int | None]) -> tuple[State, set[str]]:
        """Return how the knock-out stands, and the labels of the matches that are played."""
        lines = [
            line
            for line in self.pairings.values()
            if not in_group(line["label"]) and len(line["entrants"]) == 2 and is_over(line)
        ]
        over = [self.played(line) for line in lines]
        better = seedings(seeds, self.rule.groups, self.numbers)
        won, _ = winners(over, better)
        found = after_voids(self._nodes(), won, self.pairings, self.voided)
        return resolve(seeds, self._nodes(), found), {one.label for one in over}


def after_voids(
    nodes: Sequence[Node], won: Mapping[str, int], pairings: Pairings, voided: set[tuple[int, int]]
) -> dict[str, int]:
    """Return the winner of each match of a bracket, of those in which a pair was voided whoever went on."""
    met = {line["label"]: line["entrants"] for line in pairings.values() if len(line["entrants"]) == 2}
    again = {pairings[key]["label"] for key in voided & pairings.keys()}
    stands = went_on(nodes, won, met)
    return {**won, **{label: stands[label] for label in again & stands.keys()}}


def is_over(line: Line) -> bool:
    """Whether all pairs of a meeting are played, and a match is decided."""
    return line["done"] >= line["planned"] and bool(line.get("match", "over"))
