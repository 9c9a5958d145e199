"""Reads of the competition: what pages, sockets and health checks show. Nothing here writes."""
