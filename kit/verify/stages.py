"""Verifies who met whom in a Swiss, or in groups with a knock-out after them, where also draw and places."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from analysis.formats.bracket import bracket, resolve, went_on, winners
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
from analysis.formats.standings import standings
from analysis.formats.swiss import RULE, pair_round

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from analysis.formats.bracket import Node, PlayedMatch, State
    from analysis.formats.groups import GroupRule
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


@dataclass(frozen=True, slots=True)
class SwissEvent:
    """What a bundle says of a Swiss. `meetings` reads a pairing as the standings count it; `bye` is what a
    bye is worth, and `voided` are the rounds and tables in which a pair was voided that had counted."""

    head: Line
    entrants: dict[int, Line]
    pairings: dict[tuple[int, int], Line]
    meetings: Callable[[Line], Sequence[Meeting]]
    bye: float
    voided: set[tuple[int, int]]
    found: Findings

    def check(self) -> str:
        """Pair each round again; return a sentence about what cannot be checked, empty if all was."""
        rule = self.head["options"].get("pairing_rule")
        if rule != RULE and self.pairings:
            return "Not checked: who met whom in each round, because this event was paired by another rule."
        unknown = [number for number in sorted({key[0] for key in self.pairings}) if not self._check(number)]
        if not unknown:
            return ""
        rounds = ", ".join(map(str, unknown))
        return (
            f"Not checked: who met whom in round {rounds}, because a result before it was voided later,"
            " or is hidden."
        )

    def _check(self, number: int) -> bool:
        """Pair a round again; False if what it was paired from is not known."""
        lines = [line for key, line in sorted(self.pairings.items()) if key[0] == number]
        before = [line for key, line in sorted(self.pairings.items()) if key[0] < number]
        field = {one for line in lines for one in line["entrants"]}
        over = self.head["status"] in ("finished", "cancelled")
        missing = {one for one, line in self.entrants.items() if not line["withdrawn"]} - field
        if missing and not over:
            return False  # at hidden tables
        for one in sorted(missing):
            self.found.add(f"round {number}", "entrants", f"expected entrant {one}, got a round without it")
        whole = {key[0] for key in self.pairings} >= set(range(1, number))
        if not whole or any(key[0] < number for key in self.voided) or any(map(_goes_on, before)):
            return False
        byes = [line["entrants"][0] for line in before if len(line["entrants"]) == 1]
        unplayed = [one for line in before for one in _without_playing(line)]
        table = standings(
            sorted(self.entrants),
            [one for line in before for one in self.meetings(line)],
            {one: self.bye * byes.count(one) for one in byes},
        )
        rows = [row for row in table if row.entrant in field]
        made = pair_round(
            [row.entrant for row in rows],
            {row.entrant: row.points for row in rows},
            [frozenset(line["entrants"]) for line in before if len(line["entrants"]) == 2],
            [*byes, *unplayed],
            followed=number < self.head["rounds"],
        )
        expected = [*map(list, made.tables), *([[made.bye]] if made.bye is not None else [])]
        self.found.same(f"round {number}", "tables", list(range(1, len(expected) + 1)), self._tables(number))
        for place, (entrants, line) in enumerate(zip(expected, lines, strict=False), start=1):
            self.found.same(f"round {number}, table {place}", "entrants", entrants, line["entrants"])
        return True

    def _tables(self, number: int) -> list[int]:
        return sorted(table for one, table in self.pairings if one == number)


def _without_playing(line: Line) -> list[int]:
    """Who won a pairing of two of which nothing was played, because the other one left: nobody or one."""
    left = line.get("forfeited_by")
    return [] if left is None or line["done"] else [one for one in line["entrants"] if one != left]


def _goes_on(line: Line) -> bool:
    """Whether a pairing is not decided: of a bundle in which it is shown without its end."""
    return line["done"] < line["planned"] or (len(line["entrants"]) == 2 and not line.get("match", "over"))
