"""What a position is worth: the published value functions, one per variant, with a version.

V(public position, seat to move) is the expected result and the expected margin. It is learned offline by
`python -m analysis.training.train` from self-play on its own deals, and never from the games that it
corrects. It serves `analysis.luck.turns`; no rating depends on it.

Version 1 was a network alone; its networks still value the deal's open cards and the positions that pages
show. Version 2 valued the last 24 cards by playing on, in new deals for each. Version 3 plays on from the
first card, in the same ways for all (`rollouts`); its files hold the version of their network, how many ways
and the fitted shares. Version 4 uses these files and plays each seat on as its bot plays (`seat_policies`),
where the greedy bot played for everybody before. For `vitesse` (`TickValues`) there is no network.
Results keep the version that they were measured by.
"""

from analysis.values.published import VERSION, covers, measures_luck

__all__ = ["VERSION", "covers", "measures_luck"]
