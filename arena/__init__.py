"""The project around the apps: settings, addresses, servers, accounts and what every page shares."""

__version__ = "0.1.0"
