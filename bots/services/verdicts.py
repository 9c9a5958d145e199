"""The verdict on an upload: on which boards it passed, and where it plays from now on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext_lazy

from arena.notices.models import Kind
from arena.notices.services import tell
from arena.web.i18n.phrases import filled
from bots.models import PLAYABLE, CheckReport, Status, Trial, Version

from .activation import choose_active
from .following import note_release
from .locks import lock_with_owners
from .trials import TrialReport, status_of, store_trials

if TYPE_CHECKING:
    from collections.abc import Sequence


NOTICES: Final = {
    Status.ACCEPTED: gettext_lazy("%(version)s is accepted."),
    Status.PARTLY: gettext_lazy(
        "%(version)s is partly accepted: it failed on %(failed)s of %(tried)s boards."
    ),
    Status.REJECTED: gettext_lazy("%(version)s is rejected."),
}


@transaction.atomic
def record_check(version: Version, reports: Sequence[TrialReport], log: str) -> bool:
    """Store the verdict. Return False if there already was one, which stands.

    Another worker may have given it, or the owner has left while the check was going on.

    A version that passed on some board may play there, and does so if its author wished it and none that was
    activated after its upload passed there, too. The boards on which it did not pass keep the version they
    have.
    """
    bot = lock_with_owners(version.bot_id)
    status = status_of(one.verdict for one in reports)
    unchecked = Version.objects.filter(pk=version.pk, status__in=[Status.UPLOADED, Status.CHECKING])
    if bot is None or not unchecked.update(status=status):
        return False
    record = next((one.record for one in reports if one.record), None)
    CheckReport.objects.create(version=version, accepted=status in PLAYABLE, log=log, record=record)
    store_trials(version, [one.without_record() if one.record is record else one for one in reports])
    version.refresh_from_db(fields=["status"])
    failed = [one for one in reports if one.verdict == Trial.Verdict.FAILED]
    tell(
        bot.owner_keys,
        Kind.CHECKED,
        f"check {version.pk}",
        filled(NOTICES[status], version=version, failed=len(failed), tried=len(reports)),
        version.get_absolute_url(),
    )
    if status in PLAYABLE and version.activate_when_accepted:
        Version.objects.filter(pk=version.pk).update(activated_at=F("created_at"))
        choose_active(version.bot_id)
        if version.active_on.exists():
            note_release(version)
    return True
