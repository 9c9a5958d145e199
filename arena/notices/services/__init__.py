"""Decisions about notices. Services of other apps call :func:`tell`."""
