"""The process that plays a person's opponents, and the site's end of it. No Django."""
