"""What the form of a new tournament shows when it is to be like another one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from tournaments.events.creation import NAME_LENGTH, as_asked, enterable
from tournaments.models import Tournament
from tournaments.models.embargo import EVERY_ROUND
from tournaments.ratings.ladders import board_of

if TYPE_CHECKING:
    from arena.accounts.models import User

NUMBERED: Final = re.compile(r"(\d{1,4})$")


def following(name: str) -> str:
    """The name of the next event: its number goes up by one, or it gets a 2.

    >>> following("Winter cup 9"), following("Winter cup")
    ('Winter cup 10', 'Winter cup 2')
    """
    found = NUMBERED.search(name)
    if found is None:
        return f"{name[: NAME_LENGTH - 2]} 2"
    number = str(int(found[1]) + 1)
    return name[: min(found.start(), NAME_LENGTH - len(number))] + number


def settings_of(tournament: Tournament, user: User) -> dict[str, Any]:
    """The settings of an event, as far as everybody may know them, for the form of the next; dates are left
    out, and so are bots that this user cannot enter."""
    wish = as_asked(tournament)
    keys = set(
        enterable(user, board_of(tournament), remote=wish.admits_remote)
        .filter(pk__in=wish.versions)
        .values_list("pk", flat=True)
    )
    versions = [key for key in wish.versions if key in keys]
    rule = tournament.match_rule
    gauntlet = wish.format == Tournament.Format.GAUNTLET
    found: dict[str, Any] = {
        "name": following(wish.name),
        "description": wish.description,
        "variant": wish.variant,
        "players": wish.players,
        "format": wish.format,
        "cycles": wish.cycles,
        "rounds": wish.rounds or None,
        "versions": versions,
        "challenger": versions[0] if gauntlet and wish.versions[:1] == tuple(versions[:1]) else None,
        "pairs": wish.pairs_per_pairing,
        "bank": wish.bank_ms // 1000,
        "increment": wish.increment_ms,
        "invited": bool(tournament.join_key),
        "unrated": not wish.rated,
        "admits_remote": wish.admits_remote,
    }
    if rule is not None:
        found |= {"match": rule.kind, "target": rule.target}
    groups = tournament.group_rule
    if groups is not None:
        found |= {"groups": groups.groups or None, "advance": groups.advance}
        found |= {"knockout_pairs": groups.knockout_pairs or None}
    if wish.hiding is not None:
        everything = wish.hiding.last_rounds == EVERY_ROUND
        found |= {
            "hide": "all" if everything else "rounds",
            "hide_rounds": 1 if everything else wish.hiding.last_rounds,
            "reveal": wish.hiding.ending,
            "organiser_sees": wish.hiding.organiser_sees,
        }
    return found
