"""The variants that a test is about."""

import engine

IN_TURNS = tuple(name for name, variant in engine.VARIANTS.items() if not variant.in_ticks)
"""Those in which seats take turns."""
