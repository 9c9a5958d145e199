"""Pages for bots: views translate requests into services' and selectors' words, and their errors into sentences."""
