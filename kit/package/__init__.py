"""Makes the package `crapette` that authors install: source tree, wheels, and what a site serves."""
