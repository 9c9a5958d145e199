"""Who meets whom: rounds, matches and pairs, the progress of an event, and what of it is hidden."""
