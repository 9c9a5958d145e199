"""The form that starts a sequential test."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.db.models import Count
from django.utils.translation import gettext_lazy, pgettext_lazy

from analysis.sequential_standing import ELO, MOST_PAIRS, RISK
from analysis.verdicts.sequential import MARGINS, RESULTS, WINS
from analysis.verdicts.sprt import Hypotheses
from arena.web import variants
from bots.models import Bot
from tournaments.events.creation import MOST_TEST_PAIRS, enterable
from tournaments.pages.creation.fields import VersionField

if TYPE_CHECKING:
    from arena.accounts.models import User


class SequentialTestForm(forms.Form):
    """Two versions, two hypotheses, and what ends the test."""

    tested = VersionField(
        queryset=None,
        label=gettext_lazy("New version"),
        empty_label=None,
        help_text=gettext_lazy("The version you hope is better."),
    )
    against = VersionField(
        queryset=None,
        label=gettext_lazy("Compared with"),
        empty_label=None,
        help_text=gettext_lazy("Usually the active version."),
    )
    variant = forms.ChoiceField(label=pgettext_lazy("kind of game", "Game"))
    elo0 = forms.FloatField(
        min_value=ELO[0],
        max_value=ELO[1],
        initial=0,
        label=gettext_lazy("Lower bound"),
        help_text=gettext_lazy("If it is only this much better, the test should reject it."),
    )
    elo1 = forms.FloatField(
        min_value=ELO[0],
        max_value=ELO[1],
        initial=20,
        label=gettext_lazy("Upper bound"),
        help_text=gettext_lazy("If it is this much better, the test should accept it."),
    )
    unit = forms.ChoiceField(
        choices=(("elo", gettext_lazy("Elo")), ("normalised", gettext_lazy("Normalised Elo"))),
        initial="elo",
        required=False,
        label=gettext_lazy("Bounds in"),
        help_text=gettext_lazy(
            "Normalised Elo counts in standard deviations, as fishtest does, so a test takes no longer "
            "in a drawish game. Between equal bots that never draw, both units are the same."
        ),
    )
    stop_by = forms.ChoiceField(
        choices=(
            (WINS, gettext_lazy("Wins")),
            (RESULTS, gettext_lazy("Wins, luck-adjusted")),
            (MARGINS, gettext_lazy("Margins, luck-adjusted")),
        ),
        initial=WINS,
        required=False,
        label=gettext_lazy("What ends the test"),
        help_text=gettext_lazy(
            "Luck-adjusted wins answer the same question with fewer games. Margins need the fewest, "
            "but they are not wins: a bot can lead on margins without winning more games. The page shows all "
            "three."
        ),
    )
    risk = forms.FloatField(
        min_value=RISK[0],
        max_value=RISK[1],
        initial=0.05,
        label=gettext_lazy("Risk"),
        help_text=gettext_lazy(
            "The chance of a wrong decision, either way. A smaller risk takes more games."
        ),
    )
    pairs = forms.IntegerField(
        min_value=1,
        max_value=MOST_TEST_PAIRS,
        initial=MOST_PAIRS,
        label=gettext_lazy("At most this many pairs"),
        help_text=gettext_lazy("After that, the test ends undecided."),
    )
    promote = forms.BooleanField(
        required=False, label=gettext_lazy("If the new version is accepted, activate it")
    )

    def __init__(self, user: User, *args: Any, bot: Bot | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["variant"].choices = variants.CHOICES  # type: ignore[attr-defined]
        found = enterable(user).order_by("-bot__is_house", "bot__name", "-number")
        for name in ("tested", "against"):
            self.fields[name].queryset = found  # type: ignore[attr-defined]
        if bot is None:  # the one of their bots that has most to be compared
            several = found.filter(bot__in=Bot.objects.of(user)).values_list("bot", flat=True).order_by("bot")
            many = several.annotate(count=Count("pk")).order_by("-count", "-bot").first()
            bot = None if many is None else Bot.objects.get(pk=many)
        if bot is None:
            for name in ("tested", "against"):
                self.fields[name].empty_label = pgettext_lazy("no bot", "none")  # type: ignore[attr-defined]
        else:
            own = found.filter(bot=bot)
            newest = own.first()
            earlier = [version for version in own if version != newest]
            active = next((one for one in earlier if one.pk == bot.active_version_id), None)
            self.initial.update(tested=newest, against=active or next(iter(earlier), None))

    def usual(self) -> list[forms.BoundField]:
        """What has to be chosen."""
        return [self[name] for name in ("tested", "against", "variant")]

    def details(self) -> list[forms.BoundField]:
        """What can stay as it is."""
        return [self[name] for name in self.fields if name not in ("tested", "against", "variant")]

    @property
    def hypotheses(self) -> Hypotheses:
        """The hypotheses of a valid form."""
        data = self.cleaned_data
        normalised = data["unit"] == "normalised"
        return Hypotheses(data["elo0"], data["elo1"], data["risk"], data["risk"], normalised)
