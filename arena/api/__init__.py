"""The REST API of the site: everything it shows or does, for programs."""
