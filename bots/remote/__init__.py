"""Bots on their authors' own machines: how they are created, and who of them is connected."""
