"""People: their pages, classes and moderation. This is the roof, which may know everything below."""
