"""How much of a result was luck."""
