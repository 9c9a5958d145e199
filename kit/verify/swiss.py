"""Verifies the pairings of a Swiss: each round must follow from the results before it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from analysis.formats.standings import standings
from analysis.formats.swiss import RULE, pair_round

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from analysis.formats.standings import Meeting
    from kit.verify.findings import Findings

Line = dict[str, Any]


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
