"""The documentation in the site: the project's own documents, the engine's docstrings, and a search."""
