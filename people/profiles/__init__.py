"""Pages about people: what somebody shows of themselves, and how people rank on the bots' scale."""
