"""Classes: a teacher, their students and their bots, and events for them alone."""
