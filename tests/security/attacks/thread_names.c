// family: output
// does: gives itself and its threads names that are no text, its command line two megabytes, and aborts
// contained by: the parsers: what it writes about itself is read as bytes, and none of it is believed
// expect: crashed

#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

static void *named(void *name) {
    prctl(PR_SET_NAME, name, 0, 0, 0);
    pause();
    return NULL;
}

int main(int count, char **arguments) {
    if (count == 1) {
        static char padding[100000], *more[20];
        memset(padding, ')', sizeof padding - 1);
        memcpy(padding, "\nVmHWM: 1 kB\n", 13);
        more[0] = arguments[0];
        for (int number = 1; number < 9; number++) more[number] = padding;
        execve(arguments[0], more, more);
        puts("no exec");
    }
    prctl(PR_SET_NAME, "\xff\xfe) Z\nVmHWM:x", 0, 0, 0);
    char *names[] = {"VmHWM:", "voluntary_ctxt", "RssAnon: 0 kB", "\xc3\x28)"};
    for (int number = 0; number < 4; number++) {
        pthread_t thread;
        pthread_create(&thread, NULL, named, names[number]);
    }
    getchar();
    usleep(200000);
    abort();
}
