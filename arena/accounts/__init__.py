"""People: who may own bots and start tournaments."""
