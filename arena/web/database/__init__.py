"""What the database is asked: prepared statements, views of one moment, and a second try."""
