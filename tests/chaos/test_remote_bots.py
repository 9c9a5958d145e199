"""Remote bots on every open board of a production site whose connections are cut and processes killed."""

import json
import os
import signal
from pathlib import Path

from engine.boards import BOARDS
from tests import servers
from tests.processes import descendants
from tests.production import HOST, Production, production_site
from tests.remote_bots import Arena, RemoteBot, Swarm

TWO = [board for board in BOARDS if "/" not in board]
MORE_SEATS = [board for board in BOARDS if "/" in board]
AUTHORS = 2 * len(TWO) + 4
"""Twenty: two on each board, and the last on those of more seats."""
MORE = 3
"""Games that are finished after each disturbance before the next."""
CREATE = """
import json
from arena.accounts.models import User
from arena.web.models import Limit
from bots.bots import withdraw_bot
from bots.models import Bot, Scope
from bots.remote.creation import find_or_create
from bots.tokens import create_token
from tournaments.models import Tournament
Tournament.objects.filter(format="ladder").update(status="cancelled")  # and think of nothing else
for bot in Bot.objects.filter(is_house=True).exclude(slug="greedy"):
    withdraw_bot(bot)
Limit.objects.create(name="remote_connects_per_minute", value=1000)  # all are of one address
made = []
for number in range({authors}):
    owner = User.objects.create_user(f"author-{{number}}")
    token = create_token(owner, "remote", [Scope.REMOTE])[1]
    made.append((find_or_create(owner, f"Far {{number}}")[0].slug, token))
print(json.dumps(made))
"""
AUDIT = "import json; from tournaments.ratings.audit import audit_all; print(json.dumps(audit_all()))"


def remote_bot(site: Production, number: int, slug: str, token: str) -> RemoteBot:
    """The bot of an author, which takes its time: more games prove nothing more."""
    arena = Arena(site.port, HOST, {"X-Forwarded-Proto": "https"})
    if number >= 2 * len(TWO):
        return RemoteBot(arena, slug, token, 2, moves=3, thinks=1.2, boards=MORE_SEATS)
    return RemoteBot(arena, slug, token, 1, moves=3, thinks=1.2, boards=[TWO[number % len(TWO)]])


class OpenBoards:
    def __init__(self, site: Production) -> None:
        self.site = site

    def finished(self) -> int:
        return int(str(self.site.rows("SELECT count(*) FROM tournaments_result")[0][0]))

    def boards(self) -> set[str]:
        found = self.site.rows(
            "SELECT DISTINCT t.slug FROM tournaments_result r JOIN tournaments_game g ON g.id = r.game_id"
            " JOIN tournaments_tournament t ON t.id = g.tournament_id WHERE t.admits_remote"
        )
        return {str(slug).removeprefix("ladder-open-") for (slug,) in found}

    def wait_for_more(self, swarm: Swarm) -> None:
        until = self.finished() + MORE

        def enough() -> bool:
            swarm.check()
            return self.finished() >= until

        self.site.until(enough, f"{until} finished games")


def test_games_of_remote_bots_are_played_once_whatever_is_cut_off_and_killed(
    tmp_path: Path, postgresql_url: str
) -> None:
    with servers.Redis() as redis, production_site(tmp_path, postgresql_url, redis.url) as site:
        # Another test tries what becomes of sessions that sleep in a transaction.
        site.environment["DATABASE_URL"] = site.database
        site.release()
        made = json.loads(site.manage("shell", "--no-imports", "-c", CREATE.format(authors=AUTHORS)))
        site.start("web", "worker", "beat")
        boards = OpenBoards(site)
        with Swarm(remote_bot(site, number, *one) for number, one in enumerate(made)) as swarm:
            everywhere = {board.replace("/", "-") for board in BOARDS}
            site.until(lambda: boards.boards() == everywhere, "a game on every open board")

            swarm.cut()
            boards.wait_for_more(swarm)

            assert site.stop("web") == {"web": -signal.SIGTERM}
            site.start("web")
            boards.wait_for_more(swarm)

            (player,) = [
                one.pid
                for one in descendants(site.processes["worker"].pid)
                if "arena.run.worker play" in one.command
            ]
            os.kill(player, signal.SIGKILL)
            boards.wait_for_more(swarm)

            redis.kill()
            redis.start()
            boards.wait_for_more(swarm)

            swarm.leave()
            site.until(lambda: swarm.left, "all bots to leave")
            counted, refused = swarm.over, {code for bot in swarm.bots for code in bot.refused}
        assert refused <= {"restarting"}
        # No seat was told twice that its game counts. Word of an end may be lost with Redis: it is void then.
        seats = site.rows(
            "SELECT count(*) FROM tournaments_result r JOIN tournaments_seat s ON s.game_id = r.game_id"
            " JOIN bots_version v ON v.id = s.version_id WHERE v.language = 'remote'"
        )
        counted.pop("void", 0)
        assert counted.total() <= int(str(seats[0][0]))
        endings = site.rows("SELECT DISTINCT termination FROM tournaments_result")
        assert set(endings) <= {("resignation",), ("win",), ("stop",), ("stall",), ("passes",)}
        delivered = "SELECT count(*) FROM tournaments_attempt WHERE cause = 'delivered'"
        assert site.rows(delivered) == [(boards.finished(),)]
        found = json.loads(site.manage("shell", "--no-imports", "-c", AUDIT))
        assert found
        assert not any(found.values()), found
        assert site.stop() == {"web": -signal.SIGTERM, "worker": 0, "beat": 0}, site.logs()
