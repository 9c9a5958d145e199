"""The routes of the API, by the heading under which the document lists them."""

from arena.api.routes import bots, notices, remote
from bots.api import account, following
from people.classes import api as classes
from people.profiles import api as people
from tournaments.api import (
    analyses,
    bulk,
    games,
    organiser_actions,
    organisers,
    sequential_tests,
    stream,
    tournaments,
)
from tournaments.api import (
    ratings as arena,
)
from tournaments.challenges import api as challenges
from tournaments.series import api as series

ROUTERS = {
    "Account": account.router,
    "Bots": bots.router,
    "Remote bots": remote.router,
    "Following": following.router,
    "People": people.router,
    "Games": games.router,
    "Analysis": analyses.router,
    "Downloads": bulk.router,
    "Organising": organiser_actions.router,
    "Organisers": organisers.router,
    "Tournaments": tournaments.router,
    "Series": series.router,
    "Tests": sequential_tests.router,
    "Challenges": challenges.router,
    "Classes": classes.router,
    "Ratings, queue and audit": arena.router,
    "Live": stream.router,
    "Notices": notices.router,
}
"""In this order addresses are tried: downloads before the actions on a tournament."""
