"""What the operator sees while the site starts: one line a step, finished with what came of it."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager


class Progress:
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
        took = time.monotonic() - begun
        self.say((outcome[-1] if outcome else "done") + (f" ({took:.1f} s)" if took >= 0.5 else ""))
