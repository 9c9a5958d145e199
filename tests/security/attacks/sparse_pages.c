// family: memory
// does: maps single pages a gigabyte apart: each takes two more for its page tables, which no limit counts
// contained by: its size is sampled, with its page tables
// expect: memory
// without: memory-samples

#include <stdio.h>
#include <sys/mman.h>

int main(void) {
    getchar();
    char *where = (char *)0x100000000000UL;
    int got = 0;
    for (; got < 60000; got++, where += 1UL << 30) {
        char *page = mmap(where, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
        if (page == MAP_FAILED) break;
        *page = 1;
    }
    printf("escaped: %d pages\n", got);
    fflush(stdout);
    while (getchar() != EOF) { }  // holds what it has
    return 0;
}
