"""How the competition runs: health, figures for operators, the queue, unfinished work, and old rows."""
