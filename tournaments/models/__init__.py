"""The database tables of tournaments, one concept per file.

In reading order: a `Tournament` has `Entry` rows. A planner makes `Pairing` rows of them, each with several
`Pair`s. A pair is one deal, played as one `Game` for each seating, with its `Seat`s. An `Attempt` plays a
game; its `EventBatch` rows stream it; one `Result` and one `Record` complete it. `Rating` is computed from
accepted pairs. An `Analysis` is a question that needs a search, with its answer. A `Dataset` is a file of
public data. A `RecordArchive` is a file to which records of old games have moved.
"""

from arena.web.models import Alarm
from tournaments.models.analysis import Analysis
from tournaments.models.embargo import HiddenResults
from tournaments.models.game import (
    Attempt,
    EventBatch,
    Evidence,
    Game,
    GameLuck,
    LaterLuck,
    PolicyTally,
    Record,
    Result,
    Seat,
    SolvedEnding,
)
from tournaments.models.rating import (
    AccountLink,
    Lead,
    NearTwin,
    ProbeAnswers,
    ProbeSet,
    Rating,
    RatingAnchor,
    RatingInputs,
    RatingPoint,
    RatingState,
    VoidRequest,
)
from tournaments.models.stored_files import Dataset, DatasetPart, RecordArchive
from tournaments.models.tournament import (
    Announcement,
    AuditEntry,
    Entry,
    Organiser,
    Pair,
    Pairing,
    Tournament,
)

__all__ = [
    "AccountLink",
    "Alarm",
    "Analysis",
    "Announcement",
    "Attempt",
    "AuditEntry",
    "Dataset",
    "DatasetPart",
    "Entry",
    "EventBatch",
    "Evidence",
    "Game",
    "GameLuck",
    "HiddenResults",
    "LaterLuck",
    "Lead",
    "NearTwin",
    "Organiser",
    "Pair",
    "Pairing",
    "PolicyTally",
    "ProbeAnswers",
    "ProbeSet",
    "Rating",
    "RatingAnchor",
    "RatingInputs",
    "RatingPoint",
    "RatingState",
    "Record",
    "RecordArchive",
    "Result",
    "Seat",
    "SolvedEnding",
    "Tournament",
    "VoidRequest",
]
