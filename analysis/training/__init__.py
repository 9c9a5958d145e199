"""Trains the value functions: self-play, fits and shares. `train` runs all of it."""
