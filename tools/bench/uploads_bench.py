"""``./crapette bench uploads``: how fast pages are while many uploads arrive at once beside full load.

The embedded site plays tournaments on every core. A visitor walks the pages that home links to, first alone.
Then as many authors upload a bot at the same moment, each a legal zip whose inspection takes seconds, and the
visitor goes on until the last of them has its verdict or the time is up. The table shows how long pages took
before and meanwhile, how long the uploads' answers took, and how many had a verdict. Nothing is judged: the
visitor and the authors share the machine's cores with the site.
"""

from __future__ import annotations

import argparse
import io
import os
import platform
import sys
import tempfile
import time
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Final

from kit.site.client import Site as Program
from kit.site.client import SiteRefused, multipart, origin_of
from tools.bench.arena_bench import WARM_UP_SECONDS, say, session_nice
from tools.bench.arena_sites import Embedded, Production
from tools.bench.page_times import PageTimes, Visitor

if TYPE_CHECKING:
    from collections.abc import Sequence

BOT: Final = "from crapette import run\n\nrun(lambda turn: turn.legal[0])\n"
LINES: Final = 200_000
"""Of a module that only takes time to compile: two megabytes, of which the zip keeps a few kilobytes."""
AUTHORS: Final = """
from arena.accounts.models import User
from bots.models import Scope
from bots.tokens import create_token
for number in range({count}):
    print(create_token(User.objects.create_user(f"author-{{number}}"), "bench", list(Scope))[1])
"""


def main(words: Sequence[str] | None = None) -> int:
    """Measure and print."""
    asked = _arguments(words)
    say(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    if nice := session_nice():
        say(f"This shell's session has niceness {nice}, so pages look slower or faster than they are.")
    kind = Production if asked.production else Embedded
    with tempfile.TemporaryDirectory(prefix="crapette-bench-") as name, kind.made(Path(name)) as site:
        site.prepare(["greedy", "planner"], "crapaud")
        tokens = site.manage("shell", "--no-imports", "-c", AUTHORS.format(count=asked.uploads)).split()
        site.start(asked.jobs)
        visitor = Visitor(site.url, site.headers)
        time.sleep(WARM_UP_SECONDS)
        alone = visitor.visit(asked.seconds)
        content, begun = slow_zip(), time.monotonic()
        with ThreadPoolExecutor(len(tokens)) as authors:
            sending = [
                authors.submit(upload, site.url, token, f"Bench {number}", content)
                for number, token in enumerate(tokens)
            ]
            meanwhile, over = PageTimes(), 0
            while over < len(tokens) and time.monotonic() - begun < asked.longest:
                round_ = visitor.visit(2.0)
                meanwhile.failed += round_.failed
                for path, times in round_.by_path.items():
                    meanwhile.by_path.setdefault(path, []).extend(times)
                over = verdicts(site)
            took = time.monotonic() - begun
            answers = sorted(one.result() for one in sending)
        site.stop()
    say(_line("pages, without uploads", alone))
    say(_line(f"pages, {len(tokens)} uploads", meanwhile))
    say(f"answers to uploads: {answers[len(answers) // 2]:.0f} ms, slowest {answers[-1]:.0f} ms")
    say(f"{over} of {len(tokens)} uploads had a verdict after {took:.0f} s")
    return int(bool(alone.failed or meanwhile.failed))


def verdicts(site: Embedded | Production) -> int:
    """How many uploads are accepted or not."""
    final = "status NOT IN ('uploaded', 'checking') AND uploaded_by_id IS NOT NULL"
    return int(site.rows(f"SELECT count(*) FROM bots_version WHERE {final}")[0][0])


def upload(url: str, token: str, name: str, content: bytes) -> float:
    """Milliseconds until the site has received a bot."""
    begun = time.perf_counter()
    program = Program(origin_of(url), token)
    try:
        program.post("/api/v1/bots/", *multipart({"name": name}, "bot.zip", content))
    except SiteRefused as refusal:
        say(f"refused: {refusal}")
    return 1000 * (time.perf_counter() - begun)


def slow_zip() -> bytes:
    """A legal bot whose inspection takes seconds."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("bot.py", BOT)
        archive.writestr("book.py", "".join(f"a{number % 97} = 1\n" for number in range(LINES)))
    return packed.getvalue()


def _line(what: str, times: PageTimes) -> str:
    if not times.all:
        return f"{what}: none came"
    return (
        f"{what}: {len(times.all)} pages, p50 {times.middle:.0f} ms, p95 {times.at(0.95):.0f} ms, "
        f"slowest {times.all[-1]:.0f} ms{f', failed: {times.failed[:5]}' if times.failed else ''}"
    )


def _arguments(words: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="./crapette bench uploads",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("--uploads", type=int, default=20, help="that arrive at once (default: %(default)s)")
    add("--seconds", type=float, default=20.0, help="of pages without uploads (default: %(default)g)")
    add("--longest", type=float, default=180.0, help="seconds to wait for verdicts (default: %(default)g)")
    add("--jobs", type=int, default=os.cpu_count() or 1, help="games at once (default: %(default)s)")
    add("--production", action="store_true", help="measure the processes of the Procfile, not one site")
    return parser.parse_args(words)


if __name__ == "__main__":
    sys.exit(main())
