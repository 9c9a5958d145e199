"""Where files are: records of old games, and static files."""
