"""How many cards can move one by one, said to the person who moves them."""

from __future__ import annotations

from django.utils.translation import ngettext


def too_few_empty(cards: int, free: int) -> str:
    """Say why a stack cannot be moved: with *e* empty houses, 2^e cards can."""
    need = (cards - 1).bit_length()
    values = {"cards": cards, "need": need, "free": free}
    if free == 0:
        words = ngettext(
            "Moving %(cards)s cards one by one takes %(need)s empty house, but there is none.",
            "Moving %(cards)s cards one by one takes %(need)s empty houses, but there is none.",
            need,
        )
    else:  # then it takes two at least
        words = ngettext(
            "Moving %(cards)s cards one by one takes %(need)s empty houses, but there is only %(free)s.",
            "Moving %(cards)s cards one by one takes %(need)s empty houses, but there are only %(free)s.",
            free,
        )
    return words % values
