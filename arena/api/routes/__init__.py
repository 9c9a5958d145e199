"""The routes of the API, by the heading under which the document lists them."""

from arena.api.routes import (
    account,
    analyses,
    arena,
    bots,
    bulk,
    challenges,
    classes,
    following,
    games,
    notices,
    organisers,
    organising,
    people,
    remote,
    series,
    stream,
    tests,
    tournaments,
)

ROUTERS = {
    "Account": account.router,
    "Bots": bots.router,
    "Remote bots": remote.router,
    "Following": following.router,
    "People": people.router,
    "Games": games.router,
    "Analysis": analyses.router,
    "Downloads": bulk.router,
    "Organising": organising.router,
    "Organisers": organisers.router,
    "Tournaments": tournaments.router,
    "Series": series.router,
    "Tests": tests.router,
    "Challenges": challenges.router,
    "Classes": classes.router,
    "Ratings, queue and audit": arena.router,
    "Live": stream.router,
    "Notices": notices.router,
}
"""In this order addresses are tried: downloads before the actions on a tournament."""
