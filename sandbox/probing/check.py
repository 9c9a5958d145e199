"""`python -m sandbox.probing.check [LEVEL]` tells operators whether bots can be contained on this host."""

from __future__ import annotations

import json
import sys

from sandbox.probing.probe import probe


def main() -> int:
    """Print the report as JSON; return 0 if games can be played."""
    report = probe(sys.argv[1] if len(sys.argv) > 1 else None)
    sys.stdout.write(json.dumps(report.as_dict(), indent=2) + "\n")
    return 0 if report.ok else 1


if __name__ == "__main__":
    sys.exit(main())
