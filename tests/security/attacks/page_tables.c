// family: memory
// does: reserves all the address space it gets and reads a byte of every other megabyte: page tables, and no data
// contained by: RLIMIT_AS, which leaves room for 9 MB of them; its size is sampled, with its page tables
// expect: bounded
// most: 4608
// without: rlimits

#include <stdio.h>
#include <sys/mman.h>

int main(void) {
    getchar();
    size_t got = 0, gigabyte = 1UL << 30;
    for (; got < 400; got++) {
        volatile char *page = mmap(NULL, gigabyte, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (page == MAP_FAILED) break;
        for (size_t at = 0; at < gigabyte; at += 2UL << 20) (void)page[at];
    }
    printf("bounded %zu\n", got << 10);
    return 0;
}
