"""The whole site with one command, for ``./crapette up``: SQLite, queues in memory, and three processes.

This one serves pages. Beside it, started and ended with it, one plays games and does every other task, and
one works out whatever takes thought (`arena.run.analysis`). In production the Procfile starts each by itself.
"""
