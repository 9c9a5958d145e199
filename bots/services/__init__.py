"""Decisions about bots. Views, tasks and commands call these services."""
