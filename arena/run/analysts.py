"""The analysis process beside a worker of production."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.children import Child
from arena.web import worker_messages
from tournaments.services.questions import wakeup

if TYPE_CHECKING:
    from arena.bus import Message


def start_analysts() -> Child:
    """Start the analysis process. Messages of the queue `analysis` wake it from now on."""
    child = Child("arena.run.analysis", _heard)
    child.start()
    child.begin()
    wakeup.listen(lambda: child.send({"do": "wake"}))
    return child


def _heard(message: Message) -> None:
    """What an analysis worker asks of other workers."""
    if "task" in message:
        worker_messages.send(message["task"], *message["arguments"], delay_seconds=message["delay_seconds"])
