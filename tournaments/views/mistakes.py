"""Where a house bot would have done clearly better in a finished game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import Http404, HttpResponse
from django.utils.translation import gettext
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from arena.web.http.refusals import refusal
from tournaments.selectors import luck
from tournaments.selectors.records import find_game
from tournaments.services.questions.question_types import mistakes
from tournaments.services.questions.responses import Thought, thoughtful, told_to_all

if TYPE_CHECKING:
    from uuid import UUID

    from django.http import HttpRequest


@gzip_page
@require_safe
@thoughtful
def game_mistakes(request: HttpRequest, game_id: UUID) -> HttpResponse | Thought:
    """The costliest mistakes with the planner's lines (`services.analyses.mistakes`)."""
    game = find_game(game_id)
    if game is None:
        raise Http404(f"expected a game, got {game_id!r}")
    if not luck.has_values(game):
        problem = gettext("Only finished two-player games played in turns are searched for mistakes.")
        return refusal("no-values", problem, 409)
    return Thought(mistakes(game), told_to_all)
