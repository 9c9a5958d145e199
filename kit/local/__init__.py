"""The commands that work on this machine: they make, check, play, compare and tune bots."""
