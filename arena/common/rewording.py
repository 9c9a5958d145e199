"""What packages without a framework say, and what is stored, in the reader's language.

They speak whole English sentences. Each is marked where pages are made, with names for what differs; what was
said is found again by these patterns and put together from the translation. What fits none stays English.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final

from django.conf import settings
from django.utils.translation import get_language, gettext

if TYPE_CHECKING:
    from collections.abc import Sequence

PLACE: Final = re.compile(r"%\((\w+)\)s")


def reworded(text: str, patterns: Sequence[str]) -> str:
    """A text in the language spoken now, by the first of the patterns that it fits, such as
    ``House %(number)s is empty.``"""
    if not text or get_language() in (None, settings.LANGUAGE_CODE):
        return text
    for pattern in patterns:
        found = _expression(pattern).fullmatch(text)
        if found:
            return gettext(pattern) % found.groupdict() if found.groups() else gettext(pattern)
    return text


@cache
def _expression(pattern: str) -> re.Pattern[str]:
    parts = PLACE.split(pattern)
    texts, names = parts[::2], parts[1::2]
    expression = re.escape(texts[0])
    for name, text in zip(names, texts[1:], strict=True):
        expression += f"(?P<{name}>.+){re.escape(text)}"
    return re.compile(expression)
