"""What an author imports. Inside the sandbox this folder is on the path: ``from crapette import run``."""
