"""Steps that several variants share, because the rule is the same."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy

from friendlies.tutorials.steps.step import TutorialStep

MINE: Final = "4D9S6HQC5S/2C8DJH7S3H/."
THEIRS: Final = "8S2HTD4C9D/KD6C3SJC5H/3C"
"""Piles of the seats where they do not matter: nothing on the table fits their tops."""

ACE: Final = TutorialStep(
    "ace",
    gettext_lazy("Aces start the foundations"),
    gettext_lazy(
        "The foundations in the middle take one suit each, from the ace to the king. Move the A♠ of"
        " house 1 to a foundation."
    ),
    gettext_lazy("Only the top card of a pile can move. The 9♦ below the ace is free now."),
    "9DAS/6C/KH/QC/KS/8H/KD/TC",
    "0,0/0,0/0,0/0,0",
    MINE,
    THEIRS,
    ("t1-f",),
)
NEXT: Final = TutorialStep(
    "next",
    gettext_lazy("Foundations go up in suit"),
    gettext_lazy("The ace of spades needs the 2♠. Drag it there, or tap it twice."),
    gettext_lazy("A card on a foundation stays there, and you are rid of it."),
    "JD2S/9C/KH/6C/KS/8H/KD/TC",
    "1,0/2,0/0,0/1,0",
    MINE,
    THEIRS,
    ("t1-f",),
)
BUILD: Final = TutorialStep(
    "build",
    gettext_lazy("Houses go down in alternating colours"),
    gettext_lazy(
        "In a house, each card is one lower than the card below it and of the other colour. Put the 6♥"
        " on the 7♠."
    ),
    gettext_lazy("Red on black and black on red. The 5♣ is free now."),
    "TD5C6H/7S/KH/QC/KS/3S/KD/9C",
    "1,0/2,0/0,0/1,0",
    MINE,
    THEIRS,
    ("t1-t2",),
)
EMPTY: Final = TutorialStep(
    "empty",
    gettext_lazy("An empty house takes any card"),
    gettext_lazy(
        "The A♦ lies below the 10♠. Put the 10♠ into the empty house, then play the ace to a foundation."
    ),
    gettext_lazy("Empty houses are precious. Fill one when that frees a card you need."),
    "ADTS/./KH/6C/KS/8H/KD/QC",
    "1,0/2,0/0,0/1,0",
    MINE,
    THEIRS,
    ("t1-t2", "t1-f"),
)
RUN: Final = TutorialStep(
    "run",
    gettext_lazy("Move a run of cards"),
    gettext_lazy(
        "Cards move one at a time, so a run needs an empty house to rest in. Bring the 9♥ and the 8♣"
        " onto the 10♠: the 8♣ goes to the"
        " empty house first."
    ),
    gettext_lazy("At the table you can also drag the whole run. The site then makes these moves for you."),
    "QC9H8C/TS/KH/./KS/3S/KD/9C",
    "1,0/2,0/0,0/1,0",
    MINE,
    THEIRS,
    ("t1-t4", "t1-t2", "t4-t2"),
)
LOAD_DISCARD: Final = TutorialStep(
    "load-discard",
    gettext_lazy("Load your opponent’s discard"),
    gettext_lazy(
        "You may also put cards on your opponent’s discard, if they are of its suit and one higher or"
        " one lower. Load the 4♣ onto the 3♣."
    ),
    gettext_lazy("This is called loading: your opponent has one card more to get rid of."),
    "9S4C/6C/KH/QC/KS/8H/KD/TC",
    "1,0/2,0/0,0/1,0",
    MINE,
    THEIRS,
    ("t1-d1",),
)
LOAD_RESERVE: Final = TutorialStep(
    "load-reserve",
    gettext_lazy("Load your opponent’s reserve"),
    gettext_lazy(
        "The reserve is loaded by the same rule: same suit, one higher or one lower. Load the 8♦ and"
        " then the 7♦ onto the 9♦."
    ),
    gettext_lazy("Reserve cards are the hardest to lose, so a loaded reserve hurts most."),
    "9S8D/6C7D/KH/./KS/8H/KD/QC",
    "1,0/2,0/0,0/1,0",
    MINE,
    THEIRS,
    ("t1-r1", "t2-r1"),
)
RESERVE: Final = TutorialStep(
    "reserve",
    gettext_lazy("Play from your reserve"),
    gettext_lazy("The top card of your reserve can move like the top of a house. Put your 5♠ on the 6♥."),
    gettext_lazy("Emptying the reserve is the hard part of the game. Its next card is turned up."),
    "TD6H/7S/KH/QC/KS/3S/KD/9C",
    "1,0/2,0/0,0/1,0",
    MINE,
    THEIRS,
    ("r-t1",),
)
OWN_DISCARD: Final = TutorialStep(
    "own-discard",
    gettext_lazy("Play from your discard"),
    gettext_lazy(
        "The top card of your own discard can move as well. The hearts wait for the 3♥: play it from"
        " your discard."
    ),
    gettext_lazy("What lies deeper in your discard becomes free one card at a time."),
    "9S/6C/KH/QC/KS/8H/KD/TC",
    "1,0/2,0/0,0/1,0",
    "4D9S6HQC5S/2C8DJH7S3H/JS3H",
    THEIRS,
    ("d-f",),
)
DRAW: Final = TutorialStep(
    "draw",
    gettext_lazy("Draw a card"),
    gettext_lazy(
        "Nothing on the table helps you, so tap your hand to draw. Then place the drawn card: the clubs"
        " wait for it."
    ),
    gettext_lazy("After you have placed a drawn card, your turn goes on. You may draw again."),
    "9S/6C/KH/QC/KS/8H/KD/TC",
    "1,0/2,0/0,0/1,0",
    "4D9S6HQC5S/8DJH7S3H2C/7H",
    THEIRS,
    ("draw", "h-f"),
)
DISCARD: Final = TutorialStep(
    "discard",
    gettext_lazy("A discard ends your turn"),
    gettext_lazy("Draw a card. It fits nowhere, so put it on your discard. Then your opponent plays."),
    gettext_lazy("Your opponent has drawn and discarded too, so it is your turn again."),
    "9S/6C/KH/JC/KS/8H/KD/TC",
    "1,0/2,0/0,0/1,0",
    "4D9S6HQC5S/8DJH7S3HKC/7H",
    "8S2HTD4C9D/JH6C3SQHKD/3S",
    ("draw", "h-d", "> draw", "> h-d"),
)
TURN_OVER: Final = TutorialStep(
    "turn-over",
    gettext_lazy("When your hand is empty"),
    gettext_lazy(
        "Your hand is empty. Draw all the same: your discard is turned over and becomes your hand. Then"
        " place the card."
    ),
    gettext_lazy("The discard is not shuffled: the cards come in the order in which you discarded them."),
    "9S/6C/KH/QC/KS/8H/KD/TC",
    "1,0/2,0/0,0/1,0",
    "4D9S6HQC5S/./2C8DJH7H",
    THEIRS,
    ("draw", "h-f"),
)
WIN: Final = TutorialStep(
    "win",
    gettext_lazy("The last card wins"),
    gettext_lazy(
        "You win once your reserve, your hand and your discard are empty. Draw your last card and play it."
    ),
    gettext_lazy("You have won. That is all you need for a first game!"),
    "9S/6C/KH/QC/KS/8H/KD/TC",
    "1,0/3,0/0,0/1,0",
    "./4H/.",
    "8S2HTD4C9D/KD6C3SJC5H/3C",
    ("draw", "h-f"),
)
