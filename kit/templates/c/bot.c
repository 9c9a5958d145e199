/* My first bot: it ranks the legal moves by what they do, and plays the best.
 *
 * It looks for fields in the line instead of parsing JSON. That is sound here: ids and moves are plain ASCII without
 * escapes, and what we ask not to be sent (events) cannot be mistaken for them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *OTHERS[] = {"draw", "stop", "turn", "h-d", "wait", "pass"};

/* Return the n-th part of a text that `between` separates, from 0. */
static const char *part(const char *text, char between, int n) {
    while (n > 0 && *text && *text != '"')
        n -= *text++ == between;
    return text;
}

/* How good a move looks: the lower, the better. */
static int rank(const char *move, const char *houses) {
    const char *target = strchr(move, '-');
    target = target ? target + 1 : "";
    if (*target == 'f')
        return 0; /* a card to a foundation */
    if (*move == 'r')
        return 1; /* a card from your reserve */
    if (*target == 'r' || (*target == 'd' && target[1]))
        return 2; /* a card onto an opponent's pile */
    if (*target != 't') {
        int place = 0;
        while (place < 6 && strcmp(move, OTHERS[place]))
            place++;
        return 5 + place;
    }
    if (*move != 't')
        return 3; /* a card from your hand or discard to a house */
    const char *from = part(houses, '/', atoi(move + 1) - 1), *onto = part(houses, '/', atoi(target + 1) - 1);
    int taller = strcspn(onto, "/ ") >= strcspn(from, "/ ");
    return taller ? 4 : 99; /* a card onto a taller house; other moves of houses could go on for ever */
}

/* Copy the next quoted string of a list; return what follows it, or NULL at the end of the list. */
static const char *next_string(const char *list, char *out, size_t size) {
    list += strcspn(list, "\"]");
    if (*list != '"')
        return NULL;
    size_t length = strcspn(++list, "\"");
    snprintf(out, size, "%.*s", (int)length, list);
    return list + length + 1;
}

int main(void) {
    char *line = NULL, id[64] = "", move[32] = "", best[32] = "";
    size_t capacity = 0;

    while (getline(&line, &capacity, stdin) > 0) {
        const char *legal = strstr(line, "\"legal\":"), *own = strstr(line, "\"id\":");
        const char *position = strstr(line, "\"position\":\"");
        if (strstr(line, "\"type\":\"hello\"")) {
            puts("{\"type\":\"ready\",\"events\":false,\"ticks\":true}");
        } else if (strstr(line, "\"type\":\"end\"")) {
            break;
        } else if (legal && own && position) {
            int tick = strstr(line, "\"type\":\"tick\"") != NULL, least = 100;
            const char *houses = part(position + 12, ' ', 4);
            next_string(own + 5, id, sizeof id);
            for (const char *at = next_string(legal + 8, move, sizeof move); at; at = next_string(at, move, sizeof move))
                if (rank(move, houses) < least) {
                    least = rank(move, houses);
                    strcpy(best, move);
                }
            printf(tick ? "{\"id\":\"%s\",\"action\":\"%s\"}\n" : "{\"id\":\"%s\",\"moves\":[\"%s\"]}\n", id, best);
        }
        fflush(stdout);
    }
    return 0;
}
