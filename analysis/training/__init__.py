"""How the value functions were learned: self-play, fits, shares; `train` does it all."""
