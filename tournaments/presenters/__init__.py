"""What pages show, as plain values: rows with names, addresses and figures."""
