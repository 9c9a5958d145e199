"""How far the ratings of a variant have got."""

from django.db import models


class RatingState(models.Model):
    """Counts of changes to a variant's accepted pairs: `requested` happened, `computed` are in the ratings.

    `scheduled_at` is when the next computation was asked for, so that a burst of pairs asks once.
    """

    variant = models.CharField(max_length=32, primary_key=True)
    requested = models.PositiveBigIntegerField(default=0)
    computed = models.PositiveBigIntegerField(default=0)
    scheduled_at = models.DateTimeField(null=True, blank=True)
    computed_at = models.DateTimeField(null=True, blank=True)
    audited_at = models.DateTimeField(null=True, blank=True)
    audit = models.JSONField(default=dict, blank=True)

    def __str__(self) -> str:
        return self.variant
