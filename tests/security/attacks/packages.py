# Attacks of bots with NumPy and ONNX Runtime, each of which is tried by a bot of its own.

# onnx_external_data (files): has ONNX Runtime read a model's weights from files of the host
# contained by: the mount namespace or the jail shows none; Landlock
# expect: denied
import os, onnxruntime
def field(number, content):
    return bytes((number << 3 | 2, len(content))) + content
def net(path):
    where = field(1, b"location") + field(2, path.encode())
    tensor = b"\x08\x04\x10\x02" + field(8, b"w") + field(13, where) + b"\x70\x01"
    node = field(1, b"w") + field(2, b"y") + field(4, b"Identity")
    kind = field(1, b"\x08\x02" + field(2, field(1, b"\x08\x04")))
    graph = field(1, node) + field(2, b"g") + field(5, tensor) + field(12, field(1, b"y") + field(2, kind))
    return b"\x08\x08" + field(7, graph) + field(8, b"\x10\x11")
input()
found = []
here = os.getcwd()
for path in ("/etc/passwd", "/proc/self/environ", "/etc/hostname", "/usr/bin/env"):
    for location in (path, "../" * here.count("/") + path[1:]):
        try:
            session = onnxruntime.InferenceSession(net(location))
            found.append(f"{location}: {session.run(None, {})[0].tobytes()!r}")
        except Exception:
            pass
print("escaped: " + ", ".join(found) if found else "denied")

# onnx_memory (memory): makes arrays without end
# contained by: RLIMIT_AS, RLIMIT_DATA
# expect: bounded; most: 1280; without: rlimits
import numpy
input()
taken = []
try:
    while len(taken) < 100:
        taken.append(numpy.empty(16 << 20, numpy.uint8))
except MemoryError:
    pass
print("bounded", len(taken) * 16)

# onnx_threads (processes): has ONNX Runtime start threads
# contained by: seccomp: no clone; RLIMIT_NPROC behind it
# expect: denied; without: seccomp rlimits
import contextlib, sys, onnxruntime
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

# onnx_write (files): has ONNX Runtime and NumPy write files, and changes the packages for the next game
# contained by: read-only mounts, Landlock, RLIMIT_FSIZE
# expect: denied
import contextlib, os, sys, numpy, onnxruntime
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
    with contextlib.redirect_stdout(sys.stderr):
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
