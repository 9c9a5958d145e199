"""The public ledger: what was lost, repeated or voided, and whether the audit agrees."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.core.cache import cache
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from tournaments.selectors import audit

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

KEPT_SECONDS = 60
"""How long counts over all games ever played are shown before they are counted again."""


@require_safe
def ledger(request: HttpRequest) -> HttpResponse:
    """The ledger's counts with the moment they were counted, each variant's audit, and what was voided."""
    counted = cache.get_or_set("ledger", lambda: (audit.ledger(), timezone.now()), KEPT_SECONDS)
    counts, at = counted if counted is not None else (audit.ledger(), timezone.now())
    context = {
        "counts": counts,
        "counted_at": at,
        "audits": audit.variant_audits(),
        "voided": audit.voided_pairs(),
        "failed": audit.failed_attempts(),
    }
    return render(request, "audit.html", context)


@require_safe
def integrity(request: HttpRequest) -> HttpResponse:
    """What the night's audit found suspicious in the ratings, and what owners asked to have voided."""
    context = {
        "audits": audit.variant_audits(),
        "requests": audit.void_requests(),
        "migrated": audit.migrated_events(),
    }
    return render(request, "integrity.html", context)
