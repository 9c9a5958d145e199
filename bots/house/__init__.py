"""The house bots: opponents of increasing strength, the ladder's anchors, and examples to copy.

Each has a folder of its own. If two share a file, one folder links to the other.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

HERE: Final = Path(__file__).parent
LEVELS: Final = (1000, 1150, 1250, 1375, 1525, 1625, 1775, 1925)
"""About what rating a bot has at each level of strength, from level 1 on; the last is its full strength.
`./crapette bench levels` measures them."""


@dataclass(frozen=True, slots=True)
class HouseBot:
    """A house bot: its folder, its language, and its description."""

    name: str
    directory: Path
    language: Literal["python", "javascript", "native"]
    entry: str
    title: str
    description: str

    @property
    def spars(self) -> bool:
        """Whether it is only for practice, and enters no ladder."""
        return self.name.partition("-")[0] == "random"

    @property
    def ponders(self) -> bool:
        """Whether its games take many seconds. A new site's first tournament leaves such bots out."""
        return self.name == "oracle"

    @property
    def levels(self) -> tuple[int, ...]:
        """The ratings, about, of the levels that people may choose from (`LEVELS`); none if it always plays
        at full strength."""
        return LEVELS if self.name == "oracle" else ()

    @property
    def built(self) -> bool:
        """Whether the file to start exists. Native bots are compiled at set-up (`bots.house.build`)."""
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
                "cautious",
                "cautious",
                "python",
                "bot.py",
                "Cautious",
                "Like Greedy, but careful: never empties a house, and fills one only from its reserve.",
            ),
            _bot(
                "greedy",
                "greedy",
                "python",
                "bot.py",
                "Greedy",
                "Plays the best-looking single move: to a foundation, your reserve, your discard or a house.",
            ),
            _bot(
                "planner",
                "planner",
                "python",
                "bot.py",
                "Planner",
                "Searches the whole turn, up to the next unknown card, for the best position.",
            ),
            _bot(
                "sampler",
                "sampler",
                "python",
                "bot.py",
                "Sampler",
                "Plays out Planner's best lines on many guesses of the hidden cards, and takes the best.",
            ),
            _bot(
                "oracle",
                "oracle",
                "python",
                "bot.py",
                "Oracle",
                "Knows by a net how good each line is, and plays the best ones on for guesses of the hidden"
                " cards.",
            ),
            _bot(
                "random-js",
                "random_js",
                "javascript",
                "bot.js",
                "Random (JavaScript)",
                "Plays any legal move. Runs on Node.",
            ),
            _bot(
                "greedy-js",
                "greedy_js",
                "javascript",
                "bot.js",
                "Greedy (JavaScript)",
                "Greedy's rules of thumb. Runs on Node.",
            ),
            _bot(
                "random-c",
                "random_c",
                "native",
                "bot",
                "Random (C)",
                "Plays any legal move. A static executable.",
            ),
            _bot(
                "greedy-c",
                "greedy_c",
                "native",
                "bot",
                "Greedy (C)",
                "Greedy's rules of thumb, as a static executable.",
            ),
        )
    }
)
"""Every house bot by its name."""


def levels_of(slug: str) -> tuple[int, ...]:
    """The levels of the house bot with this slug on a site, as `HouseBot.levels` has them."""
    found = HOUSE_BOTS.get(slug.removeprefix("house-"))
    return found.levels if found else ()


SPARRING: Final = frozenset(
    slug for bot in HOUSE_BOTS.values() if bot.spars for slug in (bot.name, f"house-{bot.name}")
)
"""The slugs that sparring partners may have on a site."""

QUICK: Final = tuple(
    slug
    for bot in HOUSE_BOTS.values()
    if not bot.spars and not bot.ponders
    for slug in (bot.name, f"house-{bot.name}")
)
"""The slugs of the bots in a new site's first tournament."""
