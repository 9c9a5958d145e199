"""Programs that train a bot, from nothing to an upload."""
