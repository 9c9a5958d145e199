"""What holds a bot in: namespaces, filters of system calls, the jail, memory groups."""
