"""How likely each seat was to win, all through a finished game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import Http404, JsonResponse
from django.views.decorators.http import require_safe

from tournaments.domain.errors import BrokenRecord
from tournaments.selectors import luck
from tournaments.selectors.records import find_game

if TYPE_CHECKING:
    from uuid import UUID

    from django.http import HttpRequest


@require_safe
def game_values(request: HttpRequest, game_id: UUID) -> JsonResponse:
    """The expected result after every event, and what of its changes was luck (`selectors.luck.values`)."""
    game = find_game(game_id)
    if game is None:
        raise Http404(f"expected a game, got {game_id!r}")
    if not luck.has_values(game):
        return JsonResponse({"error": "Only finished games of turns between two have values."}, status=409)
    try:
        response = JsonResponse(luck.values(game), json_dumps_params={"separators": (",", ":")})
    except BrokenRecord as error:
        return JsonResponse({"error": str(error)}, status=409)
    response["Cache-Control"] = "public, max-age=3600"
    return response
