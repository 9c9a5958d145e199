"""Who is entered in a draft, and what a visitor may enter."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.utils import timezone

from bots.models import Bot, Version
from bots.port import port
from bots.selectors import co_owners
from tournaments.models import Tournament
from tournaments.selectors.ladders import board_of
from tournaments.selectors.organisers import organises

if TYPE_CHECKING:
    from tournaments.models import Entry


@dataclass(frozen=True, slots=True)
class RegistrationPage:
    """A draft's entrants; `own` are the visitor's versions that could be entered, while it is `open`.

    Organisers need no key for an invited event. `refused` says why the visitor may not enter, if so.
    """

    entries: list[Entry]
    open: bool
    own: list[Version]
    mine: set[int]
    needs_no_key: bool
    refused: str


def registration_page(tournament: Tournament, user: Any) -> RegistrationPage | None:
    """What the page of a draft says of registration; None once the tournament has started."""
    if tournament.status != Tournament.Status.DRAFT:
        return None
    found = tournament.entries.select_related("version__bot__owner").order_by("number")
    entries = list(found.prefetch_related(co_owners("version__bot__")))
    until = tournament.registration_until
    is_open = until is not None and until > timezone.now()
    own: list[Version] = []
    mine: set[int] = set()
    if user.is_authenticated:
        mine = {entry.number for entry in entries if entry.version.bot.is_owned_by(user)}
        if is_open:
            entered = [entry.version_id for entry in entries]
            fit = Version.objects.fit().filter(bot__in=Bot.objects.of(user)).playing(board_of(tournament))
            own = list(fit.exclude(pk__in=entered).select_related("bot").order_by("bot__name", "-number"))
    organiser = organises(tournament, user)
    refused = "" if organiser else port().why_not_enter(tournament.pk, user)
    return RegistrationPage(entries, is_open, own, mine, needs_no_key=organiser, refused=refused)
