"""The heartbeat: a row that a worker renews, so that /health can tell a living queue from a dead one."""

from django.db import models


class Heartbeat(models.Model):
    """When a task of this name last went from beat through the broker to a worker and into the database."""

    name = models.CharField(max_length=64, primary_key=True)
    beaten_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.name} at {self.beaten_at:%Y-%m-%d %H:%M:%S}"
