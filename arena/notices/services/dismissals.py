"""Site notices that somebody does not want to see again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.notices.models import Dismissal

if TYPE_CHECKING:
    from arena.accounts.models import User
    from arena.notices.models import SiteNotice


def dismiss(user: User, notice: SiteNotice) -> None:
    """Show a site notice to this user no more, on any device. Twice is once."""
    Dismissal.objects.bulk_create([Dismissal(user=user, notice=notice)], ignore_conflicts=True)
