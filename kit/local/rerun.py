"""``crapette rerun GAME``: puts the position in which a bot lost a game to the bot again, on this machine."""

from __future__ import annotations

import json
import sys
import urllib.parse
from typing import TYPE_CHECKING, Any, Final

import engine
from analysis.scores import FORFEITS
from kit.bot.entrants import find
from kit.console.command import BadUsage, Parser, count, run_command
from kit.console.screen import Screen, show_waiting
from kit.records.finished_games import Recorded, game_at
from kit.retelling import Retold
from kit.runners.choice import add_options, bots_of
from kit.site.client import Site, SiteRefused
from kit.site.token_file import TokensUnusable
from referee.job import ClockRule

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

PROG: Final = "crapette rerun"
SHOWN: Final = 2000
"""Characters of standard error that are shown."""
MESSAGES: Final = 4
"""Last messages that are shown."""


def parser() -> Parser:
    """Return the command line's parser."""
    made = Parser(
        prog=PROG,
        description="Put a bot back in the position where it lost a game by a fault.",
        epilog="""\
Your bot gets the game from its first move on, in the seat that lost: the same questions with the same events
as in the arena. Then it gets the last question of that game again, and this time its own answer counts. Use
this after a loss by an illegal move, a crash, a timeout or an unreadable answer.

If you are logged in to the arena and the bot is yours, it also shows the bot's output and messages there.

examples:
  crapette rerun https://arena.example/games/6f9b0c52-…/ mybot
  crapette rerun games/0007-1.json mybot --unsandboxed      a record of crapette play --replays
  crapette rerun GAME mybot --ply 118                       any other position of the game

exit status:
  0  it gets past this position      1  it loses there again      2  wrong arguments
  75  this machine failed            130  interrupted""",
    )
    made.add_argument(
        "game", metavar="GAME", help="the address of a finished game, or the file of its record"
    )
    made.add_argument("bot", nargs="?", default=".", metavar="BOT", help="your bot (default: this folder)")
    made.add_argument(
        "--seat", type=int, metavar="N", help="the seat to play, from 0 (default: the one that lost)"
    )
    made.add_argument(
        "--ply", type=_ply, metavar="N", help="stop after this many moves (default: where it lost)"
    )
    made.add_argument("--json", action="store_true", help="print everything as JSON")
    add_options(made)
    return made


def _ply(text: str) -> int:
    """A number of moves, which may be none."""
    return 0 if text == "0" else count(text)


def main(arguments: Sequence[str] | None = None) -> int:
    """Tell the game; return the exit status."""
    given = parser().parse_args(arguments)
    return run_command(PROG, lambda: _run(given))


def _run(given: argparse.Namespace) -> int:
    screen, errors = Screen(errors=given.json), Screen(errors=True)
    game = game_at(given.game)
    words = _words(game, given.ply)
    seat = _seat(game, words, given)
    evidence, why_not = _evidence(game, seat)
    if not given.json:
        screen.say(f"{game.name}, {game.variant}: {game.words_on_it}")
        _show_output(screen, f"Output of {game.seats[seat]} in that game", evidence, why_not)
    bots = bots_of(given)
    entrant = find(given.bot, bots.inspect)
    job = Retold(
        variant=game.variant,
        start=str(game.start),
        seats=(entrant.seat(bots),),
        clock=ClockRule(*game.clock) if game.clock else ClockRule(),
        level=bots.level,
        words=tuple(words),
        seat=seat,
    )
    messages: list[dict[str, Any]] = []
    process = bots.start_teller()
    try:
        telling = process.start(job)
        with show_waiting(errors, f"telling the game to {entrant.name}") as say:
            for batch in telling.batches():
                messages += batch
                if batch:
                    last = messages[-1].get("ply", len(words))
                    say(f"telling the game to {entrant.name}: ply {last} of {len(words)}")
        process.close()
    except BaseException:
        process.kill()
        raise
    found = _found(game, seat, words, messages)
    found["then"]["evidence"] = evidence
    if given.json:
        sys.stdout.write(json.dumps(found, indent=1) + "\n")
    else:
        _show(screen, entrant.name, game, words, found)
    return 1 if found["lost"] else 0


def _words(game: Recorded, ply: int | None) -> list[str]:
    """The words of the game, up to a ply. Raises BadUsage."""
    if ply is None:
        return game.words
    plies, found = 0, []
    for word in game.words:
        if plies == ply:
            break
        found.append(word)
        plies += word != "stop"
    if plies < ply:
        raise BadUsage(f"expected --ply up to {plies}, the length of the game, got {ply}")
    return found


def _seat(game: Recorded, words: Sequence[str], given: argparse.Namespace) -> int:
    """The seat to play. Raises BadUsage."""
    if given.seat is not None:
        if not 0 <= given.seat < len(game.seats):
            raise BadUsage(f"expected --seat from 0 to {len(game.seats) - 1}, got {given.seat}")
        return int(given.seat)
    if given.ply is not None:
        acting = engine.Game.replay(game.start, words).game.acting
        if not acting:
            raise BadUsage("the game is over at this ply, so nobody is asked")
        return int(acting[0])
    if game.termination in FORFEITS and game.result.get("seat") is not None:
        return int(game.result["seat"])
    raise BadUsage(
        f"nobody lost this game by a fault: {game.words_on_it}. Add --ply N to ask for any of its moves"
    )


def _evidence(game: Recorded, seat: int) -> tuple[dict[str, Any] | None, str]:
    """The bot's output in the game, or why it is not available."""
    told = game.record.get("evidence")
    if isinstance(told, list) and len(told) > seat:
        return dict(told[seat]), ""
    if game.url is None:
        return None, "The record does not contain the bot's output. The file that play --json writes does."
    try:
        site = Site.of_page(game.url)
        answer = site.get(f"/api/v1/games/{urllib.parse.quote(game.name)}/evidence/")
    except (SiteRefused, TokensUnusable) as refused:
        return None, f"The bot's output in that game is not available: {refused}"
    for one in answer.get("seats", ()):
        if one.get("seat") == seat:
            return dict(one), ""
    return None, "Only the bot's owner can see its output in that game."


def _found(
    game: Recorded, seat: int, words: Sequence[str], messages: Sequence[dict[str, Any]]
) -> dict[str, Any]:
    """What came of it, as JSON."""
    end = messages[-1] if messages and messages[-1]["type"] == "told" else {"result": None, "evidence": {}}
    asked = [message for message in messages if message["type"] == "asked"]
    plies = sum(word != "stop" for word in words)
    last = asked[-1] if asked and asked[-1]["ply"] + len(asked[-1]["recorded"]) >= plies else None
    before = [one for one in asked if one is not last]
    result = end["result"]
    lost = bool(result and result["termination"] in FORFEITS and result["seat"] == seat)
    return {
        "game": game.name,
        "source": game.source,
        "seat": seat,
        "then": {"termination": game.termination, "detail": game.result.get("detail", "")},
        "lost": lost,
        "now": {"termination": result["termination"], "detail": result["detail"]} if lost else None,
        "last": last,
        "questions": len(asked),
        "otherwise": [
            {"ply": one["ply"], "then": one["recorded"], "now": one["answer"], "wrong": one["wrong"]}
            for one in before
            if one["wrong"] or one["answer"][: len(one["recorded"])] != one["recorded"][: len(one["answer"])]
        ],
        "evidence": end["evidence"],
    }


def _show_output(screen: Screen, title: str, evidence: dict[str, Any] | None, why_not: str = "") -> None:
    if evidence is None:
        screen.say(why_not)
        return
    screen.say(f"{title}: {evidence.get('exit') or 'no exit'}, {evidence.get('cpu_ms', 0)} ms of CPU")
    for way, line in (evidence.get("messages") or [])[-MESSAGES:]:
        screen.quote(f"{'arena' if way == 'to' else 'bot'}: {line[:SHOWN]}")
    if evidence.get("stderr"):
        screen.say("  its standard error:")
        screen.quote(str(evidence["stderr"])[-SHOWN:])


def _show(screen: Screen, name: str, game: Recorded, words: Sequence[str], found: dict[str, Any]) -> None:
    """Print the position, the answer and what it leads to."""
    screen.say(_board(game, words), lines=True)
    if found["otherwise"]:
        plies = ", ".join(str(one["ply"] + 1) for one in found["otherwise"][:10])
        more = f" and {len(found['otherwise']) - 10} more" if len(found["otherwise"]) > 10 else ""
        screen.say(
            f"On the way, {name} answers {len(found['otherwise'])} of {found['questions']} questions"
            f" differently from the recorded game, at ply {plies}{more}."
        )
    last = found["last"]
    if last:
        screen.say(f"Asked at ply {last['ply'] + 1}: {', '.join(last['legal'])}")
        answer = ", ".join(last["answer"]) or "an unreadable answer"
        screen.say(f"{name} answers in {last['ms']} ms: ", (answer, "bold"))
    if found["lost"]:
        screen.say((f"It loses again: {found['now']['detail']}", "bold red"))
        _show_output(screen, "Its output", found["evidence"])
    else:
        screen.say(("It gets past this position.", "bold green"))


def _board(game: Recorded, words: Sequence[str]) -> str:
    """The position as everybody saw it."""
    position = engine.Game.replay(game.start, words).game.position.public()
    return str(engine.Game.of(position))


if __name__ == "__main__":
    sys.exit(main())
