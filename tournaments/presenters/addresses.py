"""Where two who meet are shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.urls import reverse

if TYPE_CHECKING:
    from tournaments.models import Entry, Pairing, Tournament


def meeting_url(tournament: Tournament, one: Entry, other: Entry) -> str:
    """The page of all pairs of two entrants."""
    return reverse("tournaments:meeting", args=[tournament.slug, one.number, other.number])


def sheet_url(tournament: Tournament, pairing: Pairing) -> str:
    """The score sheet of a match."""
    return reverse("tournaments:sheet", args=[tournament.slug, pairing.round, pairing.table])
