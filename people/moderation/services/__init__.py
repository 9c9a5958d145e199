"""Decisions of moderation."""
