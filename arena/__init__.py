"""The Django project: settings, addresses, processes, accounts, and what all apps share."""

__version__ = "0.1.0"
