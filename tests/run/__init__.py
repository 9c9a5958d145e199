"""``./crapette test``: every check of the project, in one go and with one verdict."""
