"""Fields that several forms of the competition share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import forms

import engine

if TYPE_CHECKING:
    from bots.models import Version

    class VersionsBase(forms.ModelMultipleChoiceField[Version]): ...

    class VersionBase(forms.ModelChoiceField[Version]): ...

else:
    VersionsBase = forms.ModelMultipleChoiceField
    VersionBase = forms.ModelChoiceField


def version_label(version: Version) -> str:
    """``Greedy v1 (house)``; says so if it plays games of turns only."""
    owner = "house" if version.bot.is_house else version.bot.owner or "no owner"
    without = "" if version.plays_ticks else f"; not in {engine.VARIANTS['vitesse'].title}"
    return f"{version.bot.name} v{version.number} ({owner}{without})"


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
