"""Files beside the database: public data packed for download, and the archive of old games' records."""

from __future__ import annotations

from django.db import models


class Dataset(models.Model):
    """One file with a table of public data as it was at `made_at`; its bytes are the `DatasetPart` rows.

    `name` is that of the file without its ending. A newer row of the same name takes its place; the one
    before stays until there is another, for whoever is downloading it.
    """

    name = models.CharField(max_length=40)
    made_at = models.DateTimeField()
    rows = models.PositiveBigIntegerField()
    size = models.PositiveBigIntegerField(help_text="In bytes.")
    sha256 = models.CharField(max_length=64)

    class Meta:
        """The newest of each name is the one to download."""

        ordering = ("name", "-made_at")
        indexes = (models.Index(fields=["name", "-made_at"], name="dataset_newest"),)

    def __str__(self) -> str:
        return f"{self.name} of {self.made_at:%Y-%m-%d}"


class DatasetPart(models.Model):
    """A piece of a file, at most a megabyte; in the order of `number`, from 0."""

    dataset = models.ForeignKey(Dataset, on_delete=models.CASCADE, related_name="parts")
    number = models.PositiveIntegerField()
    data = models.BinaryField()

    class Meta:
        """Each piece once."""

        ordering = ("dataset", "number")
        constraints = (models.UniqueConstraint(fields=["dataset", "number"], name="dataset_part_once"),)

    def __str__(self) -> str:
        return f"part {self.number}"


class RecordArchive(models.Model):
    """A ZIP file with the records of games that finished in one month (UTC).

    `name` is its key in the storage (`arena.web.storage.archives`). While it is being written, `sealed_at` is
    null and no record points to it. Once it is sealed it never changes, and `sha256` is the hash of all its
    bytes.
    """

    name = models.CharField(max_length=100, unique=True)
    month = models.CharField(max_length=7)
    begun_at = models.DateTimeField(auto_now_add=True)
    sealed_at = models.DateTimeField(null=True, blank=True)
    games = models.PositiveIntegerField(default=0)
    bytes = models.PositiveBigIntegerField(default=0)
    sha256 = models.CharField(max_length=64, blank=True)

    class Meta:
        """By month, oldest first."""

        ordering = ("month", "id")

    def __str__(self) -> str:
        return self.name
