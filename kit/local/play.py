"""``./crapette play``: plays bots against each other on this machine, sandboxed, and says who is better.

Ctrl-C keeps the results so far. The same command with ``--resume`` continues.
"""

from __future__ import annotations

import json
import secrets
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import engine
from analysis.errors import InvalidTournament
from analysis.formats.matches import DEALS, POINTS, request_rule
from analysis.sheet import game_parts
from kit.bot.entrants import find_all
from kit.console.command import INTERRUPTED, BadUsage, Parser, count, run_command, split_board
from kit.console.output_files import made_folder, new_file, no_records, writable_file, write_whole
from kit.console.screen import Screen
from kit.local import play_progress
from kit.local.matches import LocalMatch
from kit.local.pool import Finished, Pool, handling
from kit.local.record import as_played, record, text
from kit.local.saved_games import SAVE_EVERY, agree, load_saved
from kit.local.series import Fixture, Played, SeriesPlan, SeriesTally, seed_of
from kit.records.finished_games import game_at
from kit.runners.choice import add_options, bots_of
from referee.job import Job

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

    from kit.records.finished_games import Recorded

PROG: Final = "crapette play"
USUAL: Final = "crapaud"


def parser() -> Parser:
    """Return the command line's parser."""
    made = Parser(
        prog=PROG,
        description="Play bots against each other in the sandbox, and find out who is better.",
        epilog="""\
examples:
  crapette play mybot random                                 ten deals, each from both seats
  crapette play mybot greedy --variant russian-bank --to 300 a match
  crapette play mybot mybot planner --variant crapette       three bots
  crapette play mybot planner --deal https://arena.example/games/6f9b0c52-…/
  crapette play mybot planner --replays games; crapette replay games/0001-1.json
  crapette play mybot planner --json - | jq .summary         results for programs

To find out whether a new version is better, use crapette sprt: it plays no more games than it needs.

exit status:
  0  played      2  wrong arguments      75  this machine failed      130  interrupted""",
    )
    made.add_argument(
        "bots", nargs="+", metavar="BOT", help="the name of a house bot, a file or a folder; give 2 to 4"
    )
    made.add_argument("--variant", help=f"one of {', '.join(engine.VARIANTS)} (default: {USUAL})")
    long = made.add_mutually_exclusive_group()
    long.add_argument(
        "--pairs",
        type=count,
        default=10,
        metavar="N",
        help="number of deals, each played from every seat (default: %(default)s)",
    )
    long.add_argument("--to", type=count, metavar="N", help="play a match of two bots to N points instead")
    long.add_argument(
        "--deals", type=count, metavar="N", help="play a match of two bots over N deals instead"
    )
    long.add_argument(
        "--deal",
        metavar="GAME",
        help="play the deal of a finished game again, from every seat; the address of a game or the file of"
        " its record",
    )
    made.add_seed()
    made.add_clock()
    made.add_jobs()
    made.add_argument(
        "--replays",
        type=Path,
        metavar="DIR",
        help="write a record of every game to this folder, to verify or watch",
    )
    made.add_argument(
        "--json", type=Path, metavar="FILE", help="write every result to this new file; - prints it"
    )
    made.add_argument(
        "--resume", action="store_true", help="continue from the results that the FILE of --json already has"
    )
    add_options(made)
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status."""
    given = parser().parse_args(arguments)
    # What is printed for programs must be all there is on standard output.
    return run_command(PROG, lambda: _Match(given, Screen(errors=str(given.json) == "-")).run())


class _Match:
    """One run of the command."""

    def __init__(self, given: argparse.Namespace, console: Screen) -> None:
        self._given = given
        self._prints = given.json is not None and str(given.json) == "-"
        self._console = console
        self._again = game_at(given.deal) if given.deal is not None else None
        name, seats = split_board(given.variant)
        variant = engine.variant(_variant(name, self._again))
        players = variant.players if self._again is None else (self._again.start.players,)
        if seats is not None:
            players = tuple(one for one in players if one == seats)
        if len(given.bots) not in players:
            allowed = " or ".join(map(str, players)) or "no"
            raise BadUsage(
                f"expected {allowed} bots for {given.variant or variant.name}, got {len(given.bots)}"
            )
        self._saved = _continued(given.json) if given.resume else None
        if given.json is not None and not self._prints:
            if given.resume:
                writable_file("--json", given.json)
            else:
                new_file("--json", given.json, resume=True)
        if given.replays is not None:
            made_folder("--replays", given.replays)
            if not given.resume:
                no_records("--replays", given.replays)
        self._bots = bots_of(given)
        self._entrants = find_all(given.bots, self._bots.inspect)
        seed = given.seed if given.seed is not None else secrets.token_hex(32)
        if self._saved is not None and given.seed is None:
            seed = self._saved["match"]["seed"]
        names = [entrant.name for entrant in self._entrants]
        self._match = _match(variant.name, given, names)
        deals = self._match.rule.most if self._match else given.pairs
        if self._again is not None:
            # The suits of later legs follow from the deal, so that they are the same each time.
            again = str(self._again.start)
            self._plan = SeriesPlan(variant.name, len(self._entrants), 1, seed_of(again), again)
        else:
            self._plan = SeriesPlan(variant.name, len(self._entrants), deals, seed_of(seed))
        self._tally = SeriesTally(names)
        if self._saved is not None:
            self._take_up()

    @property
    def _settings(self) -> dict[str, Any]:
        """The settings that must not change when a match is continued."""
        given = self._given
        return {
            "variant": self._plan.variant,
            "seed": self._plan.seed,
            "clock": {"bank_ms": given.clock.bank_ms, "increment_ms": given.clock.increment_ms},
            "bots": [{"name": each.name, "sha256": each.upload.sha256} for each in self._entrants],
            "level": self._bots.level,
            "rules": engine.RULES_VERSION,
            "rule": asdict(self._match.rule) if self._match else None,
            "deal": self._plan.given,
        }

    def _take_up(self) -> None:
        """Count the games in the file that is being continued."""
        assert self._saved is not None  # noqa: S101
        agree(self._given.json, self._saved["match"], self._settings)
        for fields in self._saved["games"]:
            self._tally.add(Played.from_dict(fields))

    def run(self) -> int:
        """Play the remaining games, show and save the results; return the exit status."""
        seats = [entrant.seat(self._bots) for entrant in self._entrants]
        given = self._given

        def job(fixture: Fixture) -> Job:
            return Job(
                variant=self._plan.variant,
                start=fixture.start(),
                seats=tuple(seats[bot] for bot in fixture.seats()),
                clock=given.clock,
                level=self._bots.level,
            )

        status = 0
        pool = Pool(min(given.jobs, self._plan.players * self._plan.deals), self._bots.start)
        games = pool.play(self._batches(), job)
        shown = play_progress.progress(self._console, self._plan, self._tally, self._match)
        with shown as show, handling(pool.interrupt):
            try:
                for one in games:
                    self._take(one, job)
                    show(self._tally)
            except KeyboardInterrupt:
                status = INTERRUPTED
            finally:
                games.close()
                self._save()
        play_progress.summary(self._console, self._plan, self._tally, self._match)
        if self._again is not None:
            self._console.say(f"The deal is that of {self._again.name}. There: {self._again.words_on_it}")
        if given.replays is not None and self._tally.games:
            self._console.say(
                f"Replays are in {given.replays}. Watch one with crapette replay FILE, and check it with"
                " crapette verify FILE."
            )
        if self._prints:
            sys.stdout.write(self._document().decode())
        if status:
            self._console.say(self._how_to_go_on())
        return status

    def _batches(self) -> Iterator[list[Fixture]]:
        """The games not played yet: deal by deal in a match, otherwise all at once."""
        if self._match is not None:
            yield from self._match.batches(self._plan, self._tally)
            return
        done = {game.game for game in self._tally.games}
        yield [fixture for fixture in self._plan.games() if fixture.key not in done]

    def _take(self, one: Finished, job: Any) -> None:
        fixture = one.fixture
        entrants = [self._entrants[bot] for bot in fixture.seats()]
        names = [entrant.name for entrant in entrants]
        self._tally.add(as_played(one, names, self._parts(one)))
        if self._given.replays is not None:
            made = record(job(fixture), one, entrants)
            write_whole(self._given.replays / f"{fixture.key}.json", text(made))
        if len(self._tally.games) % SAVE_EVERY == 0:
            self._save()

    def _parts(self, one: Finished) -> list[list[dict[str, Any]]]:
        """The parts of the points of a match's game, by seat; empty for other games."""
        if self._match is None:
            return []
        found = game_parts(one.fixture.start(), one.events, one.message["result"])
        return [[asdict(part) for part in own] for own in found]

    def _save(self) -> None:
        """Write the file of ``--json`` completely or not at all."""
        if self._given.json is not None and not self._prints:
            write_whole(self._given.json, self._document())

    def _document(self) -> bytes:
        """What ``--json`` writes."""
        games = sorted(self._tally.games, key=lambda game: game.game)
        document: dict[str, Any] = {
            "match": {**self._settings, "pairs": self._plan.deals},
            "summary": play_progress.as_dict(self._tally),
            "games": [game.as_dict() for game in games],
        }
        if self._match is not None:
            document["sheet"] = self._match.as_dict(self._tally)
        return json.dumps(document, indent=1).encode() + b"\n"

    def _how_to_go_on(self) -> str:
        if self._given.json is None or self._prints:
            return "Interrupted. Next time, add --json FILE so that you can continue with --resume."
        played = len(self._tally.games)
        saved = "1 game is" if played == 1 else f"{played} games are"
        return f"Interrupted. {saved} saved in {self._given.json}. Add --resume to continue."


def _variant(asked: str | None, again: Recorded | None) -> str:
    """The variant to play. Raises BadUsage."""
    if again is None:
        return asked or USUAL
    if asked not in {None, again.variant}:
        raise BadUsage(f"expected --variant {again.variant}, which the game of --deal is, got {asked!r}")
    return again.variant


def _match(variant: str, given: argparse.Namespace, names: Sequence[str]) -> LocalMatch | None:
    """The requested match, or None. Raises BadUsage."""
    kind, target = (POINTS, given.to) if given.to is not None else (DEALS, given.deals)
    if target is None:
        return None
    if len(names) != 2:
        raise BadUsage(f"expected two bots for a match, got {len(names)}")
    try:
        return LocalMatch(request_rule(variant, kind, target), (names[0], names[1]))
    except InvalidTournament as error:
        raise BadUsage(str(error)[0].lower() + str(error)[1:].rstrip(".")) from None


def _continued(path: Path | None) -> dict[str, Any]:
    """Read what an earlier run wrote. Raises BadUsage."""
    found = load_saved(path, f"{PROG} --json", _check)
    if found is None:
        got = None if path is None else str(path)
        raise BadUsage(f"--resume: expected --json FILE with earlier results, got {got!r}")
    return found


def _check(document: dict[str, Any]) -> None:
    """Raise what comes of it unless the file has all that a match needs."""
    seed_of(document["match"]["seed"])
    for fields in document["games"]:
        Played.from_dict(fields)


if __name__ == "__main__":
    sys.exit(main())
