"""Prepares what a bot sees (stage, interpreters, libraries) in memory, where lookups leave no trace."""
