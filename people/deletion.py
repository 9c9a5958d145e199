"""Deletes accounts, and what goes with them."""

from __future__ import annotations

import contextlib
from functools import partial
from typing import TYPE_CHECKING, Final

from django.contrib.auth import get_user_model
from django.db import OperationalError, connection, transaction
from django.utils import timezone

from arena.accounts.admin_site import end_sessions
from bots.errors import OwnerGone
from bots.teams.departures import end_invitations, forget_in_log, forget_owner, lock_with_heirs
from people.classes.classrooms import close_events_of
from people.moderation.text_replacement import forget_name
from tournaments.events.organisers import hand_over
from tournaments.games.evidence_deletion import forget_evidence
from tournaments.series.closure import leave_series, lock_series_of

if TYPE_CHECKING:
    from datetime import datetime

    from arena.accounts.models import User

LOCK_NOT_AVAILABLE: Final = "55P03"
"""PostgreSQL's code for a lock that was waited for too long."""
LOCK_PATIENCE: Final = "500ms"
"""Less than the second after which PostgreSQL looks for a deadlock and ends either side of it."""
LOCK_TRIES: Final = 10


def delete_account(owner: User) -> None:
    """Delete the user, every session, everything in `forget_owner`, and what the bots wrote and are called.

    That comes first, and little by little, so that nobody waits for the end of a long transaction; whatever
    breaks this off, the account is still there and can be deleted again. What others own or organise with
    them goes to the others.
    """
    began = timezone.now()
    alone = end_invitations(owner)
    for bot in alone:
        forget_evidence(bot)
        forget_name(bot)
    # A second click, or another page, may have deleted it meanwhile: then it is done.
    with contextlib.suppress(OwnerGone):
        for patience in (*[LOCK_PATIENCE] * LOCK_TRIES, None):
            try:
                _delete(owner, alone, began, patience)
            except OperationalError as error:
                if getattr(error.__cause__, "sqlstate", "") != LOCK_NOT_AVAILABLE:
                    raise
            else:
                break


def _delete(owner: User, alone: set[int], began: datetime, patience: str | None) -> None:
    """Delete the user in one transaction.

    Whoever holds an event may want to tell its organisers something, and waits for an account that is being
    deleted, while its deletion waits for the event. So the deletion gives way: if it waits for a lock longer
    than `patience`, it raises OperationalError and has done nothing.
    """
    with transaction.atomic():
        if patience is not None and connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute(f"SET LOCAL lock_timeout = '{patience}'")
        lock_with_heirs(owner)
        # Before bots and events, as whoever closes a season does.
        lock_series_of(owner)
        owner.friendlies.all().delete()  # or their own bots would stay for them, without a name
        bots = forget_owner(owner)
        forget_in_log(get_user_model(), [owner.pk])
        transaction.on_commit(partial(end_sessions, owner.pk))
        for bot in bots:
            # The last co-owner may have left meanwhile.
            transaction.on_commit(partial(forget_evidence, bot, began if bot in alone else None))
        hand_over(owner)
        close_events_of(owner)
        leave_series(owner)
        owner.delete()
