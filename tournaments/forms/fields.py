"""Fields that several forms of the competition share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import forms
from django.utils.translation import gettext

if TYPE_CHECKING:
    from bots.models import Version

    class VersionsBase(forms.ModelMultipleChoiceField[Version]): ...

    class VersionBase(forms.ModelChoiceField[Version]): ...

else:
    VersionsBase = forms.ModelMultipleChoiceField
    VersionBase = forms.ModelChoiceField


def version_label(version: Version) -> str:
    """``Greedy v1 (house)``."""
    owner = gettext("house") if version.bot.is_house else version.bot.owner or gettext("no owner")
    return f"{version.bot.name} v{version.number} ({owner})"


class EntrantsField(VersionsBase):
    """Versions by the bot's name."""

    def label_from_instance(self, version: Version) -> str:
        """``Greedy v1 (house)``."""
        return version_label(version)


class VersionField(VersionBase):
    """A version by the bot's name."""

    def label_from_instance(self, version: Version) -> str:
        """``Greedy v1 (house)``."""
        return version_label(version)
