// family: memory
// does: names itself like a line of its own status and takes memory that the kernel counts as a stack
// contained by: seccomp: no mremap where the stack lies; its size is sampled, and its name is no figure
// expect: denied
// without: seccomp memory-samples

#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>

int main(void) {
    prctl(PR_SET_NAME, "VmHWM: 9 kB\n) Z", 0, 0, 0);
    getchar();
    volatile char here = 0;
    char *page = (char *)((uintptr_t)&here & ~4095UL) - 65536;
    page[0] = 1;
    size_t size = 1200UL << 20;
    char *large = mremap(page, 4096, size, MREMAP_MAYMOVE);
    if (large == MAP_FAILED) {
        puts("denied");
        return 0;
    }
    memset(large, 1, size);
    puts("escaped: 1200 MB");
    return 0;
}
