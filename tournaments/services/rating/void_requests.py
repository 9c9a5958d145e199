"""Requests of owners to void a pair. Staff decide by what the machine did, without seeing who won."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import IntegrityError, transaction
from django.utils import timezone

from analysis.errors import WrongStatus
from tournaments.models import Pair, Seat, VoidRequest
from tournaments.services.pairing.pairs import void_pair

if TYPE_CHECKING:
    from arena.accounts.models import User

MOST_OPEN = 5
"""Requests of one person that may wait at a time."""


def ask_to_void(pair: Pair, by: User, evidence: str) -> VoidRequest:
    """Store an owner's request. Raises WrongStatus if it cannot be made."""
    if pair.status == Pair.Status.VOID:
        raise WrongStatus("This pair is already void.")
    if not Seat.objects.filter(game__pair=pair, version__bot__owner=by).exists():
        raise WrongStatus("Only the owner of a bot in this pair can ask for that.")
    if VoidRequest.objects.filter(asked_by=by, granted=None).count() >= MOST_OPEN:
        raise WrongStatus(f"You already have {MOST_OPEN} open requests. Staff will look at those first.")
    try:
        with transaction.atomic():
            return VoidRequest.objects.create(pair=pair, asked_by=by, evidence=evidence)
    except IntegrityError as error:
        raise WrongStatus("Staff have already been asked about this pair.") from error


def decide(request: VoidRequest, answer: str, *, granted: bool) -> None:
    """Answer a request once, with a public reason; a granted one voids the pair. Raises WrongStatus."""
    with transaction.atomic():
        open_still = VoidRequest.objects.filter(pk=request.pk, granted=None).update(
            granted=granted, answer=answer[:300], decided_at=timezone.now()
        )
        if not open_still:
            raise WrongStatus("This request has already been answered.")
        if granted:
            void_pair(request.pair, answer)
