# family: processes
# does: has ONNX Runtime start threads
# contained by: seccomp: no clone; RLIMIT_NPROC behind it
# expect: denied
# without: seccomp rlimits

import contextlib
import sys

import onnxruntime


def field(number, content):
    return bytes((number << 3 | 2, len(content))) + content


def net():
    node = field(1, b"x") + field(2, b"y") + field(4, b"Identity")
    kind = field(1, b"\x08\x01" + field(2, field(1, b"\x08\x01")))
    graph = field(1, node) + field(2, b"g")
    graph += field(11, field(1, b"x") + field(2, kind)) + field(12, field(1, b"y") + field(2, kind))
    return b"\x08\x08" + field(7, graph) + field(8, b"\x10\x11")


input()
options = onnxruntime.SessionOptions()
options.intra_op_num_threads = 8
with contextlib.redirect_stdout(sys.stderr):  # it says there that it tries once more
    try:
        onnxruntime.InferenceSession(net(), options)
        said = "escaped: 8 threads"
    except Exception as error:
        said = "denied" if "pthread_create" in str(error) else f"failed: {error}"
print(said)
