"""The house bots: players in tests, anchors of the ladder, and models to copy from. Each is a folder of its
own."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

HERE: Final = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class HouseBot:
    """A bot of the house: its folder, what runs it, and what people read about it."""

    name: str
    directory: Path
    language: Literal["python", "javascript", "native"]
    entry: str
    title: str
    description: str
    plays_ticks: bool = True
    """Whether it plays `vitesse`."""

    @property
    def built(self) -> bool:
        """Whether the file to start is there: native bots are compiled at set-up (`bots.house.build`)."""
        return (self.directory / self.entry).is_file()


def _bot(  # noqa: PLR0917 (a table's row)
    name: str,
    folder: str,
    language: Literal["python", "javascript", "native"],
    entry: str,
    title: str,
    description: str,
) -> HouseBot:
    return HouseBot(name, HERE / folder, language, entry, title, description)


HOUSE_BOTS: Final[Mapping[str, HouseBot]] = MappingProxyType(
    {
        bot.name: bot
        for bot in (
            _bot("random", "random", "python", "bot.py", "Random", "Plays any legal move."),
            _bot(
                "greedy",
                "greedy",
                "python",
                "bot.py",
                "Greedy",
                "Plays the best-looking single move: foundation, opponent's reserve, its discard, a house.",
            ),
            _bot(
                "planner",
                "planner",
                "python",
                "bot.py",
                "Planner",
                "Searches the whole turn, up to the next unknown card, for where it leads best.",
            ),
            _bot(
                "random-js",
                "random_js",
                "javascript",
                "bot.js",
                "Random (JavaScript)",
                "Plays any legal move, on node.",
            ),
            _bot(
                "random-c",
                "random_c",
                "native",
                "bot",
                "Random (C)",
                "Plays any legal move, as a static executable.",
            ),
        )
    }
)
"""Every house bot by its name."""
