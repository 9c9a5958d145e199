"""A bot that learns what positions are worth, from nothing to an upload (README.md beside this file)."""
