"""What an author uses without the site: the SDK, and the commands that play, check, upload and verify."""
