"""What all apps share: policy headers, the import map, live rooms, worker heartbeats, names."""
