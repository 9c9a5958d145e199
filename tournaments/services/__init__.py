"""Decisions about tournaments. Views, tasks, the admin and commands call these services."""
