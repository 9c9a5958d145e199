"""Every check of the project; ./crapette test runs them all."""
