"""Pages for bots: views translate requests for services and selectors, and errors into sentences."""
