"""``crapette diff OLD NEW``: puts recorded positions to two versions and compares their answers."""

from __future__ import annotations

import json
import math
import sys
from collections import defaultdict
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from rich.table import Table

from analysis.errors import BrokenRecord
from analysis.intervals import mean_error
from analysis.searches.win_chances import worths
from analysis.values import covers
from kit.bot.entrants import find_all
from kit.console.command import Parser, count, run_command
from kit.console.screen import Screen, plain
from kit.local import play_progress
from kit.records.finished_games import Recorded, games_in
from kit.retelling import Retold
from kit.runners.choice import add_options, bots_of

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator, Sequence

    from kit.runners.choice import Playing

PROG: Final = "crapette diff"
SHOWN: Final = 12
"""Differences that are listed: the largest."""


def parser() -> Parser:
    """Return the command line's parser."""
    made = Parser(
        prog=PROG,
        description="Show where two versions of a bot play differently in recorded games, and at what cost.",
        epilog="""\
Both versions get each game in every seat, as in the arena. Their answers are noted, and the game continues as
recorded. Where the answers differ, the arena's value function estimates the position after each answer, in
points of a game; luck is averaged out over the cards that could turn up. This takes seconds and is only an
estimate. To be certain, use crapette sprt.

examples:
  crapette play mybot planner --pairs 5 --replays games; crapette diff old new --games games
  crapette diff ../before . --games games --positions 200 --json         in continuous integration
  crapette diff old new --games https://arena.example/tournaments/cup/

exit status:
  0  NEW is not judged worse      1  it is, or it fails where OLD does not
  2  wrong arguments             75  this machine failed      130  interrupted""",
    )
    made.add_argument("old", metavar="OLD", help="a file, folder or house bot")
    made.add_argument("new", metavar="NEW", help="the version it is compared with")
    made.add_argument(
        "--games",
        nargs="+",
        required=True,
        metavar="FILE",
        help="records, bundles, folders of records, or addresses of games and tournaments",
    )
    made.add_argument(
        "--positions", type=count, default=400, metavar="N", help="stop after N (default: %(default)s)"
    )
    made.add_clock()
    made.add_argument("--json", action="store_true", help="print everything as JSON")
    add_options(made)
    return made


@dataclass(frozen=True, slots=True)
class DifferentAnswer:
    """A position in which the answers differ; `gain` is what NEW's is worth more, in points of a game."""

    game: str
    source: str
    ply: int
    seat: int
    old: list[str]
    new: list[str]
    old_wrong: str
    new_wrong: str
    gain: float | None


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare; return the exit status."""
    given = parser().parse_args(arguments)
    return run_command(PROG, lambda: _run(given))


def _run(given: argparse.Namespace) -> int:
    games = games_in(given.games)
    bots = bots_of(given)
    old, new = find_all([given.old, given.new], bots.inspect)
    jobs = [
        Retold("", "", (each.seat(bots),), given.clock, bots.level, stretches=True, beyond=False)
        for each in (old, new)
    ]
    screen = Screen(errors=given.json)
    found: list[DifferentAnswer] = []
    asked = told = played = 0
    names = f"{old.name} and {new.name}"
    with play_progress.bar(
        screen, lambda: (asked, given.positions, f"positions, {len(found)} differ")
    ) as show:
        for number, answers in _answers(bots.start_teller(), games, jobs, given.positions):
            asked += len(answers[0])
            told += 1
            played += number[1] == 0
            found += _compared(*number, answers)
            show()
    verdict = _verdict(found, told)
    if given.json:
        document = {"positions": asked, "games": played, **verdict}
        listed = [asdict(one) for one in found]
        sys.stdout.write(json.dumps({**document, "differences": listed}, indent=1) + "\n")
    else:
        _show(screen, names, asked, found, verdict)
    return 1 if verdict["worse"] else 0


def _answers(
    process: Playing, games: Iterable[Recorded], jobs: Sequence[Retold], most: int
) -> Iterator[tuple[tuple[Recorded, int], list[list[dict[str, Any]]]]]:
    """Yield for each game and seat what both bots answered, until there are enough positions."""
    asked = 0
    try:
        for game in games:
            for seat in range(len(game.seats)):
                if asked >= most:
                    return
                answers = [
                    _told(
                        process,
                        replace(
                            job,
                            variant=game.variant,
                            start=str(game.start),
                            words=tuple(game.words),
                            seat=seat,
                        ),
                    )
                    for job in jobs
                ]
                asked += len(answers[0])
                yield (game, seat), answers
        process.close()
    finally:
        process.kill()


def _told(process: Playing, job: Retold) -> list[dict[str, Any]]:
    """What a bot answered; a failure that ended its game is its last answer."""
    telling = process.start(job)
    messages = [message for batch in telling.batches() for message in batch]
    asked = [message for message in messages if message["type"] == "asked"]
    result = messages[-1]["result"] if messages else None
    if result and result["seat"] == job.seat and asked:
        asked[-1]["wrong"] = asked[-1]["wrong"] or result["detail"]
    return asked


def _compared(game: Recorded, seat: int, answers: Sequence[list[dict[str, Any]]]) -> list[DifferentAnswer]:
    """Where the two answer otherwise, and what that is worth."""
    olds, news = ({one["ply"]: one for one in each} for each in answers)
    differ = [(old, news[ply]) for ply, old in olds.items() if ply in news and _differ(old, news[ply])]
    gains = _gains(game, differ)
    return [
        DifferentAnswer(
            game.name,
            game.source,
            old["ply"],
            seat,
            old["answer"],
            new["answer"],
            old["wrong"],
            new["wrong"],
            gain,
        )
        for (old, new), gain in zip(differ, gains, strict=True)
    ]


def _differ(old: dict[str, Any], new: dict[str, Any]) -> bool:
    """Whether two answers differ; one that only goes on where the other ends does not."""
    if old["wrong"] or new["wrong"]:
        return bool(old["wrong"]) != bool(new["wrong"])
    shorter = min(len(old["answer"]), len(new["answer"]))
    return bool(old["answer"][:shorter] != new["answer"][:shorter])


def _gains(game: Recorded, differ: Sequence[tuple[dict[str, Any], dict[str, Any]]]) -> list[float | None]:
    """What the second answer of each is worth more; None where nobody can tell."""
    if not covers(game.variant, len(game.seats)):
        return [None] * len(differ)
    places, plies = {0: 0}, 0
    for place, word in enumerate(game.words, start=1):
        plies += word != "stop"
        places[plies] = place
    gains: list[float | None] = []
    judged = {
        places[old["ply"]]: [old["answer"], new["answer"]]
        for old, new in differ
        if not (old["wrong"] or new["wrong"])
    }
    try:
        found = worths(game.start, game.words, judged)  # type: ignore[arg-type]
    except BrokenRecord:
        # A later move of an answer was not legal: each is then judged alone.
        found = {}
        for place, lines in judged.items():
            try:
                found |= worths(game.start, game.words, {place: lines})  # type: ignore[arg-type]
            except BrokenRecord:
                continue
    for old, _ in differ:
        pair = found.get(places[old["ply"]])
        gains.append(None if pair is None else round(pair[1] - pair[0], 5))
    return gains


def _verdict(found: Sequence[DifferentAnswer], told: int) -> dict[str, Any]:
    """What the differences come to, in points a game, with a 95 % interval over games and seats."""
    sums: dict[tuple[str, int], float] = defaultdict(float)
    for one in found:
        sums[one.source + one.game, one.seat] += one.gain or 0.0
    values = [*sums.values(), *([0.0] * (told - len(sums)))]
    judged = [one for one in found if one.gain is not None]
    failed = [one for one in found if one.new_wrong and not one.old_wrong]
    gain = error = None
    if judged:
        gain = sum(values) / told
        error = mean_error(values)
    surely = gain is not None and error is not None and gain + error < 0
    return {
        "differ": len(found),
        "judged": len(judged),
        "gain": None if gain is None else round(gain, 4),
        "error95": None if error is None or math.isinf(error) else round(error, 4),
        "failures": len(failed),
        "worse": bool(failed) or surely,
    }


def _show(
    screen: Screen, names: str, asked: int, found: Sequence[DifferentAnswer], verdict: dict[str, Any]
) -> None:
    """Print the largest differences, and what all come to."""
    shown = sorted(found, key=lambda one: (not one.new_wrong, -abs(one.gain or 0.0)))[:SHOWN]
    if shown:
        table = Table("game", "ply", "seat", "old", "new", "gain", title="The largest differences")
        for one in shown:
            gain = "" if one.gain is None else f"{one.gain:+z.1%}"
            told = [
                plain(" ".join(words) or wrong)[:60]
                for words, wrong in ((one.old, one.old_wrong), (one.new, one.new_wrong))
            ]
            table.add_row(plain(one.game), str(one.ply + 1), str(one.seat), *told, gain)
        screen.print(table)
    screen.say(f"{names} were asked in {asked} positions and differ in {verdict['differ']}.")
    if verdict["failures"]:
        screen.say(
            (f"The new version fails in {verdict['failures']} where the old one does not.", "bold red")
        )
    if verdict["gain"] is not None:
        error = "" if verdict["error95"] is None else f" ± {verdict['error95']:.1%}"
        screen.say(
            (
                f"By the arena's value function, NEW gains {verdict['gain']:+z.1%}{error} of a point a game.",
                "bold",
            )
        )
    elif found:
        screen.say("This game has no value function, so the cost of the differences is unknown.")


if __name__ == "__main__":
    sys.exit(main())
