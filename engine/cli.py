"""The command line of RULES 8: one line out for one line in; bad input is one line of error and exit 2."""

from __future__ import annotations

import argparse
import io
import os
import re
import sys
from typing import TYPE_CHECKING, BinaryIO, NoReturn, TextIO

from engine.errors import EngineError, NotationError, quote
from engine.protocol import Game, Position, score
from engine.seeds import seed_bytes
from engine.variants import VARIANTS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

LONGEST = 1 << 24  # bytes of a line
BAD_INPUT = 2


class EngineParser(argparse.ArgumentParser):
    """Says what is wrong with a flag in one line."""

    def error(self, message: str) -> NoReturn:
        """Print the message alone and exit 2."""
        raise NotationError(" ".join(message.split()))


def parser() -> EngineParser:
    """The commands and their flags."""
    top = EngineParser(
        prog="python -m engine", description="Deals, legal moves, games and scores, one line for a line."
    )
    commands = top.add_subparsers(dest="command", required=True, metavar="deal|legal|apply|score|perft")
    dealt = commands.add_parser("deal", help="the position of a deal", allow_abbrev=False)
    counted = commands.add_parser("perft", help="the number of move sequences of a depth", allow_abbrev=False)
    for each in (dealt, counted):
        each.add_argument("--variant", required=True, help=f"one of {', '.join(VARIANTS)}")
        each.add_argument("--seed", required=True, help="64 hex digits")
        each.add_argument("--players", type=number, default=2, help="seats, 2 if not given")
    counted.add_argument("--depth", type=number, required=True, help="moves in a sequence")
    commands.add_parser("legal", help="the legal moves of positions on standard input", allow_abbrev=False)
    commands.add_parser("apply", help="positions after moves: position<TAB>move move …", allow_abbrev=False)
    commands.add_parser("score", help="result, ranking and points of finished positions", allow_abbrev=False)
    return top


def number(text: str) -> int:
    """A flag's number; deeper than 99 no count would ever end."""
    if not re.fullmatch(r"[0-9]{1,2}", text, re.ASCII):
        raise argparse.ArgumentTypeError(f"expected a number from 0 to 99, got {quote(text)}")
    return int(text)


def legal(line: str) -> str:
    """The legal moves of a position, an irregular one with ``!`` behind it (RULES 6, 7)."""
    return Game.of(Position.parse(line)).listing()


def apply(line: str) -> str:
    """The position after moves."""
    position, tab, words = line.partition("\t")
    if not tab:
        raise NotationError(f"expected a position, a tab and moves, got {quote(line)}")
    replay = Game.replay(Position.parse(position), words.split(" ") if words else [])
    if replay.error is not None:
        raise NotationError(f"move {replay.played + 1}: {replay.error}")
    return str(replay.game.position)


def score_line(line: str) -> str:
    """Result, ranking and points as JSON."""
    return str(score(Position.parse(line)))


def deal_game(name: str, seed: str, players: int) -> Game:
    """The game that a seed deals (RULES 2)."""
    seed_bytes(seed)  # RULES 8: here nothing but 64 hex digits is a seed
    return Game.deal(name, seed, players)


ANSWERS: dict[str, Callable[[str], str]] = {"legal": legal, "apply": apply, "score": score_line}


def lines(stream: BinaryIO) -> Iterator[tuple[int, str]]:
    """The numbered lines of standard input, without their end."""
    count = 0
    while raw := stream.readline(LONGEST + 1):
        count += 1
        if len(raw) > LONGEST:
            raise NotationError(f"line {count}: expected at most {LONGEST} bytes, got more")
        raw = raw.removesuffix(b"\n")
        try:
            text = raw.decode("ascii")
        except UnicodeDecodeError:
            raise NotationError(f"line {count}: expected ASCII text, got {quote(raw)}") from None
        if not text.strip():
            raise NotationError(f"line {count}: expected a position, got {quote(text)}")
        yield count, text


def run(options: argparse.Namespace, stream: BinaryIO, output: TextIO) -> None:
    """Carry a command out.

    Raises:
        EngineError: bad input; the message is the one line to print.
    """
    if options.command in ANSWERS:
        answer = ANSWERS[options.command]
        for count, text in lines(stream):
            try:
                found = answer(text)
            except EngineError as error:
                raise NotationError(f"line {count}: {error}") from None
            output.write(found + "\n")
            output.flush()
        return
    game = deal_game(options.variant, options.seed, options.players)
    found = str(game.perft(options.depth) if options.command == "perft" else game.position)
    output.write(found + "\n")
    output.flush()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; answers the exit status."""
    stream = sys.stdin.buffer if sys.stdin else io.BytesIO()  # each may be closed from the start
    output, errors = sys.stdout or io.StringIO(), sys.stderr or io.StringIO()
    try:
        run(parser().parse_args(arguments), stream, output)
    except EngineError as error:
        errors.write(f"{error}\n")
        return BAD_INPUT
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # nothing more can be written
        if not isinstance(error, BrokenPipeError):  # nobody reads: leave quietly
            errors.write(f"expected to read and write, got {error}\n")
        return 1
    return 0
