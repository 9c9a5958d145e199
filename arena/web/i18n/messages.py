"""What packages without a framework say, and what is stored, in the reader's language.

They speak whole English sentences. Each is marked where pages are made, with names for what differs; what was
said is found again by these patterns and put together from the translation. What fits none stays English.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final

from django.conf import settings
from django.utils.functional import lazy
from django.utils.translation import get_language, gettext, gettext_noop

if TYPE_CHECKING:
    from collections.abc import Sequence

HIDDEN_TEXT: Final = gettext_noop("Hidden by moderators.")
"""In place of a description, an announcement or release notes that moderators hid. It is put into the row
itself, and the text is kept elsewhere (`moderation`). So nothing that reads the row can show the text: no
page, cache, feed, download, search, preview, socket or e-mail."""
PLACE: Final = re.compile(r"%\((\w+)\)s")
STORED: Final = (
    gettext_noop("It crashed in its last %(games)s games."),
    gettext_noop("It crashed in %(crashed)s of its last %(games)s games."),
    gettext_noop("It abandoned its last %(games)s games."),
    gettext_noop("A remote bot went offline before the first game."),
    gettext_noop("Remote bots were switched off."),
    gettext_noop("A game with remote bots was broken off by the arena, and cards had been seen."),
    # Before the next one, which it would fit too.
    gettext_noop("Stopped without a verdict: %(version)s was benched."),
    gettext_noop("%(version)s was benched."),
    gettext_noop("Stopped without a verdict: a bot left the event."),
    gettext_noop("A bot left the event."),
    gettext_noop("Its organiser deleted the account."),
    gettext_noop("This tournament could not start. %(why)s"),
    gettext_noop("A challenge that both owners agreed to."),
    gettext_noop("the tournament was cancelled"),
    gettext_noop("the test was decided"),
    gettext_noop("The host that played its first game left before the others."),
    gettext_noop("Bots lost on time too often on the host that played it."),
    gettext_noop("Ratings now count ladders and house events only, so this earlier event no longer counts."),
    gettext_noop("There is no such table."),
    gettext_noop("This game no longer exists."),
    gettext_noop("This tournament no longer exists."),
    gettext_noop("The picture of this passage would be too large. Choose a shorter one."),
)
"""What the arena writes of its own into rows that pages show."""


def reword(text: str, patterns: Sequence[str]) -> str:
    """A text in the language spoken now, by the first of the patterns that it fits, such as
    ``House %(number)s is empty.``"""
    if not text or get_language() in (None, settings.LANGUAGE_CODE):
        return text
    for pattern in patterns:
        found = _expression(pattern).fullmatch(text)
        if found:
            return gettext(pattern) % found.groupdict() if found.groups() else gettext(pattern)
    return text


reworded_lazy = lazy(reword, str)


@cache
def _expression(pattern: str) -> re.Pattern[str]:
    parts = PLACE.split(pattern)
    texts, names = parts[::2], parts[1::2]
    expression = re.escape(texts[0])
    for name, text in zip(names, texts[1:], strict=True):
        expression += f"(?P<{name}>.+){re.escape(text)}"
    return re.compile(expression)
