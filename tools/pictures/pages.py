"""Every page of the site, with an example of each; and why the other addresses have no picture.

The tests compare both lists with the site's own table of addresses (`tests/unit/test_modules.py`).
A word in braces is something that `tools.pictures.data` made, by its name there.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from tests.fuzz import addresses

if TYPE_CHECKING:
    from collections.abc import Mapping

VISITOR, AUTHOR, OTHER, OPERATOR = "visitor", "author", "other author", "operator"
MADE_WHEN_SERVED: Final = ("running_game",)
"""Examples that are there once the site plays."""
NAME: Final = re.compile(r"{(\w+)}")


@dataclass(frozen=True)
class Page:
    """A page to look at: who looks, at which example of its address, and in which state it is.

    `sends` fills fields by their names and sends their form, for what a page answers; `twice` goes back and
    sends it again.
    """

    route: str
    state: str = ""
    who: str = VISITOR
    of: Mapping[str, str] = field(default_factory=dict)
    query: str = ""
    sends: Mapping[str, str] = field(default_factory=dict)
    twice: bool = False

    @property
    def name(self) -> str:
        """What it is called in the list and, changed a little, in names of files; no two have the same."""
        what = [self.route + self.query, *(value.strip("{}") for value in self.of.values())]
        return " ".join([*what, self.state, *([] if self.who == VISITOR else [f"as {self.who}"])]).strip()

    @property
    def file(self) -> str:
        """The beginning of the names of its pictures."""
        return re.sub(r"[^a-z0-9]+", "-", self.name.lower()).strip("-") or "home"

    @property
    def wanted(self) -> set[str]:
        """The examples that its address needs."""
        return set(NAME.findall(" ".join([*self.of.values(), self.query])))

    def address(self, made: Mapping[str, str]) -> str:
        """Where it is, with these examples."""
        path = self.route
        for name, value in self.of.items():
            path = path.replace(f"<{name}>", value.format_map(made))
        return path + self.query.format_map(made)


def routes() -> list[str]:
    """Every address as the lists below write it: ``/bots/<slug>/``."""
    return [re.sub(r"%\((\w+)\)s", r"<\1>", one.path) for one in addresses()]


def _event(state: str, slug: str, who: str = VISITOR, below: str = "") -> Page:
    return Page(f"/tournaments/<slug>/{below}", state, who, {"slug": slug})


def _with(route: str, state: str = "", who: str = VISITOR, **of: str) -> Page:
    return Page(route, state, who, of)


PAGES: Final = (
    # What most people see.
    Page("/"),
    Page("/", who=AUTHOR),
    Page("/games/"),
    Page("/games/", "a filter without games", query="?bot=nobody"),
    Page("/games/tv/"),
    _with("/games/<game_id>/", "over", game_id="{game}"),
    _with("/games/<game_id>/", "over, of ticks", game_id="{tick_game}"),
    _with("/games/<game_id>/", "being played", game_id="{running_game}"),
    _with("/embed/games/<game_id>/", game_id="{game}"),
    Page("/games/open/"),
    _with("/games/<game_id>/passage/", "nothing chosen", game_id="{game}"),
    Page("/tournaments/"),
    Page("/tournaments/", who=AUTHOR),
    _event("round-robin, over", "{round_robin}"),
    _event("round-robin, being played", "{evening}"),
    _event("knock-out, over", "{knockout}"),
    _event("double elimination, over", "{double}"),
    _event("Swiss, over", "{swiss}"),
    _event("groups and knock-out, over", "{groups}"),
    _event("groups being played", "{in_groups}"),
    _event("Swiss with byes that a bot left", "{left}"),
    _event("Swiss with byes that a bot left", "{left}", below="rounds/"),
    _event("match of two", "{match}"),
    _event("ladder", "{ladder}"),
    _event("open board", "{open_board}"),
    _event("sequential test", "{test}", AUTHOR),
    _event("sequential test, strong but early", "{early}"),
    _event("registration open", "{draft}"),
    _event("registration open", "{draft}", AUTHOR),
    _event("invited to organise", "{draft}", OTHER),
    _event("results hidden", "{hidden}"),
    _event("results hidden", "{hidden}", AUTHOR),
    _event("", "{hidden}", below="reveal/"),
    _event("", "{swiss}", below="rounds/"),
    _event("of groups", "{groups}", below="rounds/"),
    _event("", "{draft}", AUTHOR, "organisers/"),
    _event("", "{draft}", AUTHOR, "edit/"),
    _with("/tournaments/<slug>/meeting/<one>/<other>/", slug="{round_robin}", one="1", other="2"),
    _with("/tournaments/<slug>/match/<number>/<table>/", slug="{match}", number="1", table="1"),
    Page("/series/"),
    _with("/series/<slug>/", slug="{series}"),
    _with("/series/<slug>/", who=OTHER, slug="{series}"),
    _with("/series/<slug>/seasons/", slug="{series}"),
    _with("/series/<slug>/seasons/<number>/", "closed", slug="{series}", number="1"),
    Page("/series/new/", who=AUTHOR),
    _with("/series/<slug>/edit/", who=OTHER, slug="{series}"),
    _with("/series/ladders/<slug>/", slug="{ladder}"),
    _with("/series/ladders/<slug>/", who=OPERATOR, slug="{ladder}"),
    _with("/series/ladders/<slug>/<number>/", slug="{ladder}", number="1"),
    Page("/tournaments/new/", who=AUTHOR),
    Page("/tournaments/test/", who=AUTHOR),
    Page("/leaderboard/"),
    _with("/leaderboard/<variant>/", variant="crapaud"),
    _with("/leaderboard/<variant>/", "few games", variant="russian-bank"),
    _with("/leaderboard/<variant>/<players>/", variant="crapette", players="3"),
    _with("/leaderboard/open/<variant>/", variant="crapaud"),
    _with("/leaderboard/open/<variant>/<players>/", "nobody online", variant="crapette", players="3"),
    _with("/head-to-head/<one>/<other>/", one="greedy", other="planner"),
    Page("/bots/"),
    _with("/bots/<slug>/", "of the house", slug="planner"),
    _with("/bots/<slug>/", slug="{bot}"),
    _with("/bots/<slug>/", who=AUTHOR, slug="{bot}"),
    _with("/bots/<slug>/versions/<number>/", "accepted", AUTHOR, slug="{bot}", number="1"),
    _with("/bots/<slug>/versions/<number>/", "rejected", AUTHOR, slug="{bot}", number="3"),
    _with("/bots/<slug>/", "two versions by board", AUTHOR, slug="{partly}"),
    _with("/bots/<slug>/", "waits for inspection", AUTHOR, slug="{waiting}"),
    _with("/bots/<slug>/versions/<number>/", "partly accepted", AUTHOR, slug="{partly}", number="2"),
    _with("/bots/<slug>/versions/<number>/", "waits for inspection", AUTHOR, slug="{waiting}", number="1"),
    _with("/bots/<slug>/versions/<number>/", "refused", AUTHOR, slug="{refused}", number="1"),
    _with("/bots/<slug>/edit/", who=AUTHOR, slug="{bot}"),
    _with("/tournaments/bot-panel/<slug>/turns/", who=AUTHOR, slug="{bot}"),
    Page(
        "/bots/<slug>/edit/", "sent twice", AUTHOR, {"slug": "{refused}"}, "", {"description": "Mine."}, True
    ),
    _with("/bots/<slug>/upload/", who=AUTHOR, slug="{bot}"),
    _with("/bots/<slug>/owners/", "its owner", AUTHOR, slug="{bot}"),
    _with("/bots/<slug>/owners/", "a co-owner", OTHER, slug="{bot}"),
    Page("/followed/", who=OTHER),
    Page("/followed/", "none yet", OPERATOR),
    Page("/bots/new/", who=AUTHOR),
    Page("/bots/new/remote/", who=AUTHOR),
    _with("/bots/<slug>/", "online", AUTHOR, slug="{remote}"),
    _with("/bots/<slug>/", "set offline", OTHER, slug="{benched}"),
    _with("/people/<name>/", "what everybody sees", name="bob"),
    _with("/people/<name>/", "shows how they play", name="carol"),
    _with("/people/<name>/", "one's own", AUTHOR, name="ada"),
    _with("/leaderboard/<variant>/people/", variant="crapaud"),
    _with("/leaderboard/<variant>/people/", "empty", variant="crapette"),
    Page("/play/"),
    Page("/play/", "with games", AUTHOR),
    Page("/play/daily/"),
    Page("/play/daily/", who=AUTHOR),
    _with("/play/daily/<day>/", "over", day="{yesterday}"),
    _with("/play/<friendly_id>/", "being played", AUTHOR, friendly_id="{friendly}"),
    _with("/play/<friendly_id>/", "of ticks", AUTHOR, friendly_id="{tick_friendly}"),
    _with("/play/<friendly_id>/", "somebody else's", friendly_id="{friendly}"),
    _with("/play/<friendly_id>/replay/", who=AUTHOR, friendly_id="{over}"),
    Page("/puzzles/"),
    Page("/puzzles/", who=AUTHOR),
    _with("/puzzles/<number>/", number="{puzzle}"),
    Page("/learn/"),
    _with("/learn/<variant>/", variant="crapaud"),
    _with("/learn/<variant>/<number>/", variant="crapaud", number="2"),
    # Around the games.
    Page("/build/"),
    Page("/how-it-works/"),
    Page("/queue/"),
    Page("/audit/"),
    Page("/integrity/"),
    Page("/rules/"),
    _with("/rules/<variant>/", variant="crapaud"),
    _with("/rules/<variant>/", "of ticks", variant="vitesse"),
    Page("/glossary/"),
    Page("/docs/"),
    Page("/docs/search/", "nothing asked"),
    Page("/docs/search/", "found", query="?q=clock"),
    _with("/docs/<name>/", name="first-bot"),
    _with("/docs/<name>/", "long", name="rules"),
    *(_with("/docs/<name>/", name=name) for name in ("uploads", "tools", "search-bot", "languages")),
    Page("/kit/"),
    Page("/api/docs"),
    Page("/offline/"),
    # Between people.
    Page("/challenges/", who=AUTHOR),
    Page("/challenges/", who=OTHER),
    Page("/challenges/new/", who=OTHER, query="?bot={bot}"),
    Page("/classes/", who=AUTHOR),
    Page("/classes/", "none yet", OPERATOR),
    Page("/classes/join/", who=OTHER),
    Page("/classes/join/", "wrong key", OTHER, sends={"key": "not-the-key"}),
    _with("/classes/<key>/", "its teacher", AUTHOR, key="{course}"),
    _with("/classes/<key>/", "a member", OTHER, key="{course}"),
    Page("/notices/", who=AUTHOR),
    Page("/notices/", "none yet", OPERATOR),
    Page("/notices/settings/", who=AUTHOR),
    _with("/notices/unsubscribe/<secret>/", secret="{unsubscribe}"),
    Page("/moderation/", who=OTHER),
    _with("/moderation/report/<subject>/<key>/", who=AUTHOR, subject="bot", key="{reported}"),
    Page("/moderation/report/thanks/", who=AUTHOR),
    _with("/moderation/decisions/<signed>/", signed="{decision}"),
    # One's account.
    Page("/accounts/login/"),
    Page("/accounts/login/", "refused", sends={"login": "nobody", "password": "wrong wrong wrong"}),
    Page("/accounts/signup/"),
    Page("/accounts/signup/", "refused", sends={"username": "ada", "password1": "short", "password2": "s"}),
    Page("/accounts/logout/", who=AUTHOR),
    Page("/accounts/inactive/"),
    Page("/accounts/reauthenticate/", who=AUTHOR),
    Page("/accounts/two-factor/", who=AUTHOR),
    Page("/accounts/two-factor/", "switched on", OPERATOR),
    Page("/accounts/two-factor/totp/activate/", who=AUTHOR),
    Page("/accounts/two-factor/totp/deactivate/", who=OPERATOR),
    Page("/accounts/two-factor/recovery-codes/", who=OPERATOR),
    Page("/accounts/two-factor/recovery-codes/generate/", who=OPERATOR),
    Page("/accounts/password/change/", who=AUTHOR),
    Page("/accounts/password/reset/"),
    Page("/accounts/password/reset/done/"),
    _with("/accounts/password/reset/key/<uidb36>-<key>/", "of a link that is used up", uidb36="1", key="x-y"),
    Page("/accounts/password/reset/key/done/"),
    Page("/accounts/email/", who=AUTHOR),
    Page("/accounts/confirm-email/"),
    _with("/accounts/confirm-email/<key>/", "of a link that is used up", key="none"),
    Page("/bots/account/", who=AUTHOR),
    # What operators see.
    Page("/admin/", who=OPERATOR),
    Page("/admin/overview/", who=OPERATOR),
    Page("/admin/moderation/desk/", who=OPERATOR),
    _with("/admin/moderation/desk/<subject>/<key>/", who=OPERATOR, subject="bot", key="{reported}"),
    _with("/admin/moderation/desk/act/<key>/", who=OPERATOR, key="{act}"),
)

SENT: Final = "a form sends to it, and it answers with another page"
DATA: Final = "data for programs, or a file"
PART: Final = "a part of a page that has pictures"
ASKS_AGAIN: Final = "asks for the password, as /accounts/reauthenticate/ does"
ELSEWHERE: Final = "leads to another page"

WITHOUT: Final[Mapping[str, str]] = {
    **dict.fromkeys(
        (
            "/language/",
            "/accounts/time-zone/",
            "/accounts/email/send-again/",
            "/notices/read/",
            "/notices/settings/mails/",
            "/notices/settings/feed/",
            "/notices/settings/webhooks/",
            "/notices/settings/webhooks/<webhook_id>/remove/",
            "/notices/site/<key>/dismiss/",
            "/bots/account/tokens/",
            "/bots/account/tokens/<token_id>/revoke/",
            "/bots/account/delete/",
            "/bots/<slug>/withdraw/",
            "/bots/<slug>/play-again/",
            "/bots/<slug>/follow/",
            "/bots/<slug>/unfollow/",
            "/bots/<slug>/owners/answer/<answer>/",
            "/bots/<slug>/owners/invite/",
            "/bots/<slug>/owners/offer/<user>/",
            "/bots/<slug>/owners/remove/<user>/",
            "/series/<slug>/change/<change>/",
            "/series/ladders/<slug>/close/",
            "/bots/<slug>/restore/",
            "/bots/<slug>/versions/<number>/activate/",
            "/bots/<slug>/versions/<number>/deactivate/",
            "/bots/<slug>/versions/<number>/check-again/",
            "/challenges/<key>/<answer>/",
            "/challenges/terms/<slug>/",
            "/challenges/blocked/add/",
            "/challenges/blocked/remove/",
            "/classes/new/",
            "/classes/<key>/leave/",
            "/classes/<key>/change/<change>/",
            "/people/<name>/show/",
            "/play/duplicate/<game_id>/<seat>/",
            "/play/<friendly_id>/act/",
            "/play/<friendly_id>/hint/",
            "/play/<friendly_id>/rematch/",
            "/puzzles/<number>/step/",
            "/puzzles/<number>/answer/",
            "/learn/<variant>/<number>/move/",
            "/tournaments/new/estimate/",
            "/tournaments/test/estimate/",
            "/tournaments/<slug>/announce/",
            "/tournaments/<slug>/announcements/<number>/withdraw/",
            "/tournaments/<slug>/organisers/invite/",
            "/tournaments/<slug>/organisers/answer/<answer>/",
            "/tournaments/<slug>/organisers/remove/<user>/",
            "/tournaments/<slug>/key/",
            "/tournaments/<slug>/reveal/now/",
            "/tournaments/<slug>/pairs/<pair_id>/void/",
            "/tournaments/<slug>/join/",
            "/tournaments/<slug>/leave/<number>/",
            "/tournaments/<slug>/clone/",
            "/tournaments/<slug>/action/",
        ),
        SENT,
    ),
    **dict.fromkeys(
        (
            "/health",
            "/ready",
            "/metrics",
            "/manifest.webmanifest",
            "/worker.js",
            "/words/<code>.<digest>.js",
            "/api/openapi.json",
            "/api/v1/<rest>",
            "/notices/feed/<secret>.atom",
            "/bots/feed.atom",
            "/bots/<slug>/feed.atom",
            "/bots/<slug>/versions/<number>/check.json",
            "/bots/<slug>/versions/<number>/source.zip",
            "/docs/crapette-kit.zip",
            "/kit/<name>",
            "/play/<friendly_id>/state.json",
            "/play/<friendly_id>/record.json",
            "/play/<friendly_id>/values.json",
            "/play/<friendly_id>/mistakes.json",
            "/play/<friendly_id>/explore.json",
            "/puzzles/<number>/state.json",
            "/learn/<variant>/<number>/state.json",
            "/games/<game_id>/passage/<first>-<last>-still.gif",
            "/games/<game_id>/passage/<first>-<last>.gif",
            "/series/<slug>/calendar.ics",
            "/series/<slug>/seasons/<number>/standings.csv",
            "/series/ladders/<slug>/<number>/ranking.csv",
            "/tournaments/feed.atom",
            "/tournaments/calendar.ics",
            "/tournaments/<slug>/calendar.ics",
            "/tournaments/<slug>/results.csv",
            "/tournaments/<slug>/bundle.jsonl",
            "/games/programme.json",
            "/games/<game_id>/picture.png",
            "/games/<game_id>/final.svg",
            "/games/<game_id>/record.json",
            "/games/<game_id>/moves.json",
            "/games/<game_id>/values.json",
            "/games/<game_id>/mistakes.json",
            "/games/<game_id>/deep.json",
            "/games/<game_id>/explore.json",
            "/leaderboard/<variant>/feed.atom",
            "/leaderboard/<variant>/<players>/feed.atom",
            "/leaderboard/<variant>/bundle.jsonl",
            "/leaderboard/open/<variant>/bundle.jsonl",
            "/rules/<variant>/example.json",
            "/rules/<variant>/layout.svg",
            "/accounts/data/",
            "/accounts/two-factor/recovery-codes/download/",
        ),
        DATA,
    ),
    **dict.fromkeys(
        (
            "/bots/<slug>/versions/<number>/check/",
            "/games/<game_id>/table/",
            "/tournaments/bot-panel/<slug>/",
            "/tournaments/bot-panel/<slug>/diary/",
            "/tournaments/bot-panel/<slug>/v<number>/",
            "/bots/<slug>/versions/<number>/check/game/",
            "/tournaments/<slug>/live/",
            "/tournaments/<slug>/reveal/rows/",
        ),
        PART,
    ),
    "/accounts/two-factor/authenticate/": "only between the password and the code",
    "/accounts/two-factor/reauthenticate/": ASKS_AGAIN,
    "/accounts/password/set/": "only for accounts without a password, which this site has none of",
    "/puzzles/next/": ELSEWHERE,
}
"""Addresses that have no picture, and why."""


def is_djangos(route: str) -> bool:
    """Whether a page of the administration is Django's own, like all others of its kind."""
    ours = ("/admin/overview/", "/admin/moderation/desk/")
    return route.startswith("/admin/") and route != "/admin/" and not route.startswith(ours)
