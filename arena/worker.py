"""``python -m arena.worker``: the worker process of production, which plays games until it is told to end."""

import logging
import os
import signal
import threading

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "arena.settings")
django.setup()

from arena.workers import Workers  # noqa: E402 (its tasks need the apps loaded)

log = logging.getLogger("arena.worker")


def main() -> None:
    """Work until SIGTERM or SIGINT; games under way are given back to the queue then."""
    told = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: told.set())
    workers = Workers()
    workers.start(beat=False)
    log.info("taking tasks")
    # With a timeout, so that signals are seen in between.
    while not told.wait(1.0) and not workers.ended():
        pass
    ended = [] if told.is_set() else workers.ended()
    if ended:
        log.critical("the worker of %s ended by a fault; so does the process", ", ".join(ended))
    log.info("stopping")
    if not workers.stop():
        log.warning("some work did not end in time; its lease will run out and another worker takes it up")
    logging.shutdown()
    # The threads of a pool would be waited for without end, and what they did is in the database.
    os._exit(1 if ended else 0)


if __name__ == "__main__":
    main()
