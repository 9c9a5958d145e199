"""What organisers and operators do with series and seasons."""

from tournaments.series.services.closure import close_season, open_season
from tournaments.series.services.creation import RuleWish, change_rule, change_texts, create, delete
from tournaments.series.services.events import add_event, move_event, remove_event
from tournaments.series.services.ladders import close_ladder_season

__all__ = [
    "RuleWish",
    "add_event",
    "change_rule",
    "change_texts",
    "close_ladder_season",
    "close_season",
    "create",
    "delete",
    "move_event",
    "open_season",
    "remove_event",
]
