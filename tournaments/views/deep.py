"""A finished game judged by oracle: what takes minutes of a core, so only for those who ask for it."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

from django.http import Http404, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from arena.web.http.refusals import refusal
from tournaments.models import Game
from tournaments.selectors.records import find_game
from tournaments.services.questions import requests
from tournaments.services.questions.question_types import deep
from tournaments.services.questions.responses import Thought, thoughtful, told_as_json

if TYPE_CHECKING:
    from uuid import UUID

    from django.http import HttpRequest


@gzip_page
@require_safe
@thoughtful
def game_deep(request: HttpRequest, game_id: UUID) -> HttpResponse | Thought:
    """Oracle's judgement of a game (`services.analyses.deep`), worked out only if the query says `ask`.

    Without it the answer is 204 if nobody asked yet. While it is worked on, the answer is 202 with `progress`
    in per cent, and `ahead`, how many games come before it.
    """
    game = find_game(game_id)
    if game is None:
        raise Http404(f"expected a game, got {game_id!r}")
    if game.status != Game.Status.FINISHED:
        return refusal("not-finished", _("Oracle judges only finished games."), 409)
    question = deep(game)
    if request.GET.get("ask") != "1":
        row = requests.find(question)
        if row is None:
            return HttpResponse(status=204)
        return told_as_json(zlib.decompress(bytes(row.answer or b"")))
    # Another site's page could make its visitors ask for one game after the other.
    if request.headers.get("Sec-Fetch-Site", "same-origin") not in {"same-origin", "none"}:
        return refusal("cross-site", _("Ask on the game’s page."), 403)
    return Thought(question)
