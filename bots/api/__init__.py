"""Routes of the API about bots: your own and everyone's, whom you follow, your token, and remote bots."""
