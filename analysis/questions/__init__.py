"""What people ask of a position, as values: what if, and why a move is not legal."""
