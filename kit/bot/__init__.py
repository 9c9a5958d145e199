"""An author's bot on disk: its files, its project, and how it is named on the command line."""
