"""Where a house bot would have done clearly better in a finished game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import Http404, JsonResponse
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from tournaments.domain.errors import BrokenRecord
from tournaments.selectors import luck, mistakes
from tournaments.selectors.records import find_game

if TYPE_CHECKING:
    from uuid import UUID

    from django.http import HttpRequest


@gzip_page
@require_safe
def game_mistakes(request: HttpRequest, game_id: UUID) -> JsonResponse:
    """The costliest mistakes with the planner's lines (`selectors.mistakes.found`)."""
    game = find_game(game_id)
    if game is None:
        raise Http404(f"expected a game, got {game_id!r}")
    if not luck.has_values(game):
        problem = "Only finished games of turns between two are searched for mistakes."
        return JsonResponse({"error": problem}, status=409)
    try:
        response = JsonResponse(mistakes.found(game))
    except BrokenRecord as error:
        return JsonResponse({"error": str(error)}, status=409)
    response["Cache-Control"] = "public, max-age=3600"
    return response
