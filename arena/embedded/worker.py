"""``python -m arena.embedded.worker``: the embedded site's tasks, in a process beside the one that serves.

It plays games, asks bots, checks uploads and counts, exactly as a worker process of production does; its
queue is in its own memory, and what others ask for comes through the bus.
"""

import os
import signal
import sys
import threading
import time

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "arena.settings")
django.setup()

from arena.bus import Bus  # noqa: E402 (these need the apps loaded)
from arena.common import messages  # noqa: E402
from arena.embedded.work import describe_workers, take_up_work  # noqa: E402
from arena.workers import Workers  # noqa: E402
from arena.workers.roles import everything  # noqa: E402
from tournaments.services.analyses import waking  # noqa: E402

NICE = 5
"""Pages go first; bots, referees and what supervises them share the rest."""


def main() -> int:
    """Work until the parent says stop; end at once if it is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    bus = Bus.inherited()
    os.nice(NICE)
    # What comes before the workers take tasks waits in the queue's memory.
    waking.listen(lambda: bus.send({"do": "wake"}))
    workers = Workers(everything())
    stopped = threading.Event()

    def begin() -> None:
        for step, words in (("games", take_up_work), ("workers", describe_workers)):
            begun = time.monotonic()
            if step == "workers":
                workers.start(beat=True)
            bus.send({"step": step, "outcome": words(), "seconds": time.monotonic() - begun})
        bus.send({"ready": True})

    while (message := bus.receive()) is not None:
        if "task" in message:
            messages.send(message["task"], *message["arguments"], delay_seconds=message["delay_seconds"])
        elif message["do"] == "begin":
            threading.Thread(target=begin, name="begin", daemon=True).start()
        elif message["do"] == "stop":
            threading.Thread(target=_stop, args=(workers, bus, stopped), name="stop", daemon=True).start()
    # As at a power cut: what was under way is in the database, the next start takes it up.
    os._exit(0 if stopped.is_set() else 1)


def _stop(workers: Workers, bus: Bus, stopped: threading.Event) -> None:
    """Give games under way back, then end."""
    bus.send({"stopped": workers.stop()})
    stopped.set()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)


if __name__ == "__main__":
    sys.exit(main())
