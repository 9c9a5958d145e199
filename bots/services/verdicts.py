"""The verdict on an upload: it is accepted if it passed on any board."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext_lazy

from arena.common.phrases import filled
from bots.models import Bot, CheckReport, Status, Version
from notices.models import Kind
from notices.services import tell

from .following import note_release
from .trials import TrialReport, store_trials

if TYPE_CHECKING:
    from collections.abc import Sequence


ACCEPTED: Final = gettext_lazy("%(version)s is accepted.")
REJECTED: Final = gettext_lazy("%(version)s is rejected.")


@transaction.atomic
def record_check(version: Version, reports: Sequence[TrialReport], log: str) -> bool:
    """Store the verdict. Return False if there already was one, which stands.

    Another worker may have given it, or the owner has left while the check was going on.

    A version that passed any of its trials is accepted, and becomes the active one if its author wished so
    and no newer one is active.
    """
    accepted = any(one.passed for one in reports)
    unchecked = Version.objects.filter(pk=version.pk, status__in=[Status.UPLOADED, Status.CHECKING])
    status = Status.ACCEPTED if accepted else Status.REJECTED
    if not unchecked.update(status=status):
        return False
    record = next((one.record for one in reports if one.record), None)
    CheckReport.objects.create(version=version, accepted=accepted, log=log, record=record)
    store_trials(version, [one.without_record() if one.record is record else one for one in reports])
    version.refresh_from_db(fields=["status"])
    tell(
        version.bot.owner_keys,
        Kind.CHECKED,
        f"check {version.pk}",
        filled(ACCEPTED if accepted else REJECTED, version=version),
        version.get_absolute_url(),
    )
    if accepted and version.activate_when_accepted:
        older = Q(active_version=None) | Q(active_version__number__lt=version.number)
        if Bot.objects.filter(older, pk=version.bot_id).update(active_version=version):
            note_release(version)
    return True
