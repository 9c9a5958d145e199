"""What the pages show, as plain values: rows with names, addresses and figures ready to be printed."""
