"""What every command shares: its arguments, what it writes to the terminal, and its exit status."""
