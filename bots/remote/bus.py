"""What playing and serving processes say to each other about remote bots, over the channel layer.

A bot's group is heard by the serving process that holds its connection; `WORKERS` by every worker, and a
worker's own group by that one. Any message may come twice, late or never: lines have numbers, whoever sent
one keeps it until it was answered, and a *probe* every few seconds finds out what the other side lacks.

From a worker to a bot's connection:

- ``game``: a sitting begins, with the frame that tells the author, unless the author holds it already
  (``again``);
- ``line``: line ``n`` for the program;
- ``probe``: is the sitting there, and which of the lines in ``open`` lacks it? An answer that was lost comes
  again;
- ``over``: the sitting's last frame;
- ``say``: a frame about no sitting, such as a rating.

From a connection to workers:

- ``online`` (to all): which sittings its program holds;
- ``lost`` (to all): its author's side has closed it;
- ``answer``: to line ``n``, with the microseconds it took the author's side;
- ``state``: to a probe: whether the sitting is ``known``, and the lines it lacks; ``forgotten`` says that the
  author was told that it is void;
- ``gone``: the author gives the sitting up.
"""

from __future__ import annotations

from typing import Any, Final

WORKERS: Final = "remote.workers"

Message = dict[str, Any]


def bot_group(bot: int) -> str:
    """The group of the process that holds a bot's connection."""
    return f"remote.bot.{bot}"


def worker_group(name: str) -> str:
    """The group of one worker process."""
    return f"remote.worker.{name}"
