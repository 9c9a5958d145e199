"""The words of the field that pages use, each explained once: the tag ``{% term %}`` and /glossary/."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext_lazy

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from django_stubs_ext import StrOrPromise


@dataclass(frozen=True, slots=True)
class Term:
    """A word and what it means.

    `short` is one or two sentences, shown where the word is pointed at; `more` follows on the glossary page.
    """

    key: str
    word: StrOrPromise
    group: StrOrPromise
    short: StrOrPromise
    more: StrOrPromise = ""


THE_TABLE: Final = gettext_lazy("At the table")
A_GAME: Final = gettext_lazy("Games and tournaments")
RESULTS: Final = gettext_lazy("Results and ratings")
CHANCE: Final = gettext_lazy("Luck and skill")

VIRTUAL_OPPONENT: Final = gettext_lazy(
    "A bye or a forfeit counts as games against an opponent with your own points per game, as in FIDE’s "
    "tie-break regulations (C.07, 2024), so it costs nothing here."
)

TERMS: Final = (
    Term(
        "foundation",
        gettext_lazy("Foundation"),
        THE_TABLE,
        gettext_lazy(
            "One of the piles in the middle, built up in suit from the ace to the king. Both players play "
            "to them."
        ),
    ),
    Term(
        "house",
        gettext_lazy("House"),
        THE_TABLE,
        gettext_lazy(
            "One of the open piles beside the foundations, built downwards. Other names are tableau pile "
            "and column."
        ),
        gettext_lazy("An empty house gives a player room: many moves need one."),
    ),
    Term(
        "reserve",
        gettext_lazy("Reserve"),
        THE_TABLE,
        gettext_lazy("A player's own pile of 13 cards, of which only the top is face up."),
        gettext_lazy("It is also called the crapette or the malus. Emptying it is most of the work."),
    ),
    Term(
        "hand",
        gettext_lazy("Hand"),
        THE_TABLE,
        gettext_lazy("A player's face-down stock. Drawing turns up its top card."),
    ),
    Term(
        "discard",
        gettext_lazy("Discard"),
        THE_TABLE,
        gettext_lazy("A player's own face-up waste pile. Discarding the drawn card ends the turn."),
    ),
    Term(
        "load",
        gettext_lazy("Load"),
        THE_TABLE,
        gettext_lazy(
            "To play a card onto your opponent's reserve or discard, which gives them more cards to get rid "
            "of."
        ),
    ),
    Term(
        "seat",
        gettext_lazy("Seat"),
        THE_TABLE,
        gettext_lazy("A player's place at the table: seat 1, seat 2 and so on."),
        gettext_lazy("Pages count seats from 1. The bot protocol and downloaded records count them from 0."),
    ),
    Term(
        "board",
        gettext_lazy("Board"),
        A_GAME,
        gettext_lazy("A game with a fixed number of seats, such as Crapette with three."),
        gettext_lazy("Bots are checked and rated on each board separately."),
    ),
    Term(
        "ply",
        gettext_lazy("Ply"),
        A_GAME,
        gettext_lazy("One move by one player. A turn is made of one or more plies."),
    ),
    Term(
        "turn",
        gettext_lazy("Turn"),
        A_GAME,
        gettext_lazy("All the plies a player makes until the next player moves."),
    ),
    Term(
        "tick",
        gettext_lazy("Tick"),
        A_GAME,
        gettext_lazy("One step of a simultaneous game: both players choose an action at the same moment."),
    ),
    Term(
        "deal", gettext_lazy("Deal"), A_GAME, gettext_lazy("The order of the cards that a game starts from.")
    ),
    Term(
        "pair",
        gettext_lazy("Pair"),
        A_GAME,
        gettext_lazy(
            "Two games on the same deal with seats swapped, so that neither bot gets the better cards."
        ),
        gettext_lazy(
            "The pair is the unit that ratings and standings count. With three or four seats, a deal is "
            "played once with each seating."
        ),
    ),
    Term(
        "match",
        gettext_lazy("Match"),
        A_GAME,
        gettext_lazy(
            "Pairs between the same two bots, played until one of them has enough points or the agreed "
            "number of deals is over."
        ),
    ),
    Term(
        "bye",
        gettext_lazy("Bye"),
        A_GAME,
        gettext_lazy("A round in which a bot has no opponent."),
        gettext_lazy(
            "In a Swiss it is worth half the points of a round, and no bot gets a second one if that can be "
            "avoided."
        ),
    ),
    Term(
        "round-robin",
        gettext_lazy("Round-robin"),
        A_GAME,
        gettext_lazy("A tournament in which every bot plays every other bot."),
    ),
    Term(
        "swiss",
        gettext_lazy("Swiss"),
        A_GAME,
        gettext_lazy(
            "A tournament with a fixed number of rounds. In each one, bots with equal scores meet, and "
            "nobody meets the same opponent twice if that can be avoided."
        ),
    ),
    Term(
        "elimination",
        gettext_lazy("Elimination"),
        A_GAME,
        gettext_lazy("A knockout: one lost match (or two, in double elimination) and you are out."),
    ),
    Term(
        "groups",
        gettext_lazy("Groups, then knock-out"),
        A_GAME,
        gettext_lazy("First small round-robins, then a knock-out between the best of each."),
    ),
    Term(
        "gauntlet",
        gettext_lazy("Gauntlet"),
        A_GAME,
        gettext_lazy("A tournament in which one bot, the challenger, plays all the others."),
    ),
    Term(
        "challenge",
        gettext_lazy("Challenge"),
        A_GAME,
        gettext_lazy(
            "Games of one version against another owner’s, if that owner agrees. They are never rated."
        ),
    ),
    Term(
        "ladder",
        gettext_lazy("Ladder"),
        A_GAME,
        gettext_lazy(
            "A tournament that never ends. It keeps scheduling the games that improve the ratings most."
        ),
    ),
    Term(
        "house-bot",
        gettext_lazy("House bot"),
        A_GAME,
        gettext_lazy("A bot that comes with the arena, such as Greedy or Planner."),
    ),
    Term(
        "version",
        gettext_lazy("Version"),
        A_GAME,
        gettext_lazy("One upload of a bot. It never changes and has its own rating."),
    ),
    Term(
        "active-version",
        gettext_lazy("Active version"),
        A_GAME,
        gettext_lazy(
            "The version that plays for its bot on a board: the last activated of those that passed there."
        ),
    ),
    Term(
        "void",
        gettext_lazy("Void"),
        A_GAME,
        gettext_lazy("A voided pair does not count. It is played again on the same deal."),
    ),
    Term(
        "time-bank",
        gettext_lazy("Time bank"),
        A_GAME,
        gettext_lazy(
            "The CPU time a bot starts a game with. The increment is added after each of its turns."
        ),
    ),
    Term(
        "crosstable",
        gettext_lazy("Crosstable"),
        RESULTS,
        gettext_lazy("A table of every bot's score against every other bot."),
    ),
    Term(
        "sb",
        gettext_lazy("Sonneborn-Berger (SB)"),
        RESULTS,
        gettext_lazy(
            "A tie-break: for each opponent, your points against it times the points it averages per game. "
            "Wins against strong opponents count for more."
        ),
        VIRTUAL_OPPONENT,
    ),
    Term(
        "buchholz",
        gettext_lazy("Buchholz (Bh)"),
        RESULTS,
        gettext_lazy(
            "A tie-break: the sum, over your games, of the points each opponent averages per game. It is "
            "higher if your opponents were stronger."
        ),
        VIRTUAL_OPPONENT,
    ),
    Term(
        "margin",
        gettext_lazy("Margin"),
        RESULTS,
        gettext_lazy(
            "How clearly games were won: the average difference per game, in points if the game is scored "
            "and in cards left otherwise."
        ),
    ),
    Term(
        "elo",
        gettext_lazy("Elo"),
        RESULTS,
        gettext_lazy(
            "A rating scale. 100 points more means scoring about 64 % against the other bot, 400 more about "
            "91 %."
        ),
        gettext_lazy(
            "Greedy anchors the scale: its first version stays at 1500. Ratings are computed from all "
            "counted games at once, not game by game."
        ),
    ),
    Term(
        "interval",
        # xgettext:no-python-format
        gettext_lazy("95 % interval"),
        RESULTS,
        gettext_lazy(
            # xgettext:no-python-format
            "The range in which the true value lies, with 95 % confidence. More games make it narrower."
        ),
    ),
    Term(
        "standard-error",
        gettext_lazy("Standard error"),
        RESULTS,
        gettext_lazy(
            "The typical distance between an estimate and the true value. Four standard errors are very "
            "unlikely to be chance."
        ),
    ),
    Term(
        "los",
        gettext_lazy("LOS (likelihood of superiority)"),
        RESULTS,
        gettext_lazy(
            "The chance that a bot is stronger than the one it is compared with: the next one on the list, "
            "or the other version in a test."
        ),
    ),
    Term(
        "anchor",
        gettext_lazy("Anchor"),
        RESULTS,
        gettext_lazy("A bot whose rating is fixed, so that ratings can be compared over time."),
    ),
    Term(
        "performance",
        gettext_lazy("Performance"),
        RESULTS,
        gettext_lazy("The Elo a bot showed in this event alone, on a scale where the event averages 1500."),
    ),
    Term(
        "plackett-luce",
        gettext_lazy("Plackett-Luce"),
        RESULTS,
        gettext_lazy(
            "The counterpart of Elo for games of three or four: it rates bots by the order in which they "
            "finish."
        ),
    ),
    Term(
        "sequential-test",
        gettext_lazy("Sequential test"),
        RESULTS,
        gettext_lazy(
            "A test that plays pairs until the evidence is strong enough either way. It needs fewer games "
            "than a fixed number."
        ),
        gettext_lazy("Chess programmers know it as SPRT, the sequential probability ratio test."),
    ),
    Term(
        "llr",
        gettext_lazy("Log-likelihood ratio (LLR)"),
        RESULTS,
        gettext_lazy(
            "How strongly the results so far favour “the new version is better” over “it is not”. The test "
            "ends when it reaches either bound."
        ),
    ),
    Term(
        "pentanomial",
        gettext_lazy("Pentanomial"),
        RESULTS,
        gettext_lazy(
            "Counting pairs by their five possible scores: 0, ½, 1, 1½ or 2 points. This is more exact than "
            "counting games one by one, because the two games of a pair share a deal."
        ),
    ),
    Term(
        "value-function",
        gettext_lazy("Value function"),
        CHANCE,
        gettext_lazy("The arena's estimate of each player's chance of winning, from the cards on the table."),
    ),
    Term(
        "luck",
        gettext_lazy("Luck"),
        CHANCE,
        gettext_lazy(
            "How much the deal and the revealed cards helped, compared with the average over all cards that "
            "could have come."
        ),
        gettext_lazy(
            "A luck-adjusted result has this taken out. It is right on average over many games, and an "
            "estimate for a single one."
        ),
    ),
    Term(
        "swing",
        gettext_lazy("Swing"),
        CHANCE,
        gettext_lazy("A moment that moved the win probability by at least five percentage points."),
    ),
    Term(
        "skill",
        gettext_lazy("Skill"),
        CHANCE,
        gettext_lazy("How much a player's own choices moved the win probability."),
    ),
    Term(
        "mistake",
        gettext_lazy("Mistake"),
        CHANCE,
        gettext_lazy(
            "A turn in which the house bot Planner, or Oracle if it was asked, found a clearly better line. "
            "Luck is averaged out."
        ),
    ),
    Term(
        "solved-ending",
        gettext_lazy("Solved ending"),
        CHANCE,
        gettext_lazy(
            "The last part of a game, once every card is known and the solver has decided who wins if both "
            "play their best."
        ),
        gettext_lazy("A bot has held it if the solver saw the bot winning and the bot did win."),
    ),
)
"""Every term, in the order of the page."""

BY_KEY: Final[Mapping[str, Term]] = {term.key: term for term in TERMS}


def groups() -> Iterator[tuple[StrOrPromise, list[Term]]]:
    """The headings of the glossary page with their terms."""
    for heading, terms in groupby(TERMS, key=lambda term: term.group):
        yield heading, list(terms)
