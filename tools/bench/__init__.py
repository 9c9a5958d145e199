"""Benchmarks. Each module `X_bench` is the command `./crapette bench X`."""
