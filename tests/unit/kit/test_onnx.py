"""The ONNX files that the SDK writes."""

import os
import subprocess
import sys
from pathlib import Path

from kit.sdk.crapette.onnx import Layer, written
from sandbox.staging import wheels

ASK = """
import sys
import numpy, onnxruntime
session = onnxruntime.InferenceSession(sys.argv[1])
rows = numpy.array([[1, 2], [0, 0], [-3, 1]], numpy.float32)
print(session.run(None, {"x": rows})[0].round(4).tolist())
"""


def test_onnx_runtime_computes_what_the_layers_say(tmp_path: Path) -> None:
    layers = [Layer([[1, 0, -1], [0.5, 2, 0]], [0, -1, 0.25], "Relu"), Layer([[1], [10], [100]], [0.5])]
    (tmp_path / "net.onnx").write_bytes(written(layers))
    done = subprocess.run(
        [sys.executable, "-c", ASK, str(tmp_path / "net.onnx")],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(wheels.places())},
        capture_output=True,
        text=True,
        check=False,
    )
    # By hand: relu([1+1, 4-1, -1+.25]) = [2, 3, 0]; relu([0, -1, .25]); relu([-3+.5, 2-1, 3+.25]).
    assert (done.stdout, done.returncode) == ("[[32.5], [25.5], [335.5]]\n", 0), done.stderr
