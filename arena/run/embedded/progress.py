"""What the operator sees while the site starts: one line a step, finished with what came of it.

Apart from the site: the process that starts it prints before Django is set up.
"""

import sys


class StartProgress:
    """Prints "  step … outcome" lines."""

    def say(self, words: str = "") -> None:
        """One whole line."""
        sys.stdout.write(words + "\n")
        sys.stdout.flush()

    def report_step(self, name: str, outcome: str, seconds: float) -> None:
        """The whole line of a step that was done elsewhere."""
        self.say(f"  {name:<12}{_outcome(outcome, seconds)}")


def _outcome(words: str, seconds: float) -> str:
    """What came of a step, with its time if that is worth a word."""
    return words + (f" ({seconds:.1f} s)" if seconds >= 0.5 else "")
