"""Ends sessions."""

from __future__ import annotations

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.models import Session


def end_sessions(user_id: int) -> int:
    """Delete every session of a user, on any device, and return how many there were.

    A session names its user only inside what it stores, so all of them are read.
    """
    own = [
        session.pk
        for session in Session.objects.iterator()
        if session.get_decoded().get(SESSION_KEY) == str(user_id)
    ]
    Session.objects.filter(pk__in=own).delete()
    return len(own)
