"""``./crapette test``: runs every check of the project and gives one verdict."""
