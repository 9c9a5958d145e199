# What the compiled core takes straight from C: counting bits, and making a tuple of numbers that are objects already.

cdef extern from *:
    """
    #include <math.h>
    #define core_exp(number) exp(number)

    static inline int core_count(unsigned long long word) {
        word -= word >> 1 & 0x5555555555555555ULL;
        word = (word & 0x3333333333333333ULL) + (word >> 2 & 0x3333333333333333ULL);
        return (int)(((word + (word >> 4)) & 0x0f0f0f0f0f0f0f0fULL) * 0x0101010101010101ULL >> 56);
    }

    #if defined(__GNUC__) || defined(__clang__)
    #define core_lowest(word) __builtin_ctzll(word)
    #else
    #define core_lowest(word) core_count(((word) & (0 - (word))) - 1)
    #endif

    static inline PyObject *core_listed(PyObject *numbers, const int *found, int count) {
        PyObject *moves = PyTuple_New(count);
        if (moves) {
            PyObject **to = ((PyTupleObject *)moves)->ob_item;
            PyObject **from = ((PyTupleObject *)numbers)->ob_item;
            for (int index = 0; index < count; index++) {
                PyObject *number = from[found[index]];
                Py_INCREF(number);
                to[index] = number;
            }
        }
        return moves;
    }

    /* Where a memoryview's bytes are. */
    #define core_address(view) ((unsigned char *)PyMemoryView_GET_BUFFER(view)->buf)
    """
    int core_count(unsigned long long word) nogil
    int core_lowest(unsigned long long word) nogil
    double core_exp(double number) nogil
    tuple core_listed(tuple numbers, const int* found, int count)
    unsigned char* core_address(object view)
