"""Open websockets: who watches what, and what they are sent."""
