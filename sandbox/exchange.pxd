# What a compiled exchange takes from the C library: a line there and back without an object of Python's in between.

cdef extern from *:
    """
    #include <errno.h>
    #include <poll.h>
    #include <string.h>
    #include <unistd.h>

    /* Write a line and read what comes within some ticks of a timer, or milliseconds where there is none. Returns
       how many bytes came, 0 if none did; `sent` says how much could be written, and all of it must be before
       anything is waited for. */
    static Py_ssize_t exchange_lines(int to, int back, int tick, int ticks, const char *line, Py_ssize_t size,
                                     Py_ssize_t *sent, char *room, Py_ssize_t most) {
        struct pollfd ends[2] = {{back, POLLIN, 0}, {tick, POLLIN, 0}};
        unsigned long long count;
        Py_ssize_t came = 0;
        Py_BEGIN_ALLOW_THREADS
        *sent = write(to, line, size);
        if (*sent < 0) *sent = 0;
        if (*sent == size) {
            while (poll(ends, tick < 0 ? 1 : 2, tick < 0 ? ticks : -1) > 0) {
                if (ends[0].revents) {
                    came = read(back, room, most);
                    if (came < 0) came = 0;
                    break;
                }
                /* The first tick may have come right after the question, or long before it. */
                if (ticks-- < 0 || read(tick, &count, sizeof count) < 0) break;
            }
        }
        Py_END_ALLOW_THREADS
        return came;
    }

    static inline int is_one_line(const char *room, Py_ssize_t size) {
        return size > 0 && memchr(room, '\\n', size) == room + size - 1;
    }
    """
    Py_ssize_t exchange_lines(int to, int back, int tick, int ticks, const char* line, Py_ssize_t size, Py_ssize_t* sent, char* room, Py_ssize_t most)
    bint is_one_line(const char* room, Py_ssize_t size)
