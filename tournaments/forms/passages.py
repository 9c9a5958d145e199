"""From where to where a passage of a game goes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.translation import gettext_lazy

from tournaments.services.questions.passage_limits import NoPassage, Passage, length, passage

if TYPE_CHECKING:
    from tournaments.models import Game


class PassageForm(forms.Form):
    """A passage by its first and its last ply, or tick. After `is_valid`, `passage` is it."""

    first = forms.IntegerField(label=gettext_lazy("From ply"), min_value=0)
    last = forms.IntegerField(label=gettext_lazy("To ply"), min_value=0)

    def __init__(self, *args: Any, game: Game, ticks: bool, **kwargs: Any) -> None:
        """Raises NoPassage while the game is not over."""
        super().__init__(*args, **kwargs)
        self._game = game
        self.passage: Passage | None = None
        if ticks:
            self.fields["first"].label = gettext_lazy("From tick")
            self.fields["last"].label = gettext_lazy("To tick")
        for name in ("first", "last"):
            self.fields[name].widget.attrs |= {"max": length(game), "inputmode": "numeric"}

    def clean(self) -> dict[str, Any]:
        """Find the passage."""
        data: dict[str, Any] = self.cleaned_data
        if {"first", "last"} <= data.keys():
            try:
                self.passage = passage(self._game, data["first"], data["last"])
            except NoPassage as refused:
                raise forms.ValidationError(str(refused), refused.code) from refused
        return data
