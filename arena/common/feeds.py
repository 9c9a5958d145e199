"""What all Atom feeds share."""

from __future__ import annotations

from typing import Final
from urllib.parse import urlsplit

from django.conf import settings

AUTHOR: Final = "Crapette Arena"
"""Atom demands an author of every entry; one for the feed will do."""


def tag(*words: object) -> str:
    """The id of an entry that has no address of its own: a tag URI (RFC 4151), as Atom demands an IRI."""
    return f"tag:{urlsplit(settings.SITE_URL).hostname},2026:" + "/".join(map(str, words))
