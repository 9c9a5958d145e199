"""Forms of the competition. They parse input; the services decide."""

from tournaments.forms.sequential import SequentialTestForm
from tournaments.forms.tournaments import NewTournamentForm

__all__ = ["NewTournamentForm", "SequentialTestForm"]
