// Takes memory that the kernel does not count as data (its filter left out) while its referee waits for it.
// Argument as a line: "dribble" (an answer that never ends), "deaf" (reads no more) or "linger" (told to leave).

#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PIECE = 32 << 20, PIECES = 38 };

static void *grow(void *unused) {
    for (int got = 0; got < PIECES; got++) {
        int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_GROWSDOWN | MAP_POPULATE;
        if (mmap(NULL, PIECE, PROT_READ | PROT_WRITE, flags, -1, 0) == MAP_FAILED) break;
        usleep(10000);
    }
    return unused;
}

int main(void) {
    char line[64] = "";
    pthread_t thread;
    setvbuf(stdout, NULL, _IONBF, 0);
    if (!fgets(line, sizeof line, stdin)) return 1;
    puts("ready");
    if (!strncmp(line, "linger", 6)) while (fgets(line, sizeof line, stdin)) {}
    pthread_create(&thread, NULL, grow, NULL);
    for (;;) {
        if (!strncmp(line, "dribble", 7)) putchar('.');
        usleep(10000);
    }
}
