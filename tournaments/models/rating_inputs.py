"""What the stored ratings of a board were computed from."""

from django.db import models


class RatingInputs(models.Model):
    """Everything that decided a board's ratings, written together with them.

    Pairs accepted since are not in it, so that ratings and inputs agree at every moment. `data` is packed by
    `analysis.ratings.inputs`; so is `covariance`, that of the ratings of versions in play, for the ladder.
    """

    board = models.CharField(max_length=32, primary_key=True)
    data = models.BinaryField()
    covariance = models.BinaryField(default=b"")
    computed_at = models.DateTimeField()

    class Meta:
        """Named as a plural already."""

        verbose_name_plural = "rating inputs"

    def __str__(self) -> str:
        return self.board
