"""A bot that learns what positions are worth, from nothing to an upload (docs/author/training.md)."""

import os

# Before NumPy is imported: matrices this small take longer with several threads than with one.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
