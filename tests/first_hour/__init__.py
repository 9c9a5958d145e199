"""The first hour of a new author: the tutorial's commands, run as they stand against a fresh site."""
