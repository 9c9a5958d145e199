"""Benchmarks: each module is one `./crapette bench ...`."""
