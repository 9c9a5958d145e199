"""The database tables of tournaments, one concept per file.

In reading order: a `Tournament` has `Entry` rows. A planner makes `Pairing` rows of them, each with several
`Pair`s. A pair is one deal, played as one `Game` for each seating, with its `Seat`s. An `Attempt` plays a
game; its `EventBatch` rows stream it; one `Result` and one `Record` complete it. `Rating` is computed from
accepted pairs. An `Analysis` is a question that needs a search, with its answer.
"""

from tournaments.models.alarm import Alarm
from tournaments.models.analysis import Analysis
from tournaments.models.attempt import Attempt
from tournaments.models.entry import Entry
from tournaments.models.event_batch import EventBatch
from tournaments.models.evidence import Evidence
from tournaments.models.game import Game
from tournaments.models.game_luck import GameLuck, LaterLuck, Likeness
from tournaments.models.integrity import AccountLink, RatingAnchor, VoidRequest
from tournaments.models.likeness import NearTwin, ProbeAnswers, ProbeSet
from tournaments.models.pair import Pair
from tournaments.models.pairing import Pairing
from tournaments.models.rating import Rating
from tournaments.models.rating_inputs import RatingInputs
from tournaments.models.rating_point import RatingPoint
from tournaments.models.rating_state import RatingState
from tournaments.models.record import Record
from tournaments.models.result import Result
from tournaments.models.seat import Seat
from tournaments.models.tournament import Tournament

__all__ = [
    "AccountLink",
    "Alarm",
    "Analysis",
    "Attempt",
    "Entry",
    "EventBatch",
    "Evidence",
    "Game",
    "GameLuck",
    "LaterLuck",
    "Likeness",
    "NearTwin",
    "Pair",
    "Pairing",
    "ProbeAnswers",
    "ProbeSet",
    "Rating",
    "RatingAnchor",
    "RatingInputs",
    "RatingPoint",
    "RatingState",
    "Record",
    "Result",
    "Seat",
    "Tournament",
    "VoidRequest",
]
