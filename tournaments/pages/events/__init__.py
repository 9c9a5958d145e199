"""Pages of events: the list, one with its standings, its rounds, organisers and downloads."""
