"""Proves that the sandbox holds: canaries try to break out, and each sandbox is attested."""
