"""Reads memory that is not there."""

import ctypes

from crapette import run

run(lambda turn: ctypes.string_at(0))
