"""What a position is worth: the published value functions, one a variant, with their version.

V(public position, seat to move) is the expected result and the expected margin. It is learned offline by
`python -m tournaments.domain.values.train` from games of bots of our own on deals of its own, and never from
the games that it corrects. It serves `tournaments.domain.luck`; no rating depends on it.
"""

from tournaments.domain.values.function import VERSION, ValueFunction, covered, load

__all__ = ["VERSION", "ValueFunction", "covered", "load"]
