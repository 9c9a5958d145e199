"""A person's games as rows of a list."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_lazy

from arena.web.i18n.reasons import TERMINATIONS
from arena.web.variants import variant_title
from bots.house import LEVELS
from friendlies.tables.new_games import levels
from friendlies.tables.state import opponent_name, person_name

if TYPE_CHECKING:
    from datetime import datetime

    from friendlies.models import Friendly

YOUR_TURN = {"person": gettext_lazy("your move"), "window": gettext_lazy("call stop or continue")}
BOTS_MOVE = gettext_lazy("the bot’s move")
OUTCOMES = (gettext_lazy("won"), gettext_lazy("lost"), gettext_lazy("drawn"))
"""What pages say of `outcome`: marked here, and looked up in the template that shows it."""


@dataclass(frozen=True, slots=True)
class FriendlyRow:
    """One game of a person; ``outcome`` and ``left`` (cards of the person and of the bot) once it is over.
    ``opponent`` is the bot with its level."""

    id: str
    url: str
    variant: str
    person: str
    bot: str
    opponent: str
    version: int
    status: str
    outcome: str
    reason: str
    left: str
    plies: int | None
    hints: int
    when: datetime
    duplicate: bool
    rated: bool
    level: int | None
    """How strong the bot played, if it plays at levels."""

    @property
    def next_level(self) -> int | None:
        """The level to play once this one is beaten; None if there is no stronger one."""
        return self.level + 1 if self.level is not None and self.level < len(LEVELS) else None

    @property
    def label(self) -> str:
        """Who plays whom."""
        return f"{self.person} – {self.opponent}"


def row(game: Friendly) -> FriendlyRow:
    """A game as a row."""
    result = game.result or {}
    return FriendlyRow(
        id=str(game.pk),
        url=game.get_absolute_url(),
        variant=variant_title(game.variant),
        person=person_name(game),
        bot=game.version.bot.name,
        opponent=opponent_name(game),
        version=game.version.number,
        status=str(YOUR_TURN.get(game.awaits, BOTS_MOVE)),
        outcome=outcome(result, game.seat) if result else "",
        reason=str(TERMINATIONS.get(result["termination"], result["termination"])) if result else "",
        left=f"{result['left'][game.seat]} – {result['left'][1 - game.seat]}" if result else "",
        plies=result.get("plies"),
        hints=game.hints,
        when=game.finished_at or game.acted_at,
        duplicate=game.pair_id is not None,
        rated=game.rated,
        level=game.level or (len(LEVELS) if levels(game.version) else None),
    )


def outcome(result: dict[str, Any], seat: int) -> str:
    """``won``, ``lost`` or ``drawn``, as a seat sees a result."""
    if len(result["ranking"]) == 1:
        return "drawn"
    return "won" if result["ranking"][0] == [seat] else "lost"
