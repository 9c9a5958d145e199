"""Forms of the competition: read at the edge, decided by the services."""

from tournaments.forms.sequential import SequentialTestForm
from tournaments.forms.tournaments import NewTournamentForm

__all__ = ["NewTournamentForm", "SequentialTestForm"]
