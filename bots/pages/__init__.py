"""Pages for bots: they translate requests for what decides, and errors into sentences."""
