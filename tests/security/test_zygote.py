"""Bots that are forked from a zygote: alone in their namespaces, with their own modules, ending as ever."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.security.arena import HONEST, ask_runner, store

if TYPE_CHECKING:
    from sandbox import Stage

START = """
directories = job["directories"]


def plan(number=0, make=SandboxPlan):
    return planned(directories[number], level="full", make=make)


def namespaces(pid):
    return {name: os.readlink(f"/proc/{pid}/ns/{name}") for name in bubblewrap.NAMESPACES}
"""
BORROWS = b"""
import random
from crapette import name
input()
print(name, random.name, flush=True)
"""
OWN = {"random.py": b"name = 'own'\n", "crapette.py": b"name = 'mine'\n"}


def try_bots(stage: Stage, source: str, *bots: dict[str, bytes]) -> Any:
    """Store the bots, run `source` after START as the runner; the JSON it printed."""
    directories = [str(store(stage, bot, "bot.py")) for bot in bots]
    return ask_runner(stage, START + source, {"directories": directories})


def test_bots_of_one_zygote_share_no_namespace(stage: Stage) -> None:
    source = """
bots = [start(plan()) for _ in range(4)]
parent = zygote.of(plan())
seen = [namespaces(pid) for pid in (parent.host_pid, *(bot.host_pid for bot in bots))]
said = [heard(bot) for bot in bots]
tell([said, [len({each[name] for each in seen[1:]}) for name in seen[0]],
      sorted(name for name in seen[0] if seen[0][name] in [each[name] for each in seen[1:]]),
      len({os.getpgid(one.host_pid) for one in (parent, *bots)}),
      len({os.getsid(one.host_pid) for one in (parent, *bots)})])
for bot in bots:
    bot.close()
"""
    said, kinds, shared, groups, sessions = try_bots(stage, source, {"bot.py": HONEST})
    assert said == ["heard word"] * 4
    assert kinds == [4] * 7
    assert shared == []
    assert groups == 5, "nobody else gets a signal to a bot's group"
    assert sessions == 1, "which was told to yield once"


def test_a_keeper_that_leaves_its_bot_the_zygotes_mounts_is_seen(stage: Stage) -> None:
    source = """
bubblewrap.CLONE_ALWAYS = 0x02000000
try:
    start(plan())
except SandboxUnavailable as error:
    tell(str(error))
"""
    assert try_bots(stage, source, {"bot.py": HONEST}) == (
        "layers of the sandbox are missing: mnt namespace of its own"
    )


def test_a_bot_has_its_own_modules_whatever_the_zygote_has_imported(stage: Stage) -> None:
    source = """
told = []
for number in (0, 0, 0, 0, 1, 0):
    bot = start(plan(number))
    told.append(heard(bot))
    bot.close()
tell(told)
"""
    other = (
        b"import random, crapette\ninput()\nprint(hasattr(random, 'Random'), crapette.PROTOCOL, flush=True)\n"
    )
    told = try_bots(stage, source, {"bot.py": BORROWS, **OWN}, {"bot.py": other})
    assert told == [*["mine own"] * 4, "True 1", "mine own"]


def test_where_a_zygote_can_make_no_namespaces_bubblewrap_starts_each_bot(stage: Stage) -> None:
    source = """
class Refused(SandboxPlan):
    clone_flags = 0x800

bot = start(plan(make=Refused))
tell([zygote.of(plan(make=Refused)), heard(bot), bot.close().words])
"""
    assert try_bots(stage, source, {"bot.py": HONEST}) == [None, "heard word", "was ended by the referee"]


def test_a_zygote_that_was_killed_is_replaced(stage: Stage) -> None:
    source = """
first = start(plan())
parent = zygote.of(plan())
os.kill(parent.host_pid, signal.SIGKILL)
try:
    first.read_line(soon())
except BotFault as fault:
    said = type(fault).__name__
first.close()
parent.process.wait(60)
second = start(plan())
tell([said, heard(second), zygote.of(plan()).host_pid != parent.host_pid])
second.close()
"""
    assert try_bots(stage, source, {"bot.py": HONEST}) == ["BotExited", "heard word", True]


LAST = {
    "pass": (0, ""),
    "sys.exit()": (0, ""),
    "sys.exit(3)": (3, ""),
    "sys.exit('why')": (1, "why\n"),
    "os.close(0); sys.stdin = None; sys.exit(-1)": (255, ""),
    "sys.stdout.close()": (0, ""),
    "raise MemoryError": (86, "MemoryError\n"),
}
ENDS = """
import atexit, os, sys
atexit.register(lambda: os.write(2, b"at exit\\n"))
input()
sys.stdout.reconfigure(line_buffering=False)
print("last words")
"""


def test_a_bot_ends_as_any_python_program_does(stage: Stage) -> None:
    source = """
found = []
for number in range(len(directories)):
    bot = start(plan(number))
    said = heard(bot)
    bot.close_input()
    bot.read_to_end(soon(), 1000)
    end = bot.close()
    found.append([said, end.code, end.stderr.decode()])
tell(found)
"""
    found = try_bots(stage, source, *({"bot.py": f"{ENDS}{last}".encode()} for last in LAST))
    for (last, (code, stderr)), (said, status, printed) in zip(LAST.items(), found, strict=True):
        assert (said, status) == ("last words", code), last
        assert printed.endswith("at exit\n")
        assert printed.removesuffix("at exit\n").endswith(stderr)
