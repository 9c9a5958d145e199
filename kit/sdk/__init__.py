"""The SDK for authors. In the sandbox this folder is on the path, so ``from crapette import run`` works."""
