"""Who organises an event beside its owner, and what each of them did."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy, pgettext_lazy

from bots.models.invitations import Invitation, TeamDeed


class Organiser(Invitation):
    """Somebody who organises an event with its owner, or was asked to.

    The owner, who founded the event, has no row. Who declined keeps theirs, so that nobody asks them again
    for the same event; they can still change their mind, until an organiser closes the invitation.
    Deleting an account deletes its rows.
    """

    class Status(models.TextChoices):
        """What they said."""

        INVITED = "invited", pgettext_lazy("organiser", "Invited")
        ACCEPTED = "accepted", pgettext_lazy("organiser", "Organises")
        DECLINED = "declined", pgettext_lazy("organiser", "Declined")
        CLOSED = "closed", pgettext_lazy("organiser", "Invitation closed")

    tournament = models.ForeignKey(
        "tournaments.Tournament", on_delete=models.CASCADE, related_name="organisers"
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="events_together"
    )
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.INVITED)

    class Meta(Invitation.Meta):
        """Once each; those who organise longest come first."""

        constraints = (models.UniqueConstraint(fields=["tournament", "user"], name="organiser_once"),)

    def __str__(self) -> str:
        return f"{self.user}: {self.get_status_display()}"


class Deed(TeamDeed):
    """What an organiser did with an event, for the other organisers; `version` is which entrant.

    `changes` are the columns that were changed before the start, each with its value before and after; of
    texts without the values, as moderators may hide one.
    """

    class What(models.TextChoices):
        """What was done."""

        EDITED = "edited", gettext_lazy("changed the event")
        STARTED = "started", gettext_lazy("started the event")
        PAUSED = "paused", gettext_lazy("paused the event")
        RESUMED = "resumed", gettext_lazy("resumed the event")
        CANCELLED = "cancelled", gettext_lazy("cancelled the event")
        ANNOUNCED = "announced", gettext_lazy("posted an announcement")
        TOOK_BACK = "took-back", gettext_lazy("took an announcement back")
        NEW_KEY = "new-key", gettext_lazy("replaced the join key")
        REVEALED = "revealed", gettext_lazy("revealed results")
        VOIDED = "voided", gettext_lazy("voided a pair")
        TOOK_OUT = "took-out", gettext_lazy("took a bot out of the event")
        INVITED = "invited", gettext_lazy("invited another organiser")
        UNINVITED = "uninvited", gettext_lazy("took an invitation back")
        JOINED = "joined", gettext_lazy("now organises the event, too")
        DECLINED = "declined", gettext_lazy("declined to organise the event")
        LEFT = "left", gettext_lazy("no longer organises the event")
        REMOVED = "removed", gettext_lazy("removed an organiser")
        INHERITED = "inherited", gettext_lazy("took over the event from its founder, whose account is gone")

    tournament = models.ForeignKey("tournaments.Tournament", on_delete=models.CASCADE, related_name="deeds")
    what = models.CharField(max_length=10, choices=What.choices)
    changes = models.JSONField(blank=True, default=dict, db_default={})

    class Meta(TeamDeed.Meta):
        """Newest first; an account's invitations are counted."""

        indexes = (
            models.Index(fields=["tournament", "-at"], name="deed_newest"),
            models.Index(fields=["actor", "what", "at"], name="deed_actor"),
        )

    def __str__(self) -> str:
        return f"{self.actor_id} {self.what} {self.tournament_id}"
