# family: memory
# does: raises its own limits
# contained by: the kernel: hard limits, no capabilities
# expect: denied

import resource

input()
done = []
for name in ("RLIMIT_AS", "RLIMIT_NOFILE", "RLIMIT_NPROC", "RLIMIT_FSIZE", "RLIMIT_CPU", "RLIMIT_MEMLOCK"):
    number = getattr(resource, name)
    try:
        resource.setrlimit(number, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        done.append(name)
    except (OSError, ValueError):
        pass
print("escaped: raised " + ", ".join(done) if done else "denied")
