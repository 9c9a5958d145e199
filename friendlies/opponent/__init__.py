"""The process that runs a person's opponent, and the code that talks to it. No Django."""
