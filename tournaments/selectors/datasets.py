"""Files of public data that are there for download."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import F, OuterRef, Subquery

from tournaments.models import Dataset, DatasetPart

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.db.models import QuerySet


def newest() -> QuerySet[Dataset]:
    """The newest file of each name."""
    same = Dataset.objects.filter(name=OuterRef("name")).order_by("-made_at", "-pk").values("pk")
    return Dataset.objects.annotate(last=Subquery(same[:1])).filter(pk=F("last")).order_by("name")


def find(name: str) -> Dataset | None:
    """The newest file of a name."""
    return newest().filter(name=name).first()


def parts(dataset: Dataset) -> Iterator[bytes]:
    """The bytes of a file, piece by piece."""
    numbers = DatasetPart.objects.filter(dataset=dataset).order_by("number").values_list("number", flat=True)
    for number in list(numbers):
        yield bytes(DatasetPart.objects.values_list("data", flat=True).get(dataset=dataset, number=number))
