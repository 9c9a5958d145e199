"""Writes a small net as an ONNX file, without any library: layers that multiply, add, and bend.

    from crapette.onnx import Layer, written

    Path("net.onnx").write_bytes(written([Layer(weights, bias, "Tanh"), Layer(more, offset)]))

Weights are a list with a row for each input, or a NumPy array with `tolist`. ONNX Runtime then finds an input
``x`` of any number of rows, and an output ``y``. For other nets use what you train them with, such as
``torch.onnx.export``. The format: https://onnx.ai/onnx/repo-docs/IR.html, with the numbers of onnx.proto3.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

IR_VERSION, OPSET = 8, 17
FLOAT = 1
NUMBER, BYTES = 0, 2  # the wire types of protocol buffers


@dataclass(frozen=True, slots=True)
class Layer:
    """``x @ weights + bias``, and then an operator of one input, such as ``Tanh`` or ``Relu``, or none."""

    weights: Any
    bias: Any
    then: str = ""


def written(layers: Sequence[Layer]) -> bytes:
    """The content of the file. Raises ValueError if the sizes of the layers do not fit together."""
    nodes, tensors = b"", b""
    name, width = "x", 0
    for number, layer in enumerate(layers):
        rows = _lists(layer.weights)
        bias = _lists(layer.bias)
        if len({len(row) for row in rows}) != 1 or len(bias) != len(rows[0]) or width not in (0, len(rows)):
            raise ValueError(
                f"expected layer {number} to take {width or 'some'} inputs, with a bias for each output, "
                f"got {len(rows)} rows of {sorted({len(row) for row in rows})} weights and {len(bias)} biases"
            )
        width = len(bias)
        last = "y" if number == len(layers) - 1 else f"h{number}"
        sums = f"s{number}" if layer.then else last
        tensors += _field(
            5, BYTES, _tensor(f"w{number}", (len(rows), width), (v for row in rows for v in row))
        )
        tensors += _field(5, BYTES, _tensor(f"b{number}", (width,), bias))
        nodes += _field(1, BYTES, _node("Gemm", [name, f"w{number}", f"b{number}"], sums))
        if layer.then:
            nodes += _field(1, BYTES, _node(layer.then, [sums], last))
        name = last
    if not layers:
        raise ValueError("expected at least one layer, got none")
    inputs = _field(11, BYTES, _value("x", len(_lists(layers[0].weights))))
    graph = nodes + _text(2, "net") + tensors + inputs + _field(12, BYTES, _value("y", width))
    opset = _text(1, "") + _field(2, NUMBER, OPSET)
    return (
        _field(1, NUMBER, IR_VERSION)
        + _text(2, "crapette")
        + _field(7, BYTES, graph)
        + _field(8, BYTES, opset)
    )


def _lists(values: Any) -> list[Any]:
    return list(values.tolist() if hasattr(values, "tolist") else values)


def _node(operator: str, inputs: Sequence[str], output: str) -> bytes:
    """A NodeProto."""
    return b"".join(_text(1, name) for name in inputs) + _text(2, output) + _text(4, operator)


def _tensor(name: str, sizes: Sequence[int], values: Iterable[float]) -> bytes:
    """A TensorProto of 32-bit floats."""
    found = list(values)
    raw = struct.pack(f"<{len(found)}f", *found)
    shape = b"".join(_field(1, NUMBER, size) for size in sizes)
    return shape + _field(2, NUMBER, FLOAT) + _text(8, name) + _field(9, BYTES, raw)


def _value(name: str, width: int) -> bytes:
    """A ValueInfoProto: rows of this many floats."""
    rows, columns = _text(2, "rows"), _field(1, NUMBER, width)
    shape = _field(1, BYTES, rows) + _field(1, BYTES, columns)
    kind = _field(1, NUMBER, FLOAT) + _field(2, BYTES, shape)
    return _text(1, name) + _field(2, BYTES, _field(1, BYTES, kind))


def _text(number: int, text: str) -> bytes:
    return _field(number, BYTES, text.encode())


def _field(number: int, kind: int, value: int | bytes) -> bytes:
    """A field of a message, as protocol buffers write it."""
    key = _varint(number << 3 | kind)
    return key + (_varint(value) if isinstance(value, int) else _varint(len(value)) + value)


def _varint(number: int) -> bytes:
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes((*out, number))
