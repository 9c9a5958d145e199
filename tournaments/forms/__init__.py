"""Forms of the competition. They parse input; the services decide."""

from tournaments.forms.games import GamesFilter
from tournaments.forms.sequential import SequentialTestForm
from tournaments.forms.tournaments import NewTournamentForm

__all__ = ["GamesFilter", "NewTournamentForm", "SequentialTestForm"]
