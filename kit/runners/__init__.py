"""Where bots run: in the arena's sandbox, or as ordinary programs if the author says so."""
