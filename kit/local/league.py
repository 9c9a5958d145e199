"""``crapette league A B C …``: many bots play each other; one table with their ratings."""

from __future__ import annotations

import itertools
import json
import secrets
import sys
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from rich.table import Table

import engine
from analysis.intervals import Z95
from analysis.ratings import elo
from analysis.ratings.inputs import FitInputs, count_orders, intervals
from analysis.ratings.match_arrays import Match
from kit.bot.entrants import find_all
from kit.console.command import INTERRUPTED, BadUsage, Parser, count, run_command, split_board
from kit.console.output_files import writable_file
from kit.console.screen import Screen, plain
from kit.local import play_progress
from kit.local.pool import Pool, handling
from kit.local.record import as_played
from kit.local.saved_games import SAVE_EVERY, agree, free_file, keep, load_saved
from kit.local.series import Fixture, Played, SeriesPlan, SeriesTally, seed_of
from kit.runners.choice import add_options, bots_of
from referee.job import Job

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

    from kit.bot.entrants import Contestant

PROG: Final = "crapette league"
ANCHOR: Final = "greedy"
"""The house bot that fixes the scale, as on the site."""
CROSSTABLE: Final = 8
"""With this many bots or fewer, the table has a column for each opponent."""


def parser() -> Parser:
    """Return the command line's parser."""
    made = Parser(
        prog=PROG,
        description="Let many bots play each other, and rate them as the site does.",
        epilog="""\
All bots play each other on the same deals, from both seats. Ratings are computed as for the site's
leaderboard: a Bradley-Terry fit of all pairs with 95 % intervals (Plackett-Luce with three and four seats).
If the house bot greedy takes part, it is set to 1500, as on the site; otherwise the mean of all bots is.

examples:
  crapette league v1 v2 v3 greedy
  crapette league bots/* --pairs 50 --save league.json      after Ctrl-C, repeat the command to continue
  crapette league v1 v2 v3 v4 --save league.json            one more bot: plays what is missing
  crapette league v1 v2 greedy planner --variant crapette --players 3
  crapette league v1 v2 v3 --json | jq '.table[0]'

exit status:
  0  played      2  wrong arguments      75  this machine failed      130  interrupted""",
    )
    made.add_argument("bots", nargs="+", metavar="BOT", help="files, folders and house bots; three or more")
    made.add_argument(
        "--variant",
        default="crapaud",
        help=f"one of {', '.join(engine.VARIANTS)} (default: %(default)s)",
    )
    made.add_argument(
        "--players", type=count, help="seats of a game (default: those of a board such as crapette/3, or 2)"
    )
    made.add_argument(
        "--pairs",
        type=count,
        default=10,
        metavar="N",
        help="deals of each meeting, each played from every seat (default: %(default)s)",
    )
    made.add_seed()
    made.add_clock()
    made.add_jobs()
    made.add_argument(
        "--save", type=Path, metavar="FILE", help="keep all games in this file, and continue from it"
    )
    made.add_argument("--json", action="store_true", help="print the table as JSON")
    add_options(made)
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Play the league; return the exit status."""
    given = parser().parse_args(arguments)
    return run_command(PROG, lambda: _League(given).run())


@dataclass(frozen=True, slots=True)
class LeagueMeeting(SeriesPlan):
    """The games of those bots, by number, that meet each other."""

    bots: tuple[int, ...] = ()

    def seats_of(self, fixture: Fixture) -> list[int]:
        """Which bot has which seat."""
        return [self.bots[place] for place in fixture.seats()]


@dataclass(frozen=True, slots=True)
class LeagueRow:
    """A line of the table; `against` is the mean score against each opponent, by number."""

    bot: str
    elo: float
    low: float | None
    high: float | None
    score: float
    games: int
    against: dict[int, float]


class _League:
    """One run of the command."""

    def __init__(self, given: argparse.Namespace) -> None:
        self._given = given
        self._screen = Screen(errors=given.json)
        name, seats = split_board(given.variant)
        rules = engine.variant(name or "")
        self._players = players = given.players or seats or 2
        if players not in rules.players or (seats or players) != players:
            raise BadUsage(
                f"expected --players {' or '.join(map(str, rules.players))} in {rules.name}, got {players}"
            )
        if len(given.bots) < max(3, players):
            raise BadUsage(
                f"expected at least {max(3, players)} bots, got {len(given.bots)}: see crapette play"
            )
        before = load_saved(given.save, f"{PROG} --save", _check)
        if given.save is not None:
            writable_file("--save", given.save)
        self._bots = bots_of(given)
        self._identities: list[list[str]] = list(before["league"]["bots"]) if before else []
        self._entrants = self._numbered(find_all(given.bots, self._bots.inspect))
        usual = before["league"]["seed"] if before else secrets.token_hex(32)
        seed = usual if given.seed is None else seed_of(given.seed)
        self._settings: dict[str, Any] = {
            "variant": rules.name,
            "players": players,
            "seed": seed,
            "clock": [given.clock.bank_ms, given.clock.increment_ms],
            "level": self._bots.level,
            "rules": engine.RULES_VERSION,
        }
        if before is not None:
            agree(given.save, before["league"], self._settings)
        self._meetings = [
            LeagueMeeting(rules.name, players, given.pairs, seed, bots=bots)
            for bots in itertools.combinations(sorted(self._entrants), players)
        ]
        self._games: dict[tuple[tuple[int, ...], str], Played] = {}
        for one in before["games"] if before else ():
            self._games[tuple(one["meeting"]), one["game"]] = _game(one)
        self._kept: Path | None = given.save

    def _numbered(self, found: Sequence[Contestant]) -> dict[int, Contestant]:
        """The bots by their numbers: those that the file has keep theirs, and new ones come after them."""
        numbers: dict[int, Contestant] = {}
        for each in found:
            identity = [each.name, each.upload.sha256]
            if identity not in self._identities:
                self._identities.append(identity)
            numbers[self._identities.index(identity)] = each
        return numbers

    def run(self) -> int:
        """Play what is left, and show the table; return the exit status."""
        status = 0
        try:
            self._play()
        except KeyboardInterrupt:
            status = INTERRUPTED
            self._kept = self._kept or free_file("league")
        finally:
            if self._kept is not None and self._games:
                self._save()
        rows = self._rows()
        if self._given.json:
            table = [
                {
                    **{name: getattr(row, name) for name in ("bot", "elo", "low", "high", "score", "games")},
                    "against": {self._entrants[key].name: value for key, value in row.against.items()},
                }
                for row in rows
            ]
            bots = [self._identities[number] for number in self._entrants]
            sys.stdout.write(json.dumps({**self._settings, "bots": bots, "table": table}, indent=1) + "\n")
        else:
            self._show(rows)
        if status:
            self._screen.say(f"Interrupted. To continue, run the same command with --save {self._kept}")
        return status

    def _play(self) -> None:
        seats = {number: entrant.seat(self._bots) for number, entrant in self._entrants.items()}
        given = self._given

        def meeting(fixture: Fixture) -> LeagueMeeting:
            assert isinstance(fixture.plan, LeagueMeeting)  # noqa: S101
            return fixture.plan

        def job(fixture: Fixture) -> Job:
            own = tuple(seats[bot] for bot in meeting(fixture).seats_of(fixture))
            return Job(fixture.plan.variant, fixture.start(), own, given.clock, self._bots.level)

        missing = list(self._missing())
        if not missing:
            return
        pool = Pool(min(given.jobs, len(missing)), self._bots.start)
        games = pool.play([missing], job)
        others, total = len(self._games), len(missing)
        with (
            play_progress.bar(self._screen, lambda: (len(self._games) - others, total, "games")) as show,
            handling(pool.interrupt),
        ):
            try:
                for one in games:
                    plan = meeting(one.fixture)
                    names = [self._entrants[bot].name for bot in plan.seats_of(one.fixture)]
                    self._games[plan.bots, one.fixture.key] = as_played(one, names)
                    show()
                    if self._kept is not None and len(self._games) % SAVE_EVERY == 0:
                        self._save()
            finally:
                games.close()

    def _missing(self) -> Iterator[Fixture]:
        """The games not played yet, deal by deal, so that a league that is broken off is balanced."""
        for deal in range(self._given.pairs):
            for meeting in self._meetings:
                for leg in range(meeting.players):
                    fixture = Fixture(meeting, deal, leg)
                    if (meeting.bots, fixture.key) not in self._games:
                        yield fixture

    def _rows(self) -> list[LeagueRow]:
        """The table, best first."""
        tallies = {
            plan.bots: SeriesTally([self._entrants[bot].name for bot in plan.bots]) for plan in self._meetings
        }
        for (bots, _), game in self._games.items():
            if bots in tallies:
                tallies[bots].add(game)
        anchors = {
            number: elo.ANCHOR_ELO
            for number, entrant in self._entrants.items()
            if entrant.house and entrant.name == ANCHOR
        }
        if self._players == 2:
            weighed = FitInputs(
                anchors, tuple(Match(bots[0], bots[1], tally.penta()) for bots, tally in tallies.items())
            ).rate()
            fitted = dict(zip(weighed.fit.players, weighed.fit.estimates, strict=True))
            ends = intervals(weighed)
        else:
            deals = [
                [_ranking(game, bots, tally.names) for game in games]
                for bots, tally in tallies.items()
                for games in tally.whole
            ]
            fitted = FitInputs(anchors, rankings=count_orders(deals)).estimates()
            ends = {
                bot: (one.elo - Z95 * one.error, one.elo + Z95 * one.error) for bot, one in fitted.items()
            }
        rows = []
        for number, entrant in self._entrants.items():
            if number not in fitted:
                continue
            rows.append(_row(number, entrant.name, fitted[number].elo, ends[number], tallies))
        return sorted(rows, key=lambda row: -row.elo)

    def _show(self, rows: Sequence[LeagueRow]) -> None:
        if not rows:
            self._screen.say("No deal has been played from every seat yet, so there is no table.")
            return
        cross = len(rows) <= CROSSTABLE and self._players == 2
        order = [next(key for key, one in self._entrants.items() if one.name == row.bot) for row in rows]
        heads = [str(number) for number in range(1, len(rows) + 1)] if cross else []
        table = Table("", "bot", "Elo", "95 %", "score", "games", *heads)
        for number, row in enumerate(rows, start=1):
            low, high = ("…" if end is None else f"{end:.0f}" for end in (row.low, row.high))
            cells = (
                [f"{row.against[key]:.0%}" if key in row.against else "" for key in order] if cross else []
            )
            table.add_row(
                str(number),
                plain(row.bot),
                f"{row.elo:.0f}",
                f"{low} – {high}",
                f"{row.score:.1%}",
                str(row.games),
                *cells,
            )
        self._screen.print(table)
        meetings = {plan.bots for plan in self._meetings}
        faults = [
            game for (bots, _), game in self._games.items() if bots in meetings and game.seat is not None
        ]
        for game in faults:
            self._screen.say(f"  {' – '.join(game.seats)} {game.game}: {game.detail}")

    def _save(self) -> None:
        assert self._kept is not None  # noqa: S101
        games = [{"meeting": bots, **game.as_dict()} for (bots, _), game in sorted(self._games.items())]
        keep(self._kept, {"league": self._settings | {"bots": self._identities}, "games": games})


def _row(
    number: int,
    name: str,
    rating: float,
    ends: tuple[float | None, float | None],
    tallies: dict[tuple[int, ...], SeriesTally],
) -> LeagueRow:
    """The line of one bot."""
    scores: list[float] = []
    against: dict[int, list[float]] = defaultdict(list)
    for bots, tally in tallies.items():
        if number not in bots:
            continue
        own = tally.names[bots.index(number)]
        made = [game.scores()[own] for game in tally.games]
        scores += made
        for other in bots:
            if other != number:
                against[other] += made
    low, high = (None if end is None else round(end, 1) for end in ends)
    means = {other: sum(made) / len(made) for other, made in against.items() if made}
    return LeagueRow(name, round(rating, 1), low, high, sum(scores) / max(1, len(scores)), len(scores), means)


def _ranking(game: Played, bots: Sequence[int], names: Sequence[str]) -> list[list[int]]:
    """The finishing order of a game, by number of bot."""
    by_name = dict(zip(names, bots, strict=True))
    return [[by_name[game.seats[seat]] for seat in group] for group in game.ranking]


def _check(document: dict[str, Any]) -> None:
    """Raise what comes of it unless the file has all that a league needs."""
    seed_of(document["league"]["seed"])
    bots = [(str(name), str(sha256)) for name, sha256 in document["league"]["bots"]]
    for one in document["games"]:
        _game(one)
        if any(number not in range(len(bots)) for number in one["meeting"]):
            raise ValueError("a game of a bot that is not named")


def _game(fields: dict[str, Any]) -> Played:
    """A game as the file has it."""
    return Played.from_dict({key: value for key, value in fields.items() if key != "meeting"})


if __name__ == "__main__":
    sys.exit(main())
