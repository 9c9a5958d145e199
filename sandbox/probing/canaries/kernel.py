"""Reaches for a part of the kernel no bot needs: it must be ended on the spot."""

import ctypes

ctypes.CDLL(None).ptrace(0, 0, 0, 0)
print("escaped: ptrace answered")
