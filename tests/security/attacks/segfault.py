# family: output
# does: crashes its interpreter
# contained by: the process's own end
# expect: crashed

import ctypes

input()
ctypes.string_at(0)
