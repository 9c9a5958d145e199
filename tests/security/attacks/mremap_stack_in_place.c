// family: memory
// does: enlarges copies of a page of its stack made by the kernel, one after the other
// contained by: seccomp: no mremap where the stack lies; its size is sampled
// expect: denied
// without: seccomp memory-samples

#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

int main(void) {
    getchar();
    volatile char here = 0;
    char *page = (char *)((uintptr_t)&here & ~4095UL) - 65536;
    page[0] = 1;
    char *moved = mremap(page, 4096, 4096, MREMAP_MAYMOVE | MREMAP_DONTUNMAP);
    if (moved == MAP_FAILED) moved = mremap(page, 4096, 4096, MREMAP_MAYMOVE | MREMAP_FIXED, (void *)0x10000000UL);
    if (moved == MAP_FAILED) {
        puts("denied");
        return 0;
    }
    size_t size = 600UL << 20;
    char *large = mremap(moved, 4096, size, MREMAP_MAYMOVE);
    if (large == MAP_FAILED) {
        puts("denied");
        return 0;
    }
    memset(large, 1, size);
    puts("escaped: 600 MB");
    return 0;
}
