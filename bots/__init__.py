"""Players: bots, their uploaded versions, the checks before they may play, and the pages around them."""
