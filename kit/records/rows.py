"""``crapette rows``: writes finished games as rows to train on, one for each decision."""

from __future__ import annotations

import gzip
import json
import re
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import engine
from analysis.errors import BrokenRecord, UnknownValues
from analysis.luck.measurement import luck_of
from engine.boards import BOARDS
from engine.errors import EngineError
from engine.protocol import tracker
from kit.console.command import BadUsage, Parser, count, run_command
from kit.console.output_files import new_file
from kit.console.screen import Screen
from kit.records.sources import Unreadable, download_of, records
from kit.site.client import Site, origin_of

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator, Sequence


def parser() -> Parser:
    """Return the command line's parser."""
    made = Parser(
        prog="crapette rows",
        description="Write every decision of finished games as a row to train on, one JSON object per line.",
        epilog="""\
examples:
  crapette rows https://arena.example --month 2026-11 --to november.jsonl.gz   every game of a month
  crapette rows https://arena.example --best 5 --to best.jsonl.gz              the last games of the best five
  crapette rows https://arena.example/tournaments/cup/ --to cup.jsonl          every game of a tournament
  crapette rows games/*.json --to mine.jsonl.gz                                records of crapette play

Each row has game, variant, ply, seat, bot, position (with every card that was seen so far), legal, move,
result (1 for the first to -1 for the last), points, and luck (how much of the result was luck; null if it
cannot be told).

exit status:
  0  written      2  wrong arguments, or a file or page cannot be read
  75  the site did not answer      130  interrupted""",
    )
    made.add_argument(
        "sources", metavar="SOURCE", nargs="+", help="files, folders, or addresses of an arena's pages"
    )
    which = made.add_mutually_exclusive_group()
    which.add_argument("--month", metavar="YYYY-MM", help="SOURCE is a site: take all games of this month")
    which.add_argument(
        "--best", type=count, metavar="N", help="SOURCE is a site: take games of the best N bots of a ladder"
    )
    made.add_argument(
        "--variant", choices=BOARDS, default="crapaud", help="the ladder of --best (default: %(default)s)"
    )
    made.add_argument(
        "--games", type=count, default=100, metavar="N", help="games of each of them (default: %(default)s)"
    )
    made.add_argument("--to", type=Path, metavar="FILE", required=True, help="compressed if it ends in .gz")
    made.add_argument("--json", action="store_true", help="print how many rows and games there are as JSON")
    made.add_argument("--no-luck", action="store_true", help="leave luck out, which takes most of the time")
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the rows; return the exit status."""
    given = parser().parse_args(arguments)
    luck = not given.no_luck

    def work() -> int:
        written, games = _written(given, luck=luck)
        if given.json:
            sys.stdout.write(json.dumps({"file": str(given.to), "rows": written, "games": games}) + "\n")
        else:
            whole = "1 game" if games == 1 else f"{games} games"
            Screen().say(f"{given.to}: {written} rows of {whole}.")
        return 0

    return run_command("crapette rows", work)


def _written(given: argparse.Namespace, *, luck: bool) -> tuple[int, int]:
    """Write the rows of all sources; return how many there are, and of how many games."""
    target = given.to
    new_file("--to", target)
    games = written = 0
    try:
        with ExitStack() as stack:
            out: Any = stack.enter_context(target.open("wb"))
            if target.suffix == ".gz":
                out = stack.enter_context(gzip.GzipFile(fileobj=out, mode="wb", mtime=0))
            for source in given.sources:
                for record in _records(source, given):
                    # A bundle may have games that were broken off.
                    if record.get("status") != "finished":
                        continue
                    games += 1
                    for row in rows(record, luck=luck):
                        out.write(json.dumps(row, separators=(",", ":")).encode() + b"\n")
                        written += 1
        if not games and not (given.month or given.best):
            raise BadUsage(f"expected records of finished games in {', '.join(given.sources)}, got none")
    except BaseException:
        target.unlink(missing_ok=True)  # half of the rows would pass for all
        raise
    return written, games


def _records(source: str, given: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """The records of a source. Raises Unreadable, Refused and BadUsage."""
    if given.best:
        return _of_the_best(Site(origin_of(source)), given.variant, given.best, given.games)
    if given.month:
        if not re.fullmatch(r"\d{4}-(0[1-9]|1[0-2])", given.month):
            raise BadUsage(f"expected --month such as 2026-11, got {given.month[:40]!r}")
        return records(f"{origin_of(source)}/api/v1/months/{given.month}/games.jsonl.zst")
    if "://" in source and download_of(source) is None:
        raise BadUsage(
            f"expected the address of a game, tournament or leaderboard, got {source[:200]!r}:"
            " add --month or --best to take games of a whole site"
        )
    return records(source)


def _of_the_best(site: Site, board: str, bots: int, games: int) -> Iterator[dict[str, Any]]:
    """Yield the records of the last games of the best bots of a ladder, each once."""
    variant, _, players = board.partition("/")
    seen: set[str] = set()
    seats = int(players or 2)
    for row in site.items(f"/api/v1/ratings/{variant}/", bots, players=seats):
        wanted = {"bot": row["bot"], "variant": variant, "players": seats, "status": "finished"}
        for game in site.items("/api/v1/games/", games, **wanted):
            if game["id"] not in seen:
                seen.add(game["id"])
                yield site.when_ready(game["record"])


def rows(record: dict[str, Any], *, luck: bool) -> Iterator[dict[str, Any]]:
    """Yield a row for each decision of a finished game.

    Raises:
        Unreadable: the record is not of a game by the rules.
    """
    try:
        start = engine.Position.parse(record["start"])
        words = engine.words_of(record["events"])
        result = record["result"]
        ranking, points = result["ranking"], result.get("points")
        worth = [_worth(ranking, seat, record["players"]) for seat in range(record["players"])]
        lucky = _luck(start, words) if luck else None
        names = [seat["bot"] for seat in record["seats"]]
        for ply, seat, position, legal, move in _decisions(start, words):
            row = {"game": record["game"], "variant": record["variant"], "ply": ply, "seat": seat}
            row |= {"bot": names[seat], "position": position, "legal": legal, "move": move}
            row |= {"result": worth[seat], "points": points[seat] if points else None}
            if luck:
                row["luck"] = None if lucky is None else round(lucky * (1 - 2 * seat), 4)
            yield row
    except (EngineError, BrokenRecord, LookupError, TypeError, ValueError, ArithmeticError) as error:
        raise Unreadable(f"Expected the record of a game, got {record.get('game')!r}: {error}.") from error


def _decisions(start: Any, words: Iterable[str]) -> Iterator[tuple[int, int, str, list[str], str]]:
    """Yield ply, seat, position as far as it is known, legal moves and move of each decision."""
    game = engine.Game.of(start)
    seen = tracker(start.public())
    for word in words:
        if word != "stop":
            known = str(seen.known(game.position.public()))
            for seat, action in zip(game.acting, word.split(","), strict=True):
                yield game.ply, seat, known, list(game.options(seat)), action
        seen.see(game.apply(word))


def _worth(ranking: Sequence[Sequence[int]], seat: int, players: int) -> float:
    """From 1 for the first to -1 for the last; seats that share places get the mean of these."""
    better = 0
    for group in ranking:
        if seat in group:
            return 1 - 2 * (better + (len(group) - 1) / 2) / (players - 1)
        better += len(group)
    raise ValueError(f"expected seat {seat} in the ranking, got {ranking!r}")


def _luck(start: Any, words: Sequence[str]) -> float | None:
    """The luck of seat 0 in the result of a game of two, None for three and four."""
    if start.players != 2:
        return None
    try:
        return luck_of(start, words).result
    except UnknownValues:
        return None


if __name__ == "__main__":
    sys.exit(main())
