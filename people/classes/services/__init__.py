"""Decisions about classes."""
