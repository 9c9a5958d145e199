"""Does a consumer still take tasks? A connection may look alive and bring nothing."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

STUCK_SECONDS = 30.0


@dataclass(slots=True)
class Watch:
    """Notices that nothing is taken from a queue although something waits there and there is room for it."""

    seconds: float = STUCK_SECONDS
    clock: Callable[[], float] = time.monotonic
    _taken: int = -1
    _since: float | None = field(default=None)

    def stuck(self, waiting: int | None, taken: int, *, room: bool) -> bool:
        """Whether this has gone on too long, by what waits now (None: the broker does not answer), how many
        tasks were taken since the start, and whether another could be taken."""
        moved, self._taken = taken != self._taken, taken
        if moved or not waiting or not room:
            self._since = None
            return False
        if self._since is None:
            self._since = self.clock()
        return self.clock() - self._since >= self.seconds
