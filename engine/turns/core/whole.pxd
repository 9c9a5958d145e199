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
    #ifdef Py_LIMITED_API
            for (int index = 0; index < count; index++) {
                PyObject *number = PyTuple_GetItem(numbers, found[index]);
                Py_INCREF(number);
                PyTuple_SetItem(moves, index, number);
            }
    #else
            PyObject **to = ((PyTupleObject *)moves)->ob_item;
            PyObject **from = ((PyTupleObject *)numbers)->ob_item;
            for (int index = 0; index < count; index++) {
                PyObject *number = from[found[index]];
                Py_INCREF(number);
                to[index] = number;
            }
    #endif
        }
        return moves;
    }

    /* Where a memoryview's bytes are, which stay there as long as the view lives. */
    static inline unsigned char *core_address(PyObject *view) {
    #ifdef Py_LIMITED_API
        Py_buffer buffer;
        if (PyObject_GetBuffer(view, &buffer, PyBUF_SIMPLE | PyBUF_WRITABLE)) {
            PyErr_Clear();
            return NULL;
        }
        PyBuffer_Release(&buffer);
        return (unsigned char *)buffer.buf;
    #else
        return (unsigned char *)PyMemoryView_GET_BUFFER(view)->buf;
    #endif
    }
    """
    int core_count(unsigned long long word) nogil
    int core_lowest(unsigned long long word) nogil
    double core_exp(double number) nogil
    tuple core_listed(tuple numbers, const int* found, int count)
    unsigned char* core_address(object view)
