"""What the operator sees while the site starts: one line a step, finished with what came of it."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager


class StartProgress:
    """Prints "  step … outcome" lines."""

    def say(self, words: str = "") -> None:
        """One whole line."""
        sys.stdout.write(words + "\n")
        sys.stdout.flush()

    @contextmanager
    def step(self, name: str) -> Iterator[list[str]]:
        """A step's line: its name at once, and its outcome (put into the list) with the time it took."""
        begun = time.monotonic()
        outcome: list[str] = []
        sys.stdout.write(f"  {name:<12}")
        sys.stdout.flush()
        try:
            yield outcome
        except BaseException:
            self.say("failed")
            raise
        self.say(_outcome(outcome[-1] if outcome else "done", time.monotonic() - begun))

    def done(self, name: str, outcome: str, seconds: float) -> None:
        """The whole line of a step that was done elsewhere."""
        self.say(f"  {name:<12}{_outcome(outcome, seconds)}")


def _outcome(words: str, seconds: float) -> str:
    """What came of a step, with its time if that is worth a word."""
    return words + (f" ({seconds:.1f} s)" if seconds >= 0.5 else "")
