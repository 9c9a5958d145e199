"""The processes of a site, and what keeps them running."""
