"""Events that people often want to hold: what the form of a new one shows at first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext_lazy

from tournaments.models import Tournament

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

Format = Tournament.Format


@dataclass(frozen=True, slots=True)
class EventPreset:
    """An event by its name, with what it is in a sentence and the fields of the form that it fills in."""

    key: str
    title: StrOrPromise
    words: StrOrPromise
    fields: dict[str, Any]

    @property
    def initial(self) -> dict[str, Any]:
        """What the form shows at first; the name is the reader's own to change."""
        return {"name": str(self.title), **self.fields}


PRESETS: Final = (
    EventPreset(
        "cup",
        gettext_lazy("Weekend cup"),
        gettext_lazy("Groups of about four, then a knock-out with a final. Everyone can enter for a day."),
        {"format": Format.GROUPS, "advance": 2, "pairs": 5, "registration": 24 * 60},
    ),
    EventPreset(
        "swiss",
        gettext_lazy("Swiss evening"),
        gettext_lazy("A few rounds in which bots with equal scores meet. Everyone can enter for an hour."),
        {"format": Format.SWISS, "pairs": 5, "registration": 60},
    ),
    EventPreset(
        "league",
        gettext_lazy("Long league"),
        gettext_lazy("Every bot plays every other twice, over many deals. It starts at once."),
        {"format": Format.ROUND_ROBIN, "cycles": 2, "pairs": 20},
    ),
)


def find_preset(key: str) -> EventPreset | None:
    """The preset of this key; None if there is none."""
    return next((one for one in PRESETS if one.key == key), None)
