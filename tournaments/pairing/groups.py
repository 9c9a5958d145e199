"""Groups before a knock-out, as a new event asks for them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext

from analysis.errors import InvalidTournament
from analysis.formats.groups import ADVANCING, MOST_GROUPS, GroupRule, rule_of
from arena.web.i18n.phrases import count_noun, either
from tournaments.models import Tournament

if TYPE_CHECKING:
    from tournaments.events.creation import NewTournament

MOST_KNOCKOUT_PAIRS: Final = 200


def with_groups(new: NewTournament, number: int, advance: int, knockout_pairs: int) -> NewTournament:
    """The same, with so many groups (0: of about four bots) from each of which so many advance.

    A match of the knock-out has so many pairs (0: as many as in the groups); matches to points have none.
    """
    pairs = 0 if "match" in new.options else knockout_pairs
    rule = GroupRule(number, advance, pairs)
    return replace(new, options={**new.options, **rule.as_options()})


def with_settled_groups(new: NewTournament) -> NewTournament:
    """The same with the number of groups that fits its entrants, if none was asked for."""
    rule = rule_of(new.options)
    if rule is None:
        return new
    return replace(new, options={**new.options, **rule.for_entrants(len(new.versions)).as_options()})


def group_rule(new: NewTournament) -> GroupRule | None:
    """How many groups an event asks for, None in all other formats. Raises InvalidTournament."""
    if new.format != Tournament.Format.GROUPS:
        return None
    rule = rule_of(new.options)
    if rule is None:
        raise InvalidTournament(gettext("Choose how many bots of each group advance."), "advance")
    if rule.advance not in ADVANCING:
        words = gettext("%(allowed)s bots of each group can advance, not %(asked)s.")
        allowed = either([str(one) for one in ADVANCING])
        raise InvalidTournament(words % {"allowed": allowed, "asked": rule.advance}, "advance")
    if not 0 <= rule.groups <= MOST_GROUPS:
        words = gettext("There can be 1 to %(most)s groups. You asked for %(asked)s.")
        raise InvalidTournament(words % {"most": MOST_GROUPS, "asked": rule.groups}, "groups")
    if rule.groups * rule.advance == 1:
        raise InvalidTournament(gettext("From a single group, at least two bots must advance."), "advance")
    if not 0 <= rule.knockout_pairs <= MOST_KNOCKOUT_PAIRS:
        words = gettext("The number of pairs must be from 1 to %(most)s. You asked for %(asked)s.")
        values = {"most": MOST_KNOCKOUT_PAIRS, "asked": rule.knockout_pairs}
        raise InvalidTournament(words % values, "knockout_pairs")
    return rule


def assert_enough(rule: GroupRule, entrants: int) -> None:
    """Raise InvalidTournament if a group would have nobody who is left behind."""
    settled = rule.for_entrants(entrants)
    if entrants >= settled.least:
        return
    words = gettext(
        "With %(groups)s and %(advance)s advancing from each, choose at least %(least)s bots, so that "
        "each group has someone to eliminate. You chose %(count)s."
    )
    raise InvalidTournament(
        words
        % {
            "groups": count_noun(settled.groups, "group"),
            "advance": settled.advance,
            "least": settled.least,
            "count": entrants,
        },
        "groups" if rule.groups else "versions",
    )
