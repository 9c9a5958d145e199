"""Reports of what strangers wrote, decisions of moderators about them, and appeals."""
