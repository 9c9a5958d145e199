"""Django's backend of PostgreSQL, which asks less often whether a connection still works."""
