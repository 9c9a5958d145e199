"""Properties of the engine that hold for every game, and its agreement with the oracle."""
