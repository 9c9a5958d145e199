"""The commands that talk to a site, and how they do."""
