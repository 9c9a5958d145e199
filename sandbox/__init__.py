"""Runs strangers' programs, contained, one by `spawn`. docs/operate/sandbox.md says which layer holds what.

No Django in here, and nothing third-party except where the filters are built.
"""

from sandbox.errors import (
    BotExited,
    BotFault,
    BotFlooded,
    BotOutOfCpu,
    BotOutOfMemory,
    BotSilent,
    KilledByHost,
    SandboxUnavailable,
)
from sandbox.exit_causes import Exit
from sandbox.identity import as_runner, runner_identity
from sandbox.launch import spawn
from sandbox.model import Attestation, BotLimits, Language, Level, Program, memory_of
from sandbox.probing.probe import Report, probe
from sandbox.process import Process
from sandbox.staging.stage import Stage

__all__ = [
    "Attestation",
    "BotExited",
    "BotFault",
    "BotFlooded",
    "BotLimits",
    "BotOutOfCpu",
    "BotOutOfMemory",
    "BotSilent",
    "Exit",
    "KilledByHost",
    "Language",
    "Level",
    "Process",
    "Program",
    "Report",
    "SandboxUnavailable",
    "Stage",
    "as_runner",
    "memory_of",
    "probe",
    "runner_identity",
    "spawn",
]
