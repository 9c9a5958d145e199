"""``python -m arena.run.embedded.worker``: the embedded site's tasks, beside the process that serves.

It makes tables, static files and house bots ready first. Then it plays games, asks bots, checks uploads and
counts, exactly as a worker process of production does; its queue is in its own memory, and what others ask
for comes through the bus.
"""

import gc
import logging
import os
import signal
import sys
import threading
import time
from collections.abc import Callable

from sandbox import inherited_signals

inherited_signals.accept()
# Ctrl-C reaches every process of a terminal; the parent says what is to be done.
signal.signal(signal.SIGINT, signal.SIG_IGN)
# What is read now stays for good: looking through it for garbage again and again takes a tenth of the start.
gc.disable()

import django  # noqa: E402
from django.core.exceptions import ImproperlyConfigured  # noqa: E402

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "arena.settings")
try:
    django.setup()
except ImproperlyConfigured:
    os._exit(1)  # the parent finds the same, and says it

from channels.layers import get_channel_layer  # noqa: E402 (these need the apps loaded)
from django.db import connections  # noqa: E402

from arena.run.bus import Bus  # noqa: E402 (these need the apps loaded)
from arena.run.embedded import preparation  # noqa: E402
from arena.run.embedded.first_tasks import describe_workers, take_up_work  # noqa: E402
from arena.run.workers import Workers  # noqa: E402
from arena.run.workers.roles import PLAY_NICE, everything  # noqa: E402
from arena.run.workers.sandbox import in_words  # noqa: E402
from arena.web import worker_messages  # noqa: E402
from arena.web.processes import shutdown  # noqa: E402
from tournaments.questions import leases  # noqa: E402

log = logging.getLogger("arena.run.worker")

LOOK_SECONDS = 1.0
CONNECTION_SECONDS = 600
LATE = 4
"""The exit code when some work did not end in time."""


def main() -> int:
    """Work until the parent says stop; end at once if it is gone."""
    bus = Bus.from_parent()
    os.nice(PLAY_NICE)
    # Threads that take tasks live long: a connection for each task costs more than most tasks.
    connections.settings["default"]["CONN_MAX_AGE"] = CONNECTION_SECONDS
    # What comes before the workers take tasks waits in the queue's memory.
    leases.listen(lambda: bus.send({"do": "wake"}))
    workers = Workers(everything())
    if preparation.is_up_to_date():
        # Otherwise the first page comes first.
        workers.examiner.start()
    gc.freeze()
    gc.enable()
    begun = threading.Event()
    while (message := bus.receive()) is not None:
        if "task" in message:
            worker_messages.send(
                message["task"], *message["arguments"], delay_seconds=message["delay_seconds"]
            )
        elif "group" in message:
            get_channel_layer().deliver(message)
        elif message["do"] == "begin":
            threading.Thread(target=_work, args=(workers, bus, begun), name="work", daemon=True).start()
        elif message["do"] == "stop":
            threading.Thread(target=_stop, args=(workers, begun), name="stop", daemon=True).start()
    # As at a power cut: what was under way is in the database, the next start takes it up.
    os._exit(1)


def _work(workers: Workers, bus: Bus, begun: threading.Event) -> None:
    """Make everything ready, take up what waits and start the workers; end the process when one of them has
    ended by a fault."""
    try:
        _tell(bus, "database", preparation.migrate)
        _tell(bus, "pages", preparation.collect_static)
        _tell(bus, "house bots", preparation.register_bots)
    except ImproperlyConfigured as error:
        bus.send({"refused": str(error)})
        return
    except Exception:
        log.exception("the site could not be made ready")
        bus.send({"refused": ""})
        return
    bus.send({"prepared": True})
    try:
        workers.examiner.start()
        _tell(bus, "sandbox", lambda: in_words(workers.examiner.first()))
        _tell(bus, "games", take_up_work)
        begun.set()
        workers.start(beat=True)
        _tell(bus, "workers", describe_workers)
        bus.send({"ready": True})
        while not (ended := workers.find_ended()) or shutdown.is_announced():
            time.sleep(LOOK_SECONDS)
        log.critical("no task was taken any more from %s; the worker ends", ", ".join(ended))
    except Exception:
        log.exception("the worker failed")
    # The parent starts another.
    os._exit(1)


def _tell(bus: Bus, step: str, do: Callable[[], str]) -> None:
    """Do a step of the start and have its outcome said."""
    since = time.monotonic()
    outcome = do()
    bus.send({"step": step, "outcome": outcome, "seconds": time.monotonic() - since})


def _stop(workers: Workers, begun: threading.Event) -> None:
    """Give games under way back, then end; the exit code says whether that was done in time."""
    in_time = workers.stop() if begun.is_set() else True
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0 if in_time else LATE)


if __name__ == "__main__":
    sys.exit(main())
