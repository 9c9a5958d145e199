"""The steps of Crapette vitesse."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy

from friendlies.tutorials.steps.step import TutorialStep

THEIRS: Final = "5S9C2H/8H,JD,QS,9S/4C6DTHKC/."

STEPS: Final = (
    TutorialStep(
        "slot",
        gettext_lazy("Both move at once"),
        gettext_lazy(
            "All cards go to the foundations in the middle, from the ace up. Play the A♠ from your first"
            " slot: drag it, or tap it."
        ),
        gettext_lazy(
            "Your opponent chose at the same moment. The slot was filled from your reserve at once."
        ),
        "",
        "0,0/0,0/0,0/0,0",
        "KD7S4H/AS,TC,8D,6H/2C9DJH5C/.",
        THEIRS,
        ("s1-f,turn",),
    ),
    TutorialStep(
        "shared",
        gettext_lazy("The foundations are shared"),
        gettext_lazy(
            "The 2♦ on the foundation is your opponent’s. That does not matter: play your 3♦ on it."
        ),
        gettext_lazy("Each card you play is worth a point, whoever played the one below."),
        "",
        "1,0/0,0/2,0/0,0",
        "KD7S4H/QH,3D,8D,6H/2C9DJH5C/.",
        THEIRS,
        ("s2-f,turn",),
    ),
    TutorialStep(
        "reserve",
        gettext_lazy("The reserve plays too"),
        gettext_lazy("The top card of your reserve can go to a foundation as well. Play the 4♥."),
        gettext_lazy("An empty reserve lets you call stop, so play from it whenever you can."),
        "",
        "1,0/3,0/2,0/0,0",
        "KD7S4H/QH,9S,8D,6H/2C9DJH5C/.",
        THEIRS,
        ("r-f,turn",),
    ),
    TutorialStep(
        "turn",
        gettext_lazy("Turn up a card"),
        gettext_lazy(
            "None of your cards fits, so turn one up: tap your hand. The 2♣ that comes fits: play it from "
            "your discard."
        ),
        gettext_lazy("You can turn only while no card of your reserve or slots fits."),
        "",
        "1,0/3,0/2,0/1,0",
        "KD7STS/QH,9S,8D,6H/9DJH5C2C/.",
        THEIRS,
        ("turn,turn", "d-f,turn"),
    ),
    TutorialStep(
        "chain",
        gettext_lazy("One card frees the next"),
        gettext_lazy("Play the 5♠ from your third slot. See what fills the slot, and play that as well."),
        gettext_lazy("A filled slot can go on in the very next tick."),
        "",
        "4,0/3,0/2,0/1,0",
        "KD7S6S/QH,9S,5S,6H/9DJH5C/.",
        THEIRS,
        ("s3-f,turn", "s3-f,turn"),
    ),
    TutorialStep(
        "first",
        gettext_lazy("Who goes first"),
        gettext_lazy("You both have a 5♦, and only one fits. In this tick your card goes first: play it."),
        gettext_lazy(
            "Your opponent’s 5♦ was too late and stays where it was. In the next tick your opponent goes"
            " first."
        ),
        "",
        "1,0/3,0/4,0/1,0",
        "KD7STS/5D,9S,8D,6H/9DJH5C/.",
        "5S9C2H/8H,JD,5D,9S/4C6DTHKC/.",
        ("s1-f,s3-f",),
    ),
    TutorialStep(
        "second",
        gettext_lazy("When you are second"),
        gettext_lazy(
            "Now your opponent goes first and has a 5♦ too, so yours would be too late. Play the 2♣ instead."
        ),
        gettext_lazy("Your opponent took the 5♦, and you lost nothing."),
        "",
        "1,0/3,0/4,0/1,0",
        "KD7STS/5D,2C,8D,6H/9DJH5C/.",
        "5S9C2H/8H,JD,5D,9S/4C6DTHKC/.",
        ("s2-f,s3-f",),
        tick=1,
    ),
    TutorialStep(
        "complete",
        gettext_lazy("Complete a foundation for 10 points"),
        gettext_lazy("The K♦ completes its foundation. Play it from your reserve."),
        gettext_lazy("10 points for the foundation, and 1 for the card."),
        "",
        "1,0/3,0/12,0/1,0",
        "7SKD/QH,9S,8D,6H/9DJH5C/.",
        THEIRS,
        ("r-f,turn",),
    ),
    TutorialStep(
        "stop",
        gettext_lazy("Stop, crapette!"),
        gettext_lazy("Your reserve is empty, so you may end the deal. You are ahead: call stop."),
        gettext_lazy("20 points for the call. That is all you need for a first game!"),
        "",
        "8,0/8,0/6,0/7,0",
        "./QH,9S,8D,6H/9DJH5C/.",
        THEIRS,
        ("stop,wait",),
    ),
)
