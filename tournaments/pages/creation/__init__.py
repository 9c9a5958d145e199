"""Pages that ask for an event or a test, change one, and enter bots in it."""
