"""Records of finished games: where they are read from, and what is made of them."""
