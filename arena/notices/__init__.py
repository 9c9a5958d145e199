"""Tells people what happened to their bots, tests and tournaments: in the site, by e-mail and by webhook."""
