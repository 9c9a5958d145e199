"""The layers that contain a bot: namespaces, system call filters, the jail, memory cgroups."""
