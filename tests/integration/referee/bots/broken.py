"""Fails before it is ready."""
