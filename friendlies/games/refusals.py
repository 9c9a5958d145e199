"""Why a person cannot do what they asked: sentences in English, marked for the catalogues and put into the
person's language by the services, as the games here know no framework."""

from __future__ import annotations

from referee.errors import RefereeError


class ActionRefused(RefereeError):
    """The person's request cannot be fulfilled; the text is a sentence with `values` in it."""

    def __init__(self, sentence: str, **values: object) -> None:
        self.sentence, self.values = sentence, values
        super().__init__(sentence % values if values else sentence)


def gettext_noop(sentence: str) -> str:
    """The sentence itself, which ``./crapette messages`` finds by the name of this function."""
    return sentence


def too_few_empty(cards: int, free: int) -> ActionRefused:
    """Say why a stack cannot be moved: with *e* empty houses, 2^e cards can."""
    need = (cards - 1).bit_length()
    if free == 0 and need == 1:
        words = gettext_noop("Moving %(cards)s cards one by one takes 1 empty house, but there is none.")
    elif free == 0:
        words = gettext_noop(
            "Moving %(cards)s cards one by one takes %(need)s empty houses, but there is none."
        )
    elif free == 1:
        words = gettext_noop(
            "Moving %(cards)s cards one by one takes %(need)s empty houses, but there is only 1."
        )
    else:
        words = gettext_noop(
            "Moving %(cards)s cards one by one takes %(need)s empty houses, but there are only %(free)s."
        )
    return ActionRefused(words, cards=cards, need=need, free=free)
