"""Keeping a site's data: backups, restoring them, and moving a site to PostgreSQL."""
