"""A bot and its owner in the middle of everything: what is lost when either is."""

from dataclasses import asdict, dataclass, field
from typing import Any, Final

from analysis.formats.groups import GroupRule
from analysis.verdicts.sprt import Hypotheses
from arena.accounts.models import User
from bots.models import Bot, Version
from friendlies.models import Friendly
from friendlies.tables.new_games import NewFriendly, start
from friendlies.tables.people import Person
from people.classes import classrooms
from people.classes.models import ClassEvent, Classroom
from tests.factories.accounts import author, operator
from tests.factories.bots import accepted_bot, shared
from tests.factories.results import accept_result, delivery
from tests.factories.series import league
from tests.factories.tournaments import created, draft, rivals, running
from tournaments.challenges.answers import accept
from tournaments.challenges.requests import Wish, ask
from tournaments.events.standings import tournament_standings
from tournaments.games.claims import Lease, claim
from tournaments.models import Game, Tournament
from tournaments.pairing.progress import advance, start_tournament
from tournaments.questions.requests import want_luck
from tournaments.ratings.ladder import ensure_ladder
from tournaments.series.events import put_new
from tournaments.series.models import EventSeries

TABLES: Final = ("queued", "running", "half", "swiss", "bracket", "groups", "team", "class", "league")
"""Events with a table."""


@dataclass
class World:
    """What there is before an action."""

    ann: User
    bert: User
    cleo: User
    dan: User
    chief: User
    leaver: Version
    rival: Version
    shared: Version
    lease: Lease
    classroom: Classroom
    league: EventSeries
    friendly: Friendly
    events: dict[str, Tournament]
    points: dict[str, float] = field(default_factory=dict)

    def event(self, name: str) -> Tournament:
        """An event as it is now."""
        return Tournament.objects.get(pk=self.events[name].pk)

    def rivals_points(self, name: str) -> float:
        """What the rival has in an event."""
        return next(
            one.row.points
            for one in tournament_standings(self.event(name))
            if one.entry.version_id == self.rival.pk
        )


def game_of(event: Tournament, leg: int = 0) -> Game:
    """A game of an event's first pair."""
    return Game.objects.filter(tournament=event, leg=leg).order_by("order")[0]


def finish(game: Game, winner: Version | None = None) -> None:
    """Play a game that is queued, by an invented end."""
    held = claim(game, "a worker")
    assert held is not None
    seat = (
        None if winner is None else game.seats.filter(version=winner).values_list("seat", flat=True).first()
    )
    accept_result(held, delivery(game.pk, seat=seat))


def the_world() -> World:
    """A bot, its owner and their organiser in the middle of everything."""
    ann, bert, dan, chief = author("ann"), author("bert"), author("dan"), operator()
    leaver, together = accepted_bot(ann, "Leaver"), accepted_bot(ann, "Shared")
    shared(together.bot, dan)
    others = rivals(3)
    rival, cleo = others[0], others[0].bot.owner
    assert cleo is not None
    house = accepted_bot(chief, "Planner")
    Bot.objects.filter(pk=house.bot_id).update(owner=None, is_house=True)
    Bot.objects.exclude(is_house=True).update(open_to_all=True)
    two, four = [leaver, rival], [leaver, *others]

    def held(name: str, versions: list[Version] = two, **wish: Any) -> Tournament:
        return running(chief, versions, name=name, **{"pairs": 1, **wish})

    made = {
        "queued": held("Queued", pairs=2),
        "running": held("Running"),
        "half": held("Half"),
        "swiss": held("Swiss", four, format="swiss", rounds=3),
        "bracket": held("Bracket", four, format="single-elimination"),
        "groups": held("Groups", four, format="groups", options=GroupRule(2, 1).as_options()),
        "test": held("Which is better", pairs=4, format="sprt", options=asdict(Hypotheses(0, 10))),
        "team": held("Team", [together, rival]),
        "class": held("Class"),
        "league": created(chief, two, name="League day", pairs_per_pairing=1),
        "draft": created(chief, four, name="Draft", pairs_per_pairing=1),
        "open": draft(chief, four, name="Open"),
    }
    # They would be too many for anybody but staff.
    Tournament.objects.filter(pk__in=[one.pk for one in made.values()]).update(owner=bert)
    for event in made.values():
        event.refresh_from_db()
    season = league(bert)
    put_new(season, bert, made["league"])
    start_tournament(made["league"])
    made["ladder"] = ensure_ladder("crapaud")
    advance(made["ladder"].pk)
    lease = claim(game_of(made["running"]), "a worker")
    assert lease is not None
    finish(game_of(made["half"]), rival)
    for name in ("swiss", "bracket"):
        for game in Game.objects.filter(tournament=made[name], status=Game.Status.QUEUED):
            finish(game, leaver if game.seats.filter(version=leaver).exists() else None)
        advance(made[name].pk)
    classroom = classrooms.create(bert, "Games 101")
    ClassEvent.objects.create(tournament=made["class"], classroom=classroom)
    accepted = ask(cleo, Wish(rival.pk, leaver.pk, pairs=1))
    accept(accepted, ann)
    assert accepted.tournament is not None
    advance(accepted.tournament.pk)
    made["challenge"] = accepted.tournament
    ask(cleo, Wish(rival.pk, leaver.pk, pairs=1))
    ask(ann, Wish(leaver.pk, rival.pk, pairs=1))
    tables = (start(Person(ann), NewFriendly("crapaud", leaver.pk, seat=seat)) for seat in (0, 1))
    friendly = next(table for table in tables if table.bot_is_awaited)
    # Whoever played it as a co-owner goes on when they have left the team.
    Friendly.objects.filter(pk=friendly.pk).update(owner=cleo)
    want_luck(made["half"], [game_of(made["half"]).pair_id])
    world = World(
        ann, bert, cleo, dan, chief, leaver, rival, together, lease, classroom, season, friendly, made
    )  # fmt: skip
    world.points = {name: world.rivals_points(name) for name in TABLES}
    return world
