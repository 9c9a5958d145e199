"""The words of the field that pages use, each explained once: the tag ``{% term %}`` and /glossary/."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


@dataclass(frozen=True, slots=True)
class Term:
    """A word and what it means.

    `short` is one or two sentences, shown where the word is pointed at; `more` follows on the glossary page.
    """

    key: str
    word: str
    group: str
    short: str
    more: str = ""


THE_TABLE: Final = "At the table"
A_GAME: Final = "Games and tournaments"
RESULTS: Final = "Results and ratings"
CHANCE: Final = "Luck and skill"

TERMS: Final = (
    Term(
        "foundation",
        "Foundation",
        THE_TABLE,
        "One of the piles in the middle, built up in suit from the ace to the king. Both players play to "
        "them.",
    ),
    Term(
        "house",
        "House",
        THE_TABLE,
        "One of the open piles beside the foundations, built downwards. Other names are tableau pile and "
        "column.",
        "An empty house gives a player room: many moves need one.",
    ),
    Term(
        "reserve",
        "Reserve",
        THE_TABLE,
        "A player's own pile of 13 cards, of which only the top is face up.",
        "It is also called the crapette or the malus. Emptying it is most of the work.",
    ),
    Term("hand", "Hand", THE_TABLE, "A player's face-down stock. Drawing turns up its top card."),
    Term(
        "discard",
        "Discard",
        THE_TABLE,
        "A player's own face-up waste pile. Discarding the drawn card ends the turn.",
    ),
    Term(
        "load",
        "Load",
        THE_TABLE,
        "To play a card onto your opponent's reserve or discard, which gives them more cards to get rid of.",
    ),
    Term(
        "seat",
        "Seat",
        THE_TABLE,
        "A player's place at the table: seat 1, seat 2 and so on.",
        "Pages count seats from 1. The bot protocol and downloaded records count them from 0.",
    ),
    Term(
        "board",
        "Board",
        A_GAME,
        "A game with a fixed number of seats, such as Crapette with three.",
        "Bots are checked and rated on each board separately.",
    ),
    Term("ply", "Ply", A_GAME, "One move by one player. A turn is made of one or more plies."),
    Term("turn", "Turn", A_GAME, "All the plies a player makes until the next player moves."),
    Term(
        "tick",
        "Tick",
        A_GAME,
        "One step of a simultaneous game: both players choose an action at the same moment.",
    ),
    Term("deal", "Deal", A_GAME, "The order of the cards that a game starts from."),
    Term(
        "pair",
        "Pair",
        A_GAME,
        "Two games on the same deal with seats swapped, so that neither bot gets the better cards.",
        "The pair is the unit that ratings and standings count. With three or four seats, a deal is played "
        "once with each seating.",
    ),
    Term(
        "match",
        "Match",
        A_GAME,
        "Pairs between the same two bots, played until one of them has enough points or the agreed number "
        "of deals is over.",
    ),
    Term("bye", "Bye", A_GAME, "A round in which a bot has no opponent."),
    Term(
        "round-robin",
        "Round-robin",
        A_GAME,
        "A tournament in which every bot plays every other bot.",
    ),
    Term(
        "swiss",
        "Swiss",
        A_GAME,
        "A tournament with a fixed number of rounds. In each one, bots with equal scores meet, and nobody "
        "meets the same opponent twice.",
    ),
    Term(
        "elimination",
        "Elimination",
        A_GAME,
        "A knockout: one lost match (or two, in double elimination) and you are out.",
    ),
    Term(
        "gauntlet",
        "Gauntlet",
        A_GAME,
        "A tournament in which one bot, the challenger, plays all the others.",
    ),
    Term(
        "challenge",
        "Challenge",
        A_GAME,
        "Games of one version against another owner’s, if that owner agrees. They are never rated.",
    ),
    Term(
        "ladder",
        "Ladder",
        A_GAME,
        "A tournament that never ends. It keeps scheduling the games that improve the ratings most.",
    ),
    Term(
        "house-bot",
        "House bot",
        A_GAME,
        "A bot that comes with the arena, such as Greedy or Planner.",
    ),
    Term("version", "Version", A_GAME, "One upload of a bot. It never changes and has its own rating."),
    Term(
        "void",
        "Void",
        A_GAME,
        "A voided pair does not count. It is played again on the same deal.",
    ),
    Term(
        "time-bank",
        "Time bank",
        A_GAME,
        "The CPU time a bot starts a game with. The increment is added after each of its turns.",
    ),
    Term("crosstable", "Crosstable", RESULTS, "A table of every bot's score against every other bot."),
    Term(
        "sb",
        "Sonneborn-Berger (SB)",
        RESULTS,
        "A tie-break: for each opponent, your points against it times the points it averages per game. "
        "Wins against strong opponents count for more.",
    ),
    Term(
        "buchholz",
        "Buchholz (Bh)",
        RESULTS,
        "A tie-break: the sum, over your games, of the points each opponent averages per game. It is "
        "higher if your opponents were stronger.",
    ),
    Term(
        "margin",
        "Margin",
        RESULTS,
        "How clearly games were won: the average difference per game, in points if the game is scored and "
        "in cards left otherwise.",
    ),
    Term(
        "elo",
        "Elo",
        RESULTS,
        "A rating scale. 100 points more means scoring about 64 % against the other bot, 400 more about 91 "
        "%.",
        "Greedy anchors the scale: its first version stays at 1500. Ratings are computed from all counted "
        "games at once, not game by game.",
    ),
    Term(
        "interval",
        "95 % interval",
        RESULTS,
        "The range in which the true value lies, with 95 % confidence. More games make it narrower.",
    ),
    Term(
        "standard-error",
        "Standard error",
        RESULTS,
        "The typical distance between an estimate and the true value. Four standard errors are very "
        "unlikely to be chance.",
    ),
    Term(
        "los",
        "LOS (likelihood of superiority)",
        RESULTS,
        "The chance that a bot is stronger than the one it is compared with: the next one on the list, "
        "or the other version in a test.",
    ),
    Term(
        "anchor",
        "Anchor",
        RESULTS,
        "A bot whose rating is fixed, so that ratings can be compared over time.",
    ),
    Term(
        "performance",
        "Performance",
        RESULTS,
        "The Elo a bot showed in this event alone, on a scale where the event averages 1500.",
    ),
    Term(
        "plackett-luce",
        "Plackett-Luce",
        RESULTS,
        "The counterpart of Elo for games of three or four: it rates bots by the order in which they finish.",
    ),
    Term(
        "sequential-test",
        "Sequential test",
        RESULTS,
        "A test that plays pairs until the evidence is strong enough either way. It needs fewer games than "
        "a fixed number.",
        "Chess programmers know it as SPRT, the sequential probability ratio test.",
    ),
    Term(
        "llr",
        "Log-likelihood ratio (LLR)",
        RESULTS,
        "How strongly the results so far favour “the new version is better” over “it is not”. The test "
        "ends when it reaches either bound.",
    ),
    Term(
        "pentanomial",
        "Pentanomial",
        RESULTS,
        "Counting pairs by their five possible scores: 0, ½, 1, 1½ or 2 points. This is more exact than "
        "counting games one by one, because the two games of a pair share a deal.",
    ),
    Term(
        "value-function",
        "Value function",
        CHANCE,
        "The arena's estimate of each player's chance of winning, from the cards on the table.",
    ),
    Term(
        "luck",
        "Luck",
        CHANCE,
        "How much the deal and the revealed cards helped, compared with the average over all cards that "
        "could have come.",
        "A luck-adjusted result has this taken out. It is right on average over many games, and an "
        "estimate for a single one.",
    ),
    Term(
        "swing",
        "Swing",
        CHANCE,
        "A moment that moved the win probability by at least five percentage points.",
    ),
    Term(
        "skill",
        "Skill",
        CHANCE,
        "How much a player's own choices moved the win probability.",
    ),
    Term(
        "mistake",
        "Mistake",
        CHANCE,
        "A turn in which the house bot Planner, or Oracle if it was asked, found a clearly better line. Luck "
        "is averaged out.",
    ),
    Term(
        "solved-ending",
        "Solved ending",
        CHANCE,
        "The last part of a game, once every card is known and the solver has decided who wins if both play "
        "their best.",
        "A bot has held it if the solver saw it win and it did win the game.",
    ),
)
"""Every term, in the order of the page."""

BY_KEY: Final[Mapping[str, Term]] = {term.key: term for term in TERMS}


def groups() -> Iterator[tuple[str, list[Term]]]:
    """The headings of the glossary page with their terms."""
    for heading, terms in groupby(TERMS, key=lambda term: term.group):
        yield heading, list(terms)
