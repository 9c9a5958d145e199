"""How much a run of the tests plays: a sample, or as much as continuous integration (``--thorough``)."""

import os
from typing import Final

VARIABLE: Final = "CRAPETTE_TEST_THOROUGH"
"""The variable that is set, to anything, in a thorough run."""
THOROUGH: Final = bool(os.environ.get(VARIABLE))
