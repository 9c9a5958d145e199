"""An empty seat: the person's, who answers to the site and is never asked here."""

from __future__ import annotations

from referee.player import PlayerEvidence


class EmptyChair:
    """Implements `referee.player.Player` for a seat that is never asked and never computes."""

    def send(self, line: bytes, deadline: float) -> None:
        """Nobody listens."""

    def ask(self, line: bytes, seconds: float, milliseconds: int) -> bytes | None:
        """Nobody answers."""

    def short_way(self) -> None:
        """There is none."""

    def receive(self, deadline: float) -> bytes | None:
        """Nobody answers."""

    def fileno(self) -> int:
        """Nobody answers."""
        return -1

    def cpu_ns(self) -> int:
        """No time is used here."""
        return 0

    def delayed_ns(self) -> int:
        """Nobody waits for a core."""
        return 0

    def sleeps(self) -> int:
        """Nobody sleeps."""
        return 0

    def pause(self) -> None:
        """Nobody is stopped."""

    def resume(self) -> None:
        """Nobody is woken."""

    def farewell(self, line: bytes) -> None:
        """Nobody leaves."""

    def close(self) -> PlayerEvidence:
        """Nothing is kept."""
        return PlayerEvidence()

    def kill(self) -> None:
        """Nobody is ended."""
