"""Questions people ask about a position: what if, and why is a move illegal."""
