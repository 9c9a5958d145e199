"""What a bot sees: the stage with interpreters and libraries, kept where lookups leave no trace."""
