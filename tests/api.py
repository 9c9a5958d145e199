"""An arena with something at every route of the API, and programs that use it."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from functools import cache
from typing import Any

from django.core import signals
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import close_old_connections, transaction
from django.test import Client
from django.utils import timezone
from jsonschema_rs import Draft202012Validator

from analysis.formats.matches import POINTS
from analysis.verdicts.sprt import Hypotheses
from arena.api.application import openapi
from arena.notices import preferences
from arena.notices.models import Webhook
from bots import uploads
from bots.models import Token, Version
from people.classes.classrooms import create as create_class
from tests.factories.accounts import author, token
from tests.factories.bots import accepted_bot, judge, python_bot, upload
from tests.factories.ratings import rating
from tests.factories.results import lease, play_one
from tests.factories.tournaments import draft, running
from tournaments.challenges.answers import block
from tournaments.challenges.requests import Wish, ask
from tournaments.events.announcements import announce
from tournaments.events.creation import NewTournament, create_tournament
from tournaments.models import Game, Pair, RatingPoint, Tournament
from tournaments.pairing.embargo import Hiding
from tournaments.pairing.matches import with_match
from tournaments.pairing.progress import start_tournament
from tournaments.pairing.sequential_tests import create_test
from tournaments.questions.parquet import pack
from tournaments.ratings.ladder import ensure_ladder
from tournaments.series.creation import RuleWish
from tournaments.series.creation import create as create_series
from tournaments.series.events import add_event as add_series_event

SECRETS = ("the log for Ada", "what Ada's bot said", "a note to Ada", "ada-sent-this.py", "ada@example.org")
"""What nobody but Ada may read."""
CHECK_GAME = {"events": [], "evidence": [{"stderr": "what Ada's bot said"}]}


@dataclass(frozen=True)
class Filled:
    """A filled arena: the values of path parameters, tokens by who holds them, and what must stay secret."""

    values: dict[str, str]
    tokens: dict[str, str | None]
    secrets: tuple[str, ...]
    games: dict[str, str] = field(default_factory=dict)


@contextmanager
def one_connection() -> Iterator[None]:
    """Keep the test's connection over requests: each is undone in it.

    Django's own test client does so as well, but not while a streamed answer is read and closed after it.
    """
    for signal in (signals.request_started, signals.request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (signals.request_started, signals.request_finished):
        signal.connect(close_old_connections)


@contextmanager
def undone() -> Iterator[None]:
    """Undo in the end what is written meanwhile."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def filled() -> Filled:
    """Ada's bot with an open and a rejected version, her cup with games, her test, and two others."""
    ada, bob = author("ada"), author("bob")
    ada.email = "ada@example.org"
    ada.save()
    staff = author("chief", is_staff=True)
    mine = accepted_bot(ada, "Ada's first")
    second = uploads.upload_version(
        mine.bot,
        uploads.Submission(
            upload("two"), "ada-sent-this.py", note="a note to Ada", activate_when_accepted=False
        ),
    )
    judge(second, True, "the log for Ada", CHECK_GAME)
    theirs = accepted_bot(bob, "Bob's first")
    later = Hiding(since=timezone.now() + timedelta(hours=1))
    cup = running(ada, [mine, theirs], pairs=2, name="Cup", hiding=later)
    finished = play_one()
    going = lease()
    wish = NewTournament("Match", (mine.pk, theirs.pk), variant="russian-bank")
    start_tournament(create_tournament(with_match(wish, POINTS, 300), ada))
    test = create_test(ada, (second.pk, mine.pk), Hypotheses(0, 20))
    ensure_ladder("crapaud")
    carols = accepted_bot(author("carol"), "Carol's first")
    assert carols.bot.owner is not None
    league = create_series(ada, "Winter League", "", RuleWish())
    for name in ("Spring cup", "Autumn cup"):
        draft(None, [mine, theirs], name=name)
    Tournament.objects.filter(slug__in=("spring-cup", "autumn-cup")).update(owner=ada)
    add_series_event(league, ada, "spring-cup")
    challenge = ask(carols.bot.owner, Wish(mine=carols.pk, theirs=mine.pk, pairs=3))
    block(ada, author("dave"))
    _rated(mine)
    pack({"name": "ratings"})
    pair = Pair.objects.filter(pairing__tournament=cup).order_by("number").first()
    assert pair is not None
    values = {
        "bots": mine.bot.slug,
        "directory": mine.bot.slug,
        "tournaments": cup.slug,
        "tests": test.slug,
        "series": league.slug,
        "ladders": "ladder-crapaud",
        "ladder": "ladder-crapaud",
        "tournament": "spring-cup",
        "version": "2",
        "game": str(finished.game),
        "pair": str(pair.pk),
        "announcement": str(announce(cup, ada, "Round 1 begins at noon.").pk),
        "round": "1",
        "table": "1",
        "challenge": str(challenge.pk),
        "classroom": str(create_class(ada, "Games 101").pk),
        "answer": "accept",
        "user": "dave",
        "number": "1",
        "action": "pause",
        "variant": "crapaud",
        "webhook": str(preferences.add_webhook(ada, "https://example.org/ada", ["checked"]).pk),
        "month": f"{timezone.now():%Y-%m}",
        "name": "ratings",
    }
    tokens: dict[str, str | None] = {
        "nobody": None,
        "owner": token(ada),
        "other": token(bob),
        "staff": token(staff),
        "narrow": token(ada, ()),
    }
    hidden = Game.objects.get(pk=going.game)
    unplayed = Pair.objects.filter(status=Pair.Status.QUEUED).first()
    deals = (unplayed.deal_seed,) if unplayed else ()
    digests = tuple(Token.objects.values_list("digest", flat=True))
    digests = (*digests, *Webhook.objects.values_list("secret", flat=True))
    secrets = (*SECRETS, "https://example.org/ada", cup.seed, test.seed, hidden.start, *deals, *digests)
    games = {"finished": str(finished.game), "going": str(going.game)}
    return Filled(values, tokens, secrets, games)


def _rated(version: Version) -> None:
    rating(version, 1510.0, error=20, low=1470.0, high=1550.0, pairs=10, games=20, wins=11, draws=1, losses=8)
    RatingPoint.objects.create(
        version=version, variant="crapaud", at=timezone.now(), elo=1510.0, error=20.0, games=20
    )


def address(path: str, values: dict[str, str]) -> str:
    """A path of the document with its parameters filled in."""
    kind = path.split("/")[3]
    return re.sub(r"{(\w+)}", lambda found: values[kind if found[1] == "slug" else found[1]], path)


BODIES: dict[str, Any] = {
    "edit_bot": {"description": "New words."},
    "create_tournament": {
        "name": "Another cup",
        "entrants": [{"bot": "adas-first"}, {"bot": "bobs-first"}],
        "pairs": 1,
    },
    "enter_tournament": {"bot": "adas-first"},
    "create_sequential_test": {
        "tested": {"bot": "adas-first", "version": 2},
        "against": {"bot": "adas-first", "version": 1},
        "pairs": 3,
    },
    "create_challenge": {"mine": {"bot": "adas-first"}, "theirs": {"bot": "carols-first"}, "pairs": 1},
    "set_terms": {"takes": "automatic", "per_day": 3},
    "add_block": {"user": "carol"},
    "estimate_tournament": {"name": "A cup", "entrants": [{"bot": "adas-first"}, {"bot": "bobs-first"}]},
    "invite_organiser": {"user": "carol"},
    "answer_invitation": {"answer": "accept"},
    "join_class": {"key": "wrong"},
    "create_series": {"name": "Summer League", "best": 3},
    "create_remote_bot": {"name": "From afar"},
    "add_series_event": {"tournament": "autumn-cup"},
    "close_series_season": {"season": 1},
    "announce": {"text": "Round 2 begins at noon."},
    "edit_tournament": {"description": "In the hall."},
    "reveal_results": {},
    "void_pair": {"reason": "The machine stopped."},
    "set_wishes": {"kinds": ["checked"]},
    "add_webhook": {"url": "https://example.org/hook", "kinds": ["checked"]},
}
FORMS: dict[str, dict[str, str]] = {"create_bot": {"name": "Brand new"}, "upload_version": {"note": "n"}}
QUERIES: dict[str, str] = {"stream_live": "?tournament=cup", "try_what_if": "?at=1"}


def send(filled: Filled, path: str, method: str, operation: str, who: str, **more: str) -> Any:
    """Send a proper request to a route as somebody, perhaps with `more` headers, and return the answer."""
    secret = filled.tokens[who]
    headers = {"Authorization": f"Bearer {secret}", **more} if secret else more
    values = {**filled.values, "tournaments": "match"} if operation == "get_sheet" else filled.values
    target = address(path, values) + QUERIES.get(operation, "")
    client = Client(enforce_csrf_checks=True, headers=headers)
    call = getattr(client, method)
    if operation in FORMS:
        file = SimpleUploadedFile("bot.py", python_bot(f"{operation} {who}"))
        return call(target, {**FORMS[operation], "file": file})
    if operation in BODIES:
        return call(target, BODIES[operation], content_type="application/json")
    return call(target)


@cache
def the_document() -> dict[str, Any]:
    """The OpenAPI document; it takes a third of a second to make."""
    return openapi()


def flaws(operation: str, status: int, body: Any) -> list[str]:
    """What an answer in JSON has that the document does not say of it, or lacks."""
    every = (one for methods in the_document()["paths"].values() for one in methods.values())
    one = next(one for one in every if one["operationId"] == operation)
    content = one["responses"].get(str(status), {}).get("content", {})
    for kind in ("application/json", "application/problem+json"):
        if kind in content:
            found = validator_of(json.dumps(content[kind]["schema"])).iter_errors(body)
            return [error.message for error in found]
    return ["the document has no such answer"]


@cache
def validator_of(schema: str) -> Draft202012Validator:
    """What compares a value with a schema of the document, given as JSON."""
    return Draft202012Validator({**json.loads(schema), "components": the_document()["components"]})
