"""Requests of owners to void a pair. Staff decide by what the machine did, without seeing who won."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext

from analysis.errors import CompetitionError, WrongStatus
from arena.accounts.confirmation import assert_confirmed
from bots.models import Bot
from tournaments.events.organiser_rights import may_manage
from tournaments.models import Pair, Seat, VoidRequest
from tournaments.models.embargo import seeing_hidden
from tournaments.pairing.pairs import void_pair
from tournaments.ratings.linked_owners import has_bot_among

if TYPE_CHECKING:
    from arena.accounts.models import User

LONGEST_REASON = 200
MOST_OPEN = 5
"""Requests of one person that may wait at a time."""


def ask_to_void(pair: Pair, by: User, evidence: str) -> VoidRequest:
    """Store an owner's request. Raises WrongStatus if it cannot be made."""
    if pair.status == Pair.Status.VOID:
        raise WrongStatus(gettext("This pair is already void."))
    if not by.is_staff and not _sat_in(pair, by):
        raise WrongStatus(gettext("Only the owner of a bot in this pair can ask for that."))
    if VoidRequest.objects.filter(asked_by=by, granted=None).count() >= MOST_OPEN:
        raise WrongStatus(
            gettext("You already have %(most)s open requests. Staff will look at those first.")
            % {"most": MOST_OPEN}
        )
    try:
        with transaction.atomic():
            return VoidRequest.objects.create(pair=pair, asked_by=by, evidence=evidence)
    except IntegrityError as error:
        raise WrongStatus(gettext("Staff have already been asked about this pair.")) from error


def _sat_in(pair: Pair, user: User) -> bool:
    return Seat.objects.filter(game__pair=pair, version__bot__in=Bot.objects.of(user)).exists()


def ask_or_void(pair: Pair, by: User, reason: str) -> str:
    """Void a pair, or ask staff to, whichever `by` may do; what was done, in a sentence.

    Where a pair counts, nobody who sees its result voids it, not even staff: they ask like the owner of a
    bot, and it is decided where no result is shown. Elsewhere staff void, and the event's organisers. Raises
    AddressNotConfirmed, PermissionDenied and CompetitionError.
    """
    assert_confirmed(by)
    tournament = pair.pairing.tournament
    asks = tournament.rated
    if not (asks or may_manage(tournament, by)):
        raise PermissionDenied
    reason = " ".join(reason.split())
    if not 3 <= len(reason) <= LONGEST_REASON:
        raise CompetitionError(
            gettext("Give a public reason of 3 to %(most)s characters.") % {"most": LONGEST_REASON}
        )
    if asks:
        ask_to_void(pair, by, reason)
        return gettext("Staff will look into the machine fault without seeing the result.")
    words = gettext("Pair %(number)s is void and will be replayed on the same deal.")
    if void_pair(pair, reason, by=by) is None:
        words = gettext(
            "Pair %(number)s is void. It cannot be replayed, because a bot has left: its opponent wins it."
        )
    return words % {"number": pair.number}


def decide(request: VoidRequest, answer: str, *, granted: bool, by: User) -> None:
    """Answer a request once, with a public reason; a granted one voids the pair.

    Raises WrongStatus, also if `by` has a bot in the pair.
    """
    must_not_gain(by, request.pair)
    with transaction.atomic():
        open_still = VoidRequest.objects.filter(pk=request.pk, granted=None).update(
            granted=granted, answer=answer[:300], decided_at=timezone.now()
        )
        if not open_still:
            raise WrongStatus(gettext("This request has already been answered."))
        if granted:
            void_pair(request.pair, answer)


def must_not_gain(by: User, pair: Pair) -> None:
    """Raise WrongStatus if the pair is rated and one of its bots is of this account or of a linked one."""
    with seeing_hidden():
        seated = list(Seat.objects.filter(game__pair=pair).values_list("version", flat=True))
    if pair.pairing.tournament.rated and has_bot_among(by, seated):
        raise WrongStatus(gettext("Your bot plays in this pair. Another member of staff must decide."))
