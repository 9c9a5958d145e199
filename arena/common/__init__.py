"""What every page shares: the policy headers, the import map, the heartbeat of the workers."""
