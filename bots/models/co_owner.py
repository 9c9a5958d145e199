"""People who run a bot or an event together: invitations, what each of them did, and the owners of a bot."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy, pgettext_lazy


class Invitation(models.Model):
    """Somebody who was asked to run something with others, and what they said; the `status` says which."""

    invited_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    invited_at = models.DateTimeField(default=timezone.now)
    answered_at = models.DateTimeField(null=True)

    class Meta:
        """Those who joined first come first."""

        abstract = True
        ordering = ("answered_at", "pk")


class TeamAuditEntry(models.Model):
    """What one of several people did with what they run together, for the others.

    `actor` is null if their account is gone; `person` is whom it was about, `version` which upload. It has no
    words of its own, so that names follow what accounts and bots are called.
    """

    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    version = models.ForeignKey("bots.Version", null=True, on_delete=models.SET_NULL, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        """Newest first."""

        abstract = True
        ordering = ("-at", "-pk")
        verbose_name, verbose_name_plural = "audit entry", "audit log"


class CoOwner(Invitation):
    """Somebody who owns a bot with its owner, did so once, or was asked to.

    The owner has no row. Who declined keeps theirs, so that nobody asks them again for the same bot; they can
    still change their mind, until the owner closes the invitation. Whoever owned the bot once keeps theirs,
    too (`joined_at`): in the ratings a bot counts as its former owners', so that leaving buys nothing.
    `offered_at` is set while the owner offers them the bot. Deleting an account deletes its rows.
    """

    class Status(models.TextChoices):
        """What they said."""

        INVITED = "invited", pgettext_lazy("co-owner", "Invited")
        ACCEPTED = "accepted", pgettext_lazy("co-owner", "Co-owner")
        DECLINED = "declined", pgettext_lazy("co-owner", "Declined")
        CLOSED = "closed", pgettext_lazy("co-owner", "Invitation closed")
        LEFT = "left", pgettext_lazy("co-owner", "Left")

    bot = models.ForeignKey("bots.Bot", on_delete=models.CASCADE, related_name="co_owners")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.INVITED)
    joined_at = models.DateTimeField(null=True)
    offered_at = models.DateTimeField(null=True)

    class Meta(Invitation.Meta):
        """Once each; those who have been co-owners longest come first. A bot is offered to one at a time."""

        constraints = (
            models.UniqueConstraint(fields=["bot", "user"], name="bots_co_owner_once"),
            models.UniqueConstraint(
                fields=["bot"], condition=models.Q(offered_at__isnull=False), name="bots_one_offer"
            ),
        )

    def __str__(self) -> str:
        return f"{self.user}: {self.get_status_display()}"


class SharedPast(models.Model):
    """Two bots that had an owner in common whose account is gone.

    In the ratings they stay one author's, so that nothing is gained by deleting an account.
    """

    one = models.ForeignKey("bots.Bot", on_delete=models.CASCADE, related_name="+")
    other = models.ForeignKey("bots.Bot", on_delete=models.CASCADE, related_name="+")

    class Meta:
        """Once for each two."""

        constraints = (models.UniqueConstraint(fields=["one", "other"], name="bots_shared_past_once"),)

    def __str__(self) -> str:
        return f"{self.one_id} and {self.other_id}"


class BotAuditEntry(TeamAuditEntry):
    """What one of its owners did with a bot, for all of them."""

    class What(models.TextChoices):
        """What was done."""

        CREATED = "created", gettext_lazy("created the bot")
        UPLOADED = "uploaded", gettext_lazy("uploaded a version")
        ACTIVATED = "activated", gettext_lazy("made a version the active one")
        DEACTIVATED = "retired", gettext_lazy("deactivated a version")
        RECHECKED = "rechecked", gettext_lazy("asked for a new check")
        EDITED = "edited", gettext_lazy("changed the bot’s settings")
        TERMS = "terms", gettext_lazy("changed how the bot takes challenges")
        WITHDREW = "withdrew", gettext_lazy("withdrew the bot")
        RESTORED = "restored", gettext_lazy("restored the bot")
        INVITED = "invited", gettext_lazy("invited a co-owner")
        UNINVITED = "uninvited", pgettext_lazy("co-owner", "took an invitation back")
        JOINED = "joined", gettext_lazy("is now a co-owner")
        DECLINED = "declined", gettext_lazy("declined to be a co-owner")
        LEFT = "left", gettext_lazy("is no longer a co-owner")
        REMOVED = "removed", gettext_lazy("removed a co-owner")
        OFFERED = "offered", gettext_lazy("offered the bot to a co-owner")
        KEPT = "kept", gettext_lazy("took the offer of the bot back")
        REFUSED = "refused", gettext_lazy("declined to take the bot over")
        TOOK_OVER = "took-over", gettext_lazy("took the bot over")
        INHERITED = "inherited", gettext_lazy("took the bot over from its owner, whose account is gone")

    bot = models.ForeignKey("bots.Bot", on_delete=models.CASCADE, related_name="audit_log")
    what = models.CharField(max_length=10, choices=What.choices)

    class Meta(TeamAuditEntry.Meta):
        """Newest first; an account's invitations are counted."""

        db_table = "bots_botdeed"
        indexes = (
            models.Index(fields=["bot", "-at"], name="bot_deed_newest"),
            models.Index(fields=["actor", "what", "at"], name="bot_deed_actor"),
        )

    def __str__(self) -> str:
        return f"{self.actor_id} {self.what} {self.bot_id}"


def prefetch_co_owners(way: str = "") -> models.Prefetch[str]:
    """Reads at once who owns each of many bots beside its owner; ``way`` leads to the bots."""
    accepted = CoOwner.objects.filter(status=CoOwner.Status.ACCEPTED).select_related("user")
    return models.Prefetch(f"{way}co_owners", accepted, to_attr="co_owner_rows")
