"""The transcripts in docs/author/protocol.md, made from real games.

``python -m tests.integration.referee.transcript`` renews them.
"""

import re
from pathlib import Path
from typing import Final

from referee.job import Job, SeatJob
from sandbox import Level, Stage
from sandbox.uploads import inspect
from tests.integration.referee.conftest import Arena

PROTOCOL: Final = Path(__file__).parents[3] / "docs/author/protocol.md"
FIRST_BOT: Final = PROTOCOL.with_name("first-bot.md")
SEAT: Final = 0
# The end of a game between two greedy bots, from a deal of crapaud.
START: Final = (
    "crapaud 0 play - KHQSJDTC9D8S/4C/KSQDJSTH9C8D7C/8C7D6C/5C/TS9H/5S/QH 1,1/13,7/13,5/13,2"
    " 3C6D9S8S/4STS9STD2S2S3S3S4SJCKS/8HJH7S6S7S6S5SKDKCQC ././QSJS 1,1,0,.,. 1,2/1/."
)
# The end of a game of vitesse between the bot of that part of the page and a greedy one.
TICKS: Final = "vitesse 41 13,11/13,13/13,10/13,12 ./QS,-,-,-/KC/. ./-,KS,-,-/KDQDJD/. 3 5,0/."
GAMES: Final = {"transcript": ("crapaud", START, "choose"), "tick transcript": ("vitesse", TICKS, "tick")}
"""The transcripts by name: what is played from where by the bot of the page that has this function."""


def made(arena: Arena, name: str) -> str:
    """Play the game in its sandboxes and write what seat 0 heard and said."""
    variant, start, function = GAMES[name]
    job = Job(variant, start, (page_bot(arena, function), arena.seat("greedy")), nonce_seed="transcript")
    game = arena.run(job)
    lines = [
        f"{'→' if way == 'to' else '←'} {_steady(text)}" for way, text in game.evidence[SEAT]["messages"]
    ]
    return "```\n" + "\n".join(lines) + "\n```\n"


def page_bot(arena: Arena, function: str) -> SeatJob:
    """The bot of the pages with this function, taken through the checks of an upload."""
    block = rf"```python\n((?:(?!```).)*def {function}\(.*?)```"
    found = re.search(block, PROTOCOL.read_text() + FIRST_BOT.read_text(), re.DOTALL)
    assert found is not None
    upload = inspect("bot.py", found[1].encode(), level=Level.FULL, stage=arena.stage)
    directory = arena.stage.store_bot(upload.sha256, upload.files, upload.entry)
    return SeatJob(str(directory), upload.language, upload.entry)


def between(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<=<!-- {name} -->\n).*(?=<!-- /{name} -->)", re.DOTALL)


def written(name: str) -> str:
    found = between(name).search(PROTOCOL.read_text())
    assert found is not None
    return found[0]


def _steady(text: str) -> str:
    """The message with the times taken out, the only thing that differs between two runs."""
    text = re.sub(r'"clocks":\[\d+,\d+\]', '"clocks":[60000,60000]', text)
    return re.sub(r'"cpu_ms":\[\d+,\d+\]', '"cpu_ms":[4,3]', text)


def renewed(page: str) -> str:
    arena = Arena(Stage.ensure())
    for name in GAMES:
        text = made(arena, name)
        page = between(name).sub(lambda _, text=text: text, page)  # type: ignore[misc]
    return page


if __name__ == "__main__":
    PROTOCOL.write_text(renewed(PROTOCOL.read_text()))
