"""The whole site as one process, for ``./crapette up``: server, workers, beat, SQLite and an in-memory queue.

Nothing of it is needed in production, where the Procfile starts each part as a process of its own.
"""
