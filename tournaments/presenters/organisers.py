"""Who organises an event, in words: below its name, below announcements, and on the organisers' own page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from arena.web.audit_log import DeedLine
from arena.web.people import people_links
from tournaments.models import Organiser
from tournaments.selectors.organisers import (
    asked,
    called,
    co_organisers,
    deeds,
    invitation,
    may_manage,
    takes_organisers,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.utils.safestring import SafeString

    from arena.accounts.models import User
    from tournaments.models import Announcement, Deed, Tournament


@dataclass(frozen=True, slots=True)
class OrganisersPage:
    """The organisers of an event as one of them sees them, or somebody who is asked to be one.

    `invitation` is what this reader can still answer, and `asks` who sent it, if their account is there.
    """

    others: list[User]
    asked: list[Organiser]
    deeds: list[DeedLine]
    invitation: Organiser | None
    asks: str
    manages: bool
    organises: bool


def names(tournament: Tournament, others: Iterable[User]) -> SafeString:
    """All organisers of an event with links, its founder first; empty where the house organises it."""
    return people_links([tournament.owner, *others] if tournament.owner else [])


def signed(
    tournament: Tournament, said: Iterable[Announcement], others: list[User]
) -> list[tuple[Announcement, str]]:
    """Announcements with who made each: where an event has several organisers, or it was none of them."""
    keys = {tournament.owner_id, *(one.pk for one in others)}
    told = [(one, str(called(one.author, keys))) for one in said]
    alone = tournament.owner.get_username() if tournament.owner and not others else ""
    return [(one, "" if who == alone else who) for one, who in told]


def organisers_page(tournament: Tournament, user: Any) -> OrganisersPage | None:
    """What the page shows; None to whoever neither organises the event nor is asked to."""
    manages = may_manage(tournament, user)
    answerable = invitation(tournament, user, Organiser.Status.INVITED, Organiser.Status.DECLINED)
    if not manages and answerable is None:
        return None
    others = co_organisers(tournament.pk)
    keys = {tournament.owner_id, *(one.pk for one in others)}
    by = answerable.invited_by if answerable else None
    return OrganisersPage(
        others=others,
        asked=asked(tournament) if manages else [],
        deeds=[_line(deed, keys) for deed in deeds(tournament)] if manages else [],
        invitation=answerable if takes_organisers(tournament) else None,
        asks=str(called(by, keys)) if by else "",
        manages=manages,
        organises=user.pk in keys,
    )


def _line(deed: Deed, keys: set[int | None]) -> DeedLine:
    about = deed.person.get_username() if deed.person else str(deed.version) if deed.version else ""
    return DeedLine(str(called(deed.actor, keys)), str(deed.get_what_display()), about, deed.at)
