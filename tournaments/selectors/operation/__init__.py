"""Reads of how the competition runs: health, figures for operators, the queue and the audit."""
