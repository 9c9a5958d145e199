/* Plays any legal move: the smallest bot in C, and a model for every language that compiles to a static Linux x86-64
 * executable:  gcc -static -O2 -o bot bot.c
 *
 * It looks for three fields in the line instead of parsing JSON. That is sound here: ids and moves are plain ASCII
 * without escapes, and what we ask not to be sent ("position", "events") cannot be mistaken for them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Return what follows "key": in the line, or NULL. */
static const char *field(const char *line, const char *key) {
    const char *at = strstr(line, key);
    return at ? at + strlen(key) : NULL;
}

/* Copy the n-th quoted string of a list into `out`; return how many there are. */
static int nth_string(const char *list, int n, char *out, size_t size) {
    int count = 0;
    while (*list && *list != ']') {
        if (*list++ != '"')
            continue;
        size_t length = strcspn(list, "\"");
        if (count++ == n && length < size) {
            memcpy(out, list, length);
            out[length] = '\0';
        }
        list += length + 1;
    }
    return count;
}

int main(void) {
    char *line = NULL, id[64] = "", move[32] = "";
    size_t capacity = 0;
    unsigned seed = 1;
    FILE *random = fopen("/dev/urandom", "rb");
    if (random && fread(&seed, sizeof seed, 1, random) == 1)
        srand(seed);

    while (getline(&line, &capacity, stdin) > 0) {
        const char *type = field(line, "\"type\":"), *legal = field(line, "\"legal\":");
        if (!type)
            continue;
        if (!strncmp(type, "\"hello\"", 7)) {
            puts("{\"type\":\"ready\",\"name\":\"random-c\",\"position\":false,\"events\":false,\"ticks\":true}");
        } else if ((!strncmp(type, "\"move\"", 6) || !strncmp(type, "\"tick\"", 6)) && legal) {
            nth_string(field(line, "\"id\":"), 0, id, sizeof id);
            nth_string(legal, rand() % nth_string(legal, -1, NULL, 0), move, sizeof move);
            printf(type[1] == 't' ? "{\"id\":\"%s\",\"action\":\"%s\"}\n"
                                  : "{\"id\":\"%s\",\"moves\":[\"%s\"]}\n",
                   id, move);
        } else if (!strncmp(type, "\"end\"", 5)) {
            break;
        }
        fflush(stdout);
    }
    return 0;
}
