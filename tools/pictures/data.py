"""Fills an empty site with people, bots and events whose games were really played.

Run by ``manage.py shell`` in the site's data folder, before the site starts: `tools.pictures.site`.
"""

from __future__ import annotations

import math
import random
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final, cast

from allauth.account.internal.flows.login import AUTHENTICATION_METHODS_SESSION_KEY
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from django.conf import settings
from django.test import Client
from django.utils import timezone

from analysis.formats.committed_seeds import new_seed
from analysis.formats.groups import GroupRule
from analysis.formats.matches import POINTS
from analysis.verdicts.sprt import Hypotheses
from arena.notices import preferences
from bots import bots, checks, follows, tokens
from bots.files import SentFile
from bots.house import HOUSE_BOTS
from bots.models import Bot, RemotePresence, Trial, Version
from bots.remote import connections
from bots.teams import co_owners
from bots.uploads import Submission, create_bot, submit_bot, upload_version
from engine.boards import BOARDS
from friendlies.models import Daily
from friendlies.puzzles.handlers import read_on, unread
from friendlies.puzzles.models import Puzzle
from friendlies.ratings import rate_person
from friendlies.tables import turn_actions
from people.classes import classrooms, events
from people.moderation import appeals, decisions, reports
from people.moderation.models import Subject
from sandbox import uploads
from tests.factories.accounts import PASSWORD, sign_in_operator, with_address
from tests.factories.bots import PASSED, inspect, judge, python_bot, upload
from tests.factories.friendlies import rated_game, sit_down
from tests.factories.remote import online, remote_bot
from tests.factories.tournaments import created, draft, running
from tools.pictures.pages import AUTHOR, OPERATOR, OTHER
from tools.pictures.playing import play_on
from tournaments.challenges import answers, requests
from tournaments.events import organisers
from tournaments.events.announcements import announce
from tournaments.events.creation import NewTournament, create_tournament
from tournaments.games.claims import Kind
from tournaments.models import Game, HiddenResults, Rating, RatingPoint, Tournament
from tournaments.pairing.embargo import Hiding
from tournaments.pairing.matches import with_match
from tournaments.pairing.progress import pause_tournament, start_tournament
from tournaments.pairing.sequential_tests import create_test
from tournaments.ratings.ladder import ensure_ladder
from tournaments.ratings.ratings import compute_ratings
from tournaments.series import closure, creation
from tournaments.series import ladder_seasons as ladders
from tournaments.series.events import put_new

if TYPE_CHECKING:
    from collections.abc import Mapping

    from analysis.game_record import Checked
    from arena.accounts.models import User

MADE: Final = (
    *("round_robin", "evening", "knockout", "double", "swiss", "match", "ladder", "test", "draft", "hidden"),
    *("groups", "in_groups", "left", "early", "waiting", "refused", "partly"),
    *("game", "tick_game", "bot", "reported", "friendly", "tick_friendly", "over", "puzzle"),
    *("course", "unsubscribe", "decision", "act", "yesterday", "series"),
    *("remote", "benched", "open_board"),
)
"""The names of the examples."""
LADDER_GAMES, TEST_GAMES, EARLY_GAMES, OPEN_GAMES = 160, 60, 24, 40
DAYS: Final = 24
"""Days for which the ratings have a history."""
RUIN: Final = {
    "events": [],
    "result": {"seat": 1},
    "evidence": [
        {
            "exit": "exited with status 0",
            "stderr": "",
            "messages": [["to", '{"type": "hello"}']],
            "cpu_ms": 12,
        },
        {
            "exit": "exited with status 1",
            "stderr": "my turn\nTraceback (most recent call last):\n"
            '  File "/bot/bot.py", line 31, in choose\n    best = min(turns, key=rank)\n'
            "NameError: name 'turns' is not defined\n",
            "messages": [
                ["to", '{"type": "hello", "variant": "crapaud", "seat": 1}'],
                ["from", '{"type": "ready"}'],
                ["to", '{"type": "turn", "id": 1, "legal": ["draw", "r-f", "h-t3"]}'],
            ],
            "cpu_ms": 310,
            "max_rss_kb": 21400,
        },
    ],
}
"""What is kept of a game in which a bot broke."""
BROKEN: Final = "It failed on some boards, and passed on others.\n"
CHECK_LOG: Final = "Plays crapaud: 1 game to its end.\nPlays crapette: 1 game to its end.\n"


def make() -> dict[str, Any]:
    """The examples by their names, and the cookie of each who looks."""
    ada, bob, carol, dave = (with_address(name) for name in ("ada", "bob", "carol", "dave"))
    own = _bots(ada, bob, carol, dave)
    _ask(ada, bob, carol, own)
    _owned_together(own["first"].bot, ada, bob, carol)
    made = _played(ada, own)
    made |= _going_on(ada, bob, carol, own)
    made |= _uploaded(ada, own)
    made |= _left(dave)
    made |= _remote(ada, bob, dave)
    made |= _classes(ada, bob, carol, dave, made["draft"])
    ada_there, bob_there = _signed_in(ada), _signed_in(bob)
    made |= _at_the_table(ada_there)
    _rated({ada: 0.35, carol: 0.55, dave: 0.4})
    chief = Client(SERVER_NAME="127.0.0.1")
    operator = sign_in_operator(chief)
    RecoveryCodes.activate(operator)
    made |= _moderated(operator, ada, bob, own)
    made |= _in_series(operator, bob, own, made["ladder"])
    who = {AUTHOR: ada_there, OTHER: bob_there, OPERATOR: chief}
    return {"made": made, "cookies": {name: _cookie(client) for name, client in who.items()}}


def _signed_in(user: User) -> Client:
    client = Client(SERVER_NAME="127.0.0.1")
    client.post("/accounts/login/", {"login": user.username, "password": PASSWORD})
    return client


def _cookie(client: Client) -> str:
    """The cookie of a session that is asked for no password again before the pictures are taken."""
    session = client.session
    last = session[AUTHENTICATION_METHODS_SESSION_KEY][-1]
    last |= {"reauthenticated": True, "at": last["at"] + timedelta(days=30).total_seconds()}
    session.save()
    return str(client.cookies[settings.SESSION_COOKIE_NAME].value)


def _version(owner: User, name: str, description: str = "") -> Version:
    """An author's first version: the house's greedy bot with another comment; it can play on the site."""
    folder = HOUSE_BOTS["greedy"].directory
    files = {file: (folder / file).read_bytes() for file in ("bot.py", "ticks.py")}
    files["bot.py"] += f"# {name}\n".encode()
    what = replace(upload(name), files=files, sha256=uploads.digest(files))
    version = create_bot(owner, bots.BotDetails(name, description=description), Submission(what, "bot.zip"))
    judge(version, True, CHECK_LOG)
    version.bot.refresh_from_db()
    return version


def _bots(ada: User, bob: User, carol: User, dave: User) -> dict[str, Version]:
    """Bots of four authors; the first has a second version, and a third that failed its check."""
    first = _version(ada, "Patience", "Greedy, but counts the foundations before it opens a house.")
    for number, passed, log in ((2, True, CHECK_LOG), (3, False, "NameError: name 'turns' is not defined\n")):
        later = upload_version(
            first.bot,
            Submission(
                upload(f"Patience {number}"),
                "bot.py",
                note=f"v{number}",
                release_notes="Looks one card further, and takes less time in the opening.",
                activate_when_accepted=False,
            ),
        )
        judge(later, passed, log, None if passed else RUIN)
    tokens.create_token(ada, "laptop", ("read", "upload"))
    return {
        "first": first,
        "second": first.bot.versions.get(number=2),
        "other": _version(ada, "Slow Hand"),
        "bobs": _version(bob, "Foundation First", "Aces before everything else."),
        "carols": _version(carol, "Sevens & Eights of the Upper Rhine Club"),
        "daves": _version(dave, "Lüderitz"),
    }


def _sent(ada: User, name: str, content: bytes) -> Version:
    """The first version of a new bot whose file nobody has looked at; the site leaves it alone for a day."""
    version = submit_bot(ada, bots.BotDetails(name), Submission(SentFile("bot.py", content), "bot.py"))
    Version.objects.filter(pk=version.pk).update(check_not_before=timezone.now() + timedelta(days=1))
    return version


def _uploaded(ada: User, own: dict[str, Version]) -> dict[str, str]:
    """An upload that waits for inspection, one that was refused, and a version that passed on some boards."""
    waiting, refused = (
        _sent(ada, "Next in Line", python_bot()),
        _sent(ada, "Half a File", b"def choose(turn:\n"),
    )
    Version.objects.filter(pk=refused.pk).update(check_not_before=None)
    inspect(refused)
    bot = own["other"].bot
    second = upload_version(bot, Submission(upload("Slow Hand 2"), "bot.py", note="faster"))
    ruin = cast("Checked", RUIN)
    failed = [checks.TrialReport(board, Trial.Verdict.FAILED, BROKEN, ruin) for board in BOARDS[2:5]]
    passed = [checks.TrialReport(board, Trial.Verdict.PASSED, PASSED) for board in (*BOARDS[:2], *BOARDS[5:])]
    checks.record_check(second, [*passed, *failed], BROKEN)
    return {"waiting": waiting.bot.slug, "refused": refused.bot.slug, "partly": bot.slug}


def _left(dave: User) -> dict[str, str]:
    """A Swiss with byes that a bot left after its first round."""
    gone = _version(dave, "Gone Fishing")
    event = running(
        dave,
        [*_house("greedy", "planner", "cautious", "oracle"), gone],
        name="Spring Swiss",
        format="swiss",
        pairs=1,
        rounds=4,
    )
    play_on(event, 6)
    bots.withdraw_bot(gone.bot)
    play_on(event)
    return {"left": event.slug}


def _remote(ada: User, bob: User, dave: User) -> dict[str, str]:
    """Remote bots on an open board: one that is online, one that was, and one that was set offline.

    The first is held online for a day without a connection.
    """
    here, gone, benched = (
        remote_bot(owner, name)
        for owner, name in ((ada, "Ada's GPU"), (dave, "Night Shift"), (bob, "Loose Cable"))
    )
    held = [online(bot, "crapaud", "crapette", games=2, people=bot == here) for bot in (here, gone, benched)]
    board = ensure_ladder("crapaud", is_open=True)
    for kind in (Kind.MIXED, Kind.REMOTE):
        play_on(board, OPEN_GAMES, kind)
    ensure_ladder("crapette/3", is_open=True)
    for one in held[1:]:
        connections.disconnect(one.bot, one.connection)
    Version.objects.filter(bot=benched).update(
        benched_at=timezone.now(), benched_because="It abandoned its last 3 games."
    )
    RemotePresence.objects.filter(bot=here).update(seen_at=timezone.now() + timedelta(days=1))
    compute_ratings("open:crapaud")
    return {"remote": here.slug, "benched": benched.slug, "open_board": board.slug}


def _owned_together(bot: Bot, owner: User, other: User, asked: User) -> None:
    """Give a bot a co-owner, and ask somebody else to be one: later, bots of theirs may have met."""
    for person in (other, asked):
        co_owners.invite(bot, owner, person.username)
    co_owners.accept(bot, other)


def _house(*slugs: str) -> list[Version]:
    """The active versions of these house bots."""
    found = {bot.slug: bot.active_version for bot in Bot.objects.filter(slug__in=slugs)}
    return [one for slug in slugs if (one := found[slug]) is not None]


def _played(ada: User, own: dict[str, Version]) -> dict[str, str]:
    """Events that are over."""
    house = _house("greedy", "planner", "sampler", "cautious", "oracle")
    authors = [own[name] for name in ("first", "other", "bobs", "carols", "daves")]
    robin = running(None, house, pairs=3, name="Autumn round-robin")
    play_on(robin)
    eight = [*house[:4], *authors[:4]]
    knockout = running(ada, eight, name="Spring Cup", format="single-elimination", pairs=2)
    play_on(knockout)
    announce(knockout, ada, "Thank you all. The next cup begins in December: enter from the list of events.")
    double = running(None, eight, name="Double or nothing", format="double-elimination", pairs=1)
    play_on(double)
    swiss = running(None, [*house, *authors], name="Swiss of the ten", format="swiss", pairs=1, rounds=4)
    play_on(swiss)
    rule = GroupRule(3, 2, knockout_pairs=2).as_options()
    staged = running(ada, [*house, *authors], name="Rhine Cup", format="groups", pairs=1, options=rule)
    play_on(staged)
    wish = NewTournament(
        "To three hundred", (house[1].pk, own["first"].pk), variant="russian-bank", bank_ms=60_000
    )
    match = create_tournament(with_match(wish, POINTS, 300), ada)
    start_tournament(match)
    play_on(match)
    ticks = running(None, house[:4], pairs=2, name="Quick four", variant="vitesse")
    play_on(ticks)
    riddles = running(None, house[:4], pairs=3, name="Crapette as at home", variant="crapette")
    play_on(riddles)
    while not Puzzle.objects.exists() and unread().exists():
        read_on()
    ladder = ensure_ladder("crapaud", measures_house=True)
    play_on(ladder, LADDER_GAMES)
    for variant in ("crapaud", "crapette", "vitesse"):
        compute_ratings(variant)
    _history()
    puzzle = Puzzle.objects.first()
    assert puzzle is not None, "no game of this run had a puzzle in it"
    return {
        **{"round_robin": robin.slug, "knockout": knockout.slug, "double": double.slug, "swiss": swiss.slug},
        **{"groups": staged.slug, "match": match.slug, "ladder": ladder.slug, "puzzle": str(puzzle.pk)},
        **{"game": _game_of(knockout), "tick_game": _game_of(ticks), "bot": own["first"].bot.slug},
    }


def _game_of(tournament: Tournament) -> str:
    """A finished game of a tournament."""
    games = Game.objects.filter(tournament=tournament, status=Game.Status.FINISHED)
    return str(games.order_by("-finished_at").values_list("pk", flat=True)[0])


def _history() -> None:
    """Lead each rating up to where it is, as weeks of games would have."""
    now = timezone.now()
    RatingPoint.objects.bulk_create(
        RatingPoint(
            version=row.version,
            variant=row.variant,
            at=now - timedelta(days=day),
            elo=row.elo - 2 * day + 18 * math.sin(day + row.pk),
            error=row.error * (1 + day / 8),
            games=max(1, row.games * (DAYS - day) // DAYS),
        )
        for row in Rating.objects.select_related("version")
        for day in range(1, DAYS, 2)
    )


def _going_on(ada: User, bob: User, carol: User, own: dict[str, Version]) -> dict[str, str]:
    """Events that are not over: one with several organisers, one that hides results, a test, and one that the
    site plays while it is looked at."""
    hiding = Hiding(last_rounds=1, ending=HiddenResults.Ending.HAND, organiser_sees=False)
    house = _house("greedy", "planner", "cautious", "sampler")
    hidden = running(ada, [*house, own["first"]], pairs=1, name="Club evening", hiding=hiding)
    play_on(hidden)
    rule = GroupRule(2, 2).as_options()
    groups = running(
        bob,
        [*house, own["first"], own["bobs"], own["carols"]],
        pairs=1,
        name="Club cup",
        format="groups",
        options=rule,
    )
    play_on(groups, 14)
    pause_tournament(groups)
    test = create_test(ada, (own["second"].pk, own["first"].pk), Hypotheses(0, 20), name="Is v2 better?")
    start_tournament(test)
    play_on(test, TEST_GAMES)
    soon = timezone.now() + timedelta(days=2)
    early = create_test(
        carol, (own["carols"].pk, _house("random")[0].pk), Hypotheses(0, 20), name="Beats chance?"
    )
    start_tournament(early)
    play_on(early, EARLY_GAMES)
    cup = draft(
        ada,
        [own["first"]],
        name="Winter Cup of the Rhine",
        description="Three rounds on one evening.\n\nBring one bot each, and a friend.",
        registration_until=soon,
        starts_at=soon + timedelta(hours=3),
        format="swiss",
        rounds=3,
        invited=True,
    )
    organisers.invite(cup, ada, carol.username)
    organisers.accept(cup, carol)
    organisers.invite(cup, ada, bob.username)
    announce(cup, ada, "Registration closes at noon on the day of the event.")
    evening = created(
        None, _house("oracle", "sampler", "planner", "cautious"), name="Long evening", pairs_per_pairing=12
    )
    start_tournament(evening)
    staged = {"in_groups": groups.slug, "early": early.slug}
    return {**staged, "hidden": hidden.slug, "test": test.slug, "draft": cup.slug, "evening": evening.slug}


def _ask(ada: User, bob: User, carol: User, own: dict[str, Version]) -> None:
    """Challenges between authors, and how their owners want to hear of things."""
    requests.ask(bob, requests.Wish(mine=own["bobs"].pk, theirs=own["first"].pk, pairs=3))
    requests.ask(ada, requests.Wish(mine=own["other"].pk, theirs=own["carols"].pk, pairs=5))
    answers.block(carol, bob)
    preferences.add_webhook(ada, "https://example.org/arena", ["checked"])


def _classes(ada: User, bob: User, carol: User, dave: User, event: str) -> dict[str, str]:
    """A class with three members and an event of its own."""
    course = classrooms.create(ada, "Games and search, winter term")
    for member in (bob, carol, dave):
        classrooms.join(member, course.join_key)
    events.limit_event(course, ada, event)
    return {"course": str(course.pk)}


def _in_series(operator: User, bob: User, own: dict[str, Version], ladder: str) -> dict[str, str]:
    """A series in its second season, a season of a ladder, and who follows a bot."""
    league = creation.create(bob, "Winter League", "Every second Sunday.", creation.RuleWish(best=2))
    rivals = [*_house("greedy", "cautious", "planner"), own["first"], own["bobs"]]
    for season in (1, 2):
        for evening in (1, 2):
            name = f"Winter League {season}.{evening}"
            event = created(bob, rivals, name=name, pairs_per_pairing=1)
            put_new(league, bob, event)
            start_tournament(event)
            play_on(event)
        if season == 1:
            closure.close_season(league, bob, 1, goes_on=True)
    ladders.close_ladder_season(Tournament.objects.get(slug=ladder), operator, 1)
    for name in ("other", "carols"):
        follows.follow(bob, own[name].bot)
    return {"series": league.slug}


def _at_the_table(client: Client) -> dict[str, str]:
    """Games of an author against bots: one that was resigned, one that goes on, and one of ticks."""
    (planner,) = _house("planner")
    over = sit_down(client, planner)
    assert not turn_actions.act(over.pk, {"do": "resign"})
    yesterday = timezone.now().date() - timedelta(days=1)
    Daily.objects.create(day=yesterday, variant="crapaud", version=planner, seed=new_seed())
    day = {"yesterday": yesterday.isoformat()}
    going, ticks = sit_down(client, planner), sit_down(client, planner, variant="vitesse", pace="wait")
    return {"over": str(over.pk), "friendly": str(going.pk), "tick_friendly": str(ticks.pk), **day}


def _rated(people: Mapping[User, float]) -> None:
    """Rated games of people who win that share of them; all but the first show how they play."""
    chance = random.Random(7)
    house = _house("greedy", "planner", "cautious", "sampler")
    for number, (user, share) in enumerate(people.items()):
        for game in range(46 - 8 * number):
            rated_game(user, house[game % len(house)], won=chance.random() < share)
        rated_game(user, house[0], won=True, variant="crapette")
        for variant in ("crapaud", "crapette"):
            rate_person(user.pk, variant)
        user.shows_play = number > 0
        user.save()


def _moderated(operator: User, ada: User, bob: User, own: dict[str, Version]) -> dict[str, str]:
    """A bot that two people reported, and a decision that somebody appeals."""
    reported = own["carols"].bot
    reports.report(bob, Subject.BOT, reported.pk, "spam", "Its name advertises a club.")
    reports.report(ada, Subject.BOT, own["daves"].bot.pk, "imitation", "")
    eve = with_address("eve")
    rude = _version(eve, "You all play badly")
    why = decisions.Why("offensive", "It insults the other players.")
    act = decisions.rename(operator, Subject.BOT, rude.bot.pk, "Bot of eve", why)
    decision = decisions.link_to(act).rstrip("/").rpartition("/")[2]
    appeals.appeal(act, "It was a joke between friends.")
    decisions.hide(operator, Subject.BOT, own["bobs"].bot.pk, ["description"], why)
    secret = preferences.wishes_of(ada).secret
    return {"reported": str(reported.pk), "decision": decision, "act": str(act.pk), "unsubscribe": secret}
