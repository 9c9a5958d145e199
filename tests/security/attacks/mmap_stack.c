// family: memory
// does: maps memory that grows down, which the kernel counts as a stack and not as data, and writes it
// contained by: seccomp: no MAP_GROWSDOWN; its size is sampled
// expect: denied
// without: seccomp memory-samples

#include <stdio.h>
#include <sys/mman.h>

int main(void) {
    getchar();
    int got = 0;
    for (; got < 19; got++) {
        int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_GROWSDOWN | MAP_POPULATE;
        if (mmap(NULL, 64 << 20, PROT_READ | PROT_WRITE, flags, -1, 0) == MAP_FAILED) break;
    }
    printf("%s: %d MB\n", got > 8 ? "escaped" : "denied", got * 64);
    return 0;
}
