"""Tells accounts that are older than the site's mail server until when they may do without an address."""

from __future__ import annotations

from typing import Final

from django.db import transaction
from django.urls import reverse
from django.utils import translation

from arena.accounts.confirmation import give_time, never_asked
from arena.notices.models import Kind
from arena.notices.sending import tell
from arena.web.i18n.readers import offer

AT_ONCE: Final = 200
"""Accounts told by one task, each in a transaction of its own; the next task goes on."""


def ask_for_addresses() -> int:
    """Give accounts that were never asked their days of grace, and tell them; how many that were."""
    told = 0
    for user in never_asked().order_by("pk")[:AT_ONCE]:
        with transaction.atomic():
            found = give_time(user)
            if found is None:
                continue
            with translation.override(offer(user.language)):
                sentence = found.sentence
            tell([user.pk], Kind.ADDRESS, "address", sentence, reverse("account_email"))
            told += 1
    return told
