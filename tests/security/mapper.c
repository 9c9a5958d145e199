// Plays two turns of a game, fills the kernel's books in one WAY, and then loses the game by one END.

#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#define GIGABYTE (1L << 30)
#define ANYWHERE ((char *)0x100000000000L)

static char line[1 << 20];

static volatile char *map(char *where, size_t size, int protection, int flags, int file) {
    void *found = mmap(where, size, protection, flags, file, 0);
    return found == MAP_FAILED ? NULL : found;
}

static void fill(int own) {
    volatile char *page;
    const int PRIVATE = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, WRITE = PROT_READ | PROT_WRITE;
    if (WAY == 0)  // every page of all address space, to read only
        while ((page = map(NULL, GIGABYTE, PROT_READ, PRIVATE, -1)))
            for (long at = 0; at < GIGABYTE; at += 4096) (void)page[at];
    if (WAY == 1)  // pages a gigabyte apart
        for (long at = 0; at < 20000 && (page = map(ANYWHERE + at * GIGABYTE, 4096, WRITE, PRIVATE | MAP_FIXED, -1)); at++) *page = 1;
    if (WAY == 2)  // as many mappings as there may be
        for (long at = 0; at < 70000 && (page = map(ANYWHERE + at * 8192, 4096, WRITE, PRIVATE | MAP_FIXED, -1)); at++) *page = 1;
    if (WAY == 3)  // its own file, shared, again and again
        for (long at = 0; at < 20000 && (page = map(NULL, 65536, PROT_READ, MAP_SHARED, own)); at++) (void)page[0];
    if (WAY == 4)  // shared memory, by every door there is
        if ((page = map(NULL, GIGABYTE, WRITE, MAP_SHARED | MAP_ANONYMOUS, -1)) ||
            (page = map(NULL, GIGABYTE, WRITE, MAP_SHARED, open("/dev/zero", O_RDWR))) ||
            (page = map(NULL, GIGABYTE, WRITE, MAP_SHARED, memfd_create("x", 0))))
            memset((char *)page, 1, GIGABYTE);
}

int main(int count, char **arguments) {
    int answered = 0, own = open(arguments[0], O_RDONLY);
    prctl(PR_SET_NAME, "VmPTE:\xff) Z", 0, 0, 0);
    while (fgets(line, sizeof line, stdin)) {
        char *id = strstr(line, "\"id\":\""), *move = strstr(line, "\"legal\":[\"");
        if (strstr(line, "\"hello\"")) {
            puts("{\"type\":\"ready\"}");
        } else if (id && move && answered++ < 2) {
            move += 10;
            printf("{\"id\":\"%.8s\",\"moves\":[\"%.*s\"]}\n", id + 6, (int)strcspn(move, "\""), move);
        } else if (id && move) {
            fill(own);
            if (END) abort();
            printf("{\"id\":\"%.8s\",\"resign\":true}\n", id + 6);
        }
        fflush(stdout);
    }
    return 0;
}
