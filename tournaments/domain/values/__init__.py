"""What a position is worth: the published value functions, one a variant, with their version.

V(public position, seat to move) is the expected result and the expected margin. It is learned offline by
`python -m tournaments.domain.values.train` from games of bots of our own on deals of its own, and never from
the games that it corrects. It serves `tournaments.domain.luck`; no rating depends on it.

Version 1 is a network alone. Version 2 values the last cards turned up by playing on (`rollouts`); its files
hold the version of the network for those before, and the fitted shares. For `vitesse` (`race_function`) there
is no network: games are played on from the first card.
"""

from tournaments.domain.values.function import VERSION, ValueFunction, covered, load, measured

__all__ = ["VERSION", "ValueFunction", "covered", "load", "measured"]
