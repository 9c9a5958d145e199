"""A match to points on this machine: its games, its score and its score sheet."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from rich.table import Table

from analysis.formats.matches import POINTS, MatchPair, MatchRule, MatchState, count_points, state
from analysis.sheet import in_words
from engine.points.sheet import Part

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kit.console.screen import Screen
    from kit.local.series import Fixture, Played, SeriesPlan, SeriesTally


@dataclass(frozen=True, slots=True)
class LocalMatch:
    """A match between two bots, by name."""

    rule: MatchRule
    names: tuple[str, str]

    def batches(self, plan: SeriesPlan, tally: SeriesTally) -> Iterator[list[Fixture]]:
        """Yield the games not played yet, deal by deal, until the match is over.

        Ask for a deal only when the games before it are in the tally.
        """
        games = list(plan.games())
        for first in range(0, len(games), 2):
            if self.stands(tally).over:
                return
            done = {game.game for game in tally.games}
            yield [fixture for fixture in games[first : first + 2] if fixture.key not in done]

    def stands(self, tally: SeriesTally) -> MatchState:
        """The state of the match, counting only complete deals."""
        return state(self.rule, count_points(self._pairs(tally)))

    def live(self, tally: SeriesTally) -> str:
        """The score in one line."""
        first, second = self.stands(tally).points
        return f"{self.names[0]} {first} – {second} {self.names[1]}, a match {self.rule.words}"

    def progress(self, tally: SeriesTally) -> tuple[int, int]:
        """Progress and target: points of whoever is ahead, or deals."""
        stands = self.stands(tally)
        done = max(stands.points) if self.rule.kind == POINTS else stands.pairs
        return min(done, self.rule.target), self.rule.target

    def words(self, tally: SeriesTally) -> str:
        """Who won, or the current score, in one sentence."""
        stands = self.stands(tally)
        first, second = stands.points
        deals = f"after {stands.pairs} deal{'' if stands.pairs == 1 else 's'}"
        score = f"{max(first, second)} to {min(first, second)} {deals}"
        if stands.winner is not None:
            return f"{self.names[stands.winner]} won the match {self.rule.words}: {score}."
        if stands.over:
            return f"The match {self.rule.words} is drawn: no winner {deals}, {first} to {second}."
        score = f"{self.names[0]} {first}, {self.names[1]} {second} {deals}"
        return f"The match {self.rule.words} is not over: {score}."

    def lines(self, tally: SeriesTally) -> list[dict[str, Any]]:
        """The score sheet, one line per game that counts: parts, points and running totals, by name."""
        last = self.stands(tally).pairs
        totals = dict.fromkeys(self.names, 0)
        found = []
        for game in sorted(tally.games, key=lambda one: one.game):
            if _deal(game) > last:
                continue
            made = dict(zip(game.seats, game.points, strict=True))
            for name in self.names:
                totals[name] += made[name]
            parts = dict(zip(game.seats, game.parts, strict=True)) if game.parts else {}
            found.append({"game": game.game, "parts": parts, "points": made, "totals": dict(totals)})
        return found

    def as_dict(self, tally: SeriesTally) -> dict[str, Any]:
        """The match as ``--json`` writes it."""
        stands = self.stands(tally)
        return {
            "rule": asdict(self.rule),
            "over": stands.over,
            "winner": None if stands.winner is None else self.names[stands.winner],
            "deals": stands.pairs,
            "points": dict(zip(self.names, stands.points, strict=True)),
            "lines": self.lines(tally),
        }

    def show(self, console: Screen, tally: SeriesTally) -> None:
        """Print the score sheet and who won."""
        table = Table(title=f"A match {self.rule.words}")
        table.add_column("game")
        for name in self.names:
            table.add_column(name)
            table.add_column("total", justify="right")
        for line in self.lines(tally):
            cells = [line["game"]]
            for name in self.names:
                cells += [_sum(line["parts"].get(name, ()), line["points"][name]), str(line["totals"][name])]
            table.add_row(*cells, end_section=line["game"].endswith("-2"))
        console.print(table)
        console.say(self.words(tally))

    def _pairs(self, tally: SeriesTally) -> list[MatchPair]:
        found = []
        for games in tally.whole:
            made = [sum(game.points[game.seats.index(name)] for game in games) for name in self.names]
            found.append(MatchPair(_deal(games[0]), True, (made[0], made[1])))
        return found


def _deal(game: Played) -> int:
    """The number of a game's deal, from 1."""
    return int(game.game.partition("-")[0])


def _sum(parts: list[dict[str, Any]], made: int) -> str:
    """The parts, one below the other, with their sum at the end if there are several."""
    terms = [f"{part['points']:>3}  {in_words(Part(**part))}" for part in parts]
    return "\n".join([*terms, f"{made:>3}"] if len(terms) != 1 else terms)
