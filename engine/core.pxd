# What the compiled core takes straight from C: bit counting, and building a list without moving counts to and fro.

from cpython.object cimport PyObject

cdef extern from *:
    """
    static inline int core_count(unsigned long long word) {
        word -= word >> 1 & 0x5555555555555555ULL;
        word = (word & 0x3333333333333333ULL) + (word >> 2 & 0x3333333333333333ULL);
        return (int)(((word + (word >> 4)) & 0x0f0f0f0f0f0f0f0fULL) * 0x0101010101010101ULL >> 56);
    }
    #if defined(__GNUC__) || defined(__clang__)
    #define core_lowest(word) __builtin_ctzll(word)
    #else
    static inline int core_lowest(unsigned long long word) {
        int index = 0;
        while (!(word & 1)) { word >>= 1; index++; }
        return index;
    }
    #endif
    """
    int core_count(unsigned long long word) nogil
    int core_lowest(unsigned long long word) nogil
    void core_set "PyList_SET_ITEM" (object cards, Py_ssize_t index, PyObject* item)
    void core_keep "Py_INCREF" (PyObject* item)
    PyObject* core_item "PyTuple_GET_ITEM" (object items, Py_ssize_t index)
