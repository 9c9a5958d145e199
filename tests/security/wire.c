// Two of these, in two sandboxes, try a wire: one waits on a page of a file, the other has the kernel wake it.
// Arguments come as lines: "wait" (until the next line), "clear" (a thread's clear_child_tid) or "robust" (its
// robust list).

#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static char *page;
static int *word; // zero in the file, as a pending entry of a robust list must be

static void *clear(void *unused) {
    syscall(SYS_set_tid_address, word);
    syscall(SYS_exit, 0);
    return unused;
}

static void *robust(void *unused) {
    static struct { void *next; long offset; void *pending; } head;
    head.next = &head;
    head.offset = 0;
    head.pending = word;
    syscall(SYS_set_robust_list, &head, sizeof head);
    syscall(SYS_exit, 0);
    return unused;
}

static void wait_until_told(void) {
    struct timespec patience = {0, 50000000};
    struct pollfd told = {0, POLLIN, 0};
    char line[64];
    long got = -1;
    puts("waiting");
    while (poll(&told, 1, 0) == 0)
        if (syscall(SYS_futex, word, FUTEX_WAIT, 0, &patience, NULL, 0) == 0) got = 0;
    if (fgets(line, sizeof line, stdin)) puts(got == 0 ? "woken" : "alone");
}

int main(int count, char **arguments) {
    char line[64] = "";
    (void)count;
    setvbuf(stdout, NULL, _IONBF, 0);
    int file = open(arguments[0], O_RDONLY);
    page = mmap(NULL, 4096, PROT_READ, MAP_SHARED, file, 0);
    if (page == MAP_FAILED || !fgets(line, sizeof line, stdin)) return 1;
    for (word = (int *)page; *word; word++) {}
    do {
        if (!strncmp(line, "wait", 4)) {
            wait_until_told();
        } else {
            pthread_t thread;
            for (int times = 0; times < 10; times++) {
                pthread_create(&thread, NULL, line[0] == 'c' ? clear : robust, NULL);
                usleep(10000);
            }
            puts("done");
        }
    } while (fgets(line, sizeof line, stdin));
    _exit(0);
}
