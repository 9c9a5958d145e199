# family: files
# does: has ONNX Runtime and NumPy write files, and changes the packages for the next game
# contained by: read-only mounts, Landlock, RLIMIT_FSIZE
# expect: denied

import contextlib
import os
import sys

import numpy
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
found = []
packages = os.path.dirname(os.path.dirname(numpy.__file__))
for path in (numpy.__file__, f"{packages}/new.py", f"{packages}/../cpuinfo", "/proc/cpuinfo"):
    try:
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT))
        found.append(path)
    except OSError:
        pass
for path in ("model.onnx", "/tmp/model.onnx"):
    options = onnxruntime.SessionOptions()
    options.optimized_model_filepath = path
    with contextlib.redirect_stdout(sys.stderr):  # it says there that it tries once more
        try:
            onnxruntime.InferenceSession(net(), options)
        except Exception:
            pass
    try:
        numpy.save(path, numpy.zeros(9))
    except OSError:
        pass
    if os.path.exists(path) or os.path.exists(path + ".npy"):
        found.append(path)
print("escaped: " + ", ".join(found) if found else "denied")
