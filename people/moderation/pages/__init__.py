"""Pages for people, and the desk of moderators."""
