"""Pages for bots. Views translate requests for services and selectors, and errors into sentences."""
