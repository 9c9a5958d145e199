"""The cache of pages and of what they show, invalidated by counters that triggers in the database keep."""
