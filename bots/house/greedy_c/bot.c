/* Greedy in C: the best-looking single move, without looking ahead. A model for every language that compiles to a
 * static Linux x86-64 executable:  gcc -static -O2 -o bot bot.c
 *
 * It looks for fields in the line instead of parsing JSON. That is sound here: ids, moves and positions are plain ASCII
 * without escapes, and what we ask not to be sent ("events") cannot be mistaken for them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TARGETS "frdt" /* where a card goes, best first: foundation, opponent's reserve, its discard, a house */
#define SOURCES "rdht" /* which card to get rid of first: reserve, discard, drawn card, house */

static const char *ACTIONS[] = {"r-f", "s1-f", "s2-f", "s3-f", "s4-f", "d-f", "turn", "wait", "stop"};

/* Return what follows "key": in the line, or NULL. */
static const char *field(const char *line, const char *key) {
    const char *at = strstr(line, key);
    return at ? at + strlen(key) : NULL;
}

/* Copy the next quoted string of a list into `out`; return what follows it, or NULL at the end of the list. */
static const char *next_string(const char *list, char *out, size_t size) {
    list += strcspn(list, "\"]");
    if (*list != '"')
        return NULL;
    size_t length = strcspn(++list, "\"");
    snprintf(out, size, "%.*s", (int)length, list);
    return list + length + 1;
}

/* Return the n-th part of a text that `between` separates, from 0. */
static const char *part(const char *text, char between, int n) {
    while (n > 0 && *text && *text != '"')
        n -= *text++ == between;
    return text;
}

/* How good a move looks: the lowest is the best. */
static int rank_of(const char *move, const char *position) {
    const char *target = strchr(move, '-'), *houses = part(position, ' ', 4);
    if (!strcmp(move, "h-d"))
        return 50;
    if (!target)
        return 40; /* draw or pass */
    target++;
    if (*target != 't' || *move != 't')
        return 10 * (int)(strchr(TARGETS, *target) - TARGETS) + (int)(strchr(SOURCES, *move) - SOURCES);
    /* Between houses only to empty one: anything else could go to and fro for ever. */
    const char *from = part(houses, '/', atoi(move + 1) - 1), *onto = part(houses, '/', atoi(target + 1) - 1);
    return strcspn(from, "/ ") == 2 && *onto != '.' ? 34 : 60;
}

/* How many cards a seat of a line of `vitesse` has. */
static int cards_left(const char *position, int seat) {
    int letters = 0;
    for (const char *at = part(position, ' ', 3 + seat); *at && *at != ' '; at++)
        letters += !strchr("/,-.", *at);
    return letters / 2;
}

/* How good an action of `vitesse` looks: stop at once with fewer cards left than the other. */
static int rank_of_action(const char *action, const char *position, int seat) {
    int place = 0;
    if (!strcmp(action, "stop") && cards_left(position, seat) < cards_left(position, 1 - seat))
        return -1;
    while (place < 8 && strcmp(action, ACTIONS[place]))
        place++;
    return place;
}

int main(void) {
    char *line = NULL, id[64] = "", word[32] = "", best[32] = "";
    size_t capacity = 0;
    int seat = 0;

    while (getline(&line, &capacity, stdin) > 0) {
        const char *type = field(line, "\"type\":"), *legal = field(line, "\"legal\":");
        const char *position = field(line, "\"position\":\"");
        if (!type)
            continue;
        if (!strncmp(type, "\"hello\"", 7)) {
            const char *own = field(line, "\"seat\":");
            seat = own ? atoi(own) : 0;
            puts("{\"type\":\"ready\",\"name\":\"greedy-c\",\"events\":false,\"ticks\":true}");
        } else if ((!strncmp(type, "\"move\"", 6) || !strncmp(type, "\"tick\"", 6)) && legal && position) {
            int tick = type[1] == 't', least = 100;
            next_string(field(line, "\"id\":"), id, sizeof id);
            for (const char *at = next_string(legal, word, sizeof word); at; at = next_string(at, word, sizeof word)) {
                int rank = tick ? rank_of_action(word, position, seat) : rank_of(word, position);
                if (rank < least) {
                    least = rank;
                    strcpy(best, word);
                }
            }
            printf(tick ? "{\"id\":\"%s\",\"action\":\"%s\"}\n" : "{\"id\":\"%s\",\"moves\":[\"%s\"]}\n", id, best);
        } else if (!strncmp(type, "\"end\"", 5)) {
            break;
        }
        fflush(stdout);
    }
    return 0;
}
