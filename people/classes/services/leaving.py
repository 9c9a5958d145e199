"""What happens to classes when an account is deleted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tournaments import events
from tournaments.models import Tournament
from tournaments.services.creation import new_join_key

if TYPE_CHECKING:
    from arena.accounts.models import User


def close_events_of(owner: User) -> None:
    """Give events that have not started, and that only the teacher's classes could enter, a join key.

    Without their class everybody could enter them. Organisers who take such an event over find the key
    on its page, and may take it away.
    """
    drafts = Tournament.objects.select_for_update(of=("self",)).filter(
        class_event__classroom__teacher=owner, status=Tournament.Status.DRAFT, join_key=""
    )
    for draft in drafts:
        Tournament.objects.filter(pk=draft.pk).update(join_key=new_join_key())
        events.changed_on_commit(draft.slug)
