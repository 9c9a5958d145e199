"""How another machine joins a site: one secret, and a database role that may only do what playing needs."""
