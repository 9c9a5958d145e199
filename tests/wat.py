"""A small assembler for WebAssembly's text format, so that the tests need no compiler for it.

It knows what the programs of the tests use: folded instructions, `i32` and a few of `i64`, memories, tables,
data, globals, imports and functions. Numbers of instructions: WebAssembly Core Specification 2.0, 5.4.
"""

import re
from dataclasses import dataclass, field
from typing import Final

Node = str | list["Node"]

TOKEN: Final = re.compile(r';;[^\n]*|([()]|"(?:[^"\\]|\\.)*"|[^\s()"]+)')
ESCAPED: Final = re.compile(rb'\\([0-9a-fA-F]{2}|[nt"\\])')
HEADER: Final = b"\0asm\1\0\0\0"
TYPES: Final = {"i32": 0x7F, "i64": 0x7E, "funcref": 0x70}
KINDS: Final = {"func": 0, "table": 1, "memory": 2, "global": 3}
PLAIN: Final = {
    **{"unreachable": 0x00, "nop": 0x01, "return": 0x0F, "drop": 0x1A, "select": 0x1B},
    **{"i32.eqz": 0x45, "i32.eq": 0x46, "i32.ne": 0x47, "i32.lt_s": 0x48, "i32.lt_u": 0x49, "i32.gt_s": 0x4A},
    **{"i32.gt_u": 0x4B, "i32.ge_u": 0x4F, "i32.add": 0x6A, "i32.sub": 0x6B, "i32.mul": 0x6C},
    **{"i32.div_u": 0x6E, "i32.and": 0x71, "i32.or": 0x72, "i32.xor": 0x73, "i32.shl": 0x74},
    **{"i32.shr_u": 0x76, "i32.wrap_i64": 0xA7, "i64.lt_u": 0x54, "i64.sub": 0x7D, "i64.add": 0x7C},
}
NAMED: Final = {
    **{"br": 0x0C, "br_if": 0x0D, "call": 0x10, "local.get": 0x20, "local.set": 0x21, "local.tee": 0x22},
    **{"global.get": 0x23, "global.set": 0x24},
}
OF_MEMORY: Final = {
    **{"i32.load": (0x28, 2), "i64.load": (0x29, 3), "i32.load8_u": (0x2D, 0), "i32.store": (0x36, 2)},
    **{"i64.store": (0x37, 3), "i32.store8": (0x3A, 0)},
}
SIZES: Final = {"memory.size": b"\x3f\0", "memory.grow": b"\x40\0"}
BLOCKS: Final = {"block": 0x02, "loop": 0x03}
EMPTY, ELSE, END = 0x40, 0x05, 0x0B


class NotAssembled(ValueError):
    """The text has something that this assembler does not know."""


def assemble(text: str) -> bytes:
    """Return the module that a text `(module …)` describes. Raises NotAssembled."""
    tokens = [token for token in TOKEN.findall(text) if token]  # comments give empty ones
    module = _parsed(tokens, 0)[0]
    if not isinstance(module, list) or module[:1] != ["module"]:
        raise NotAssembled(f"expected (module …), got {text[:40]!r}")
    made = _Module()
    for part in sorted(map(_list, module[1:]), key=lambda part: part[0] != "import"):
        made.declare(part)
    return made.encoded()


def _parsed(tokens: list[str], at: int) -> tuple[Node, int]:
    if tokens[at] != "(":
        return tokens[at], at + 1
    found: list[Node] = []
    at += 1
    while tokens[at] != ")":
        node, at = _parsed(tokens, at)
        found.append(node)
    return found, at + 1


def _list(node: Node) -> list[Node]:
    if not isinstance(node, list):
        raise NotAssembled(f"expected a list, got {node!r}")
    return node


def _word(node: Node) -> str:
    if not isinstance(node, str):
        raise NotAssembled(f"expected a word, got {node!r}")
    return node


def _bytes(node: Node) -> bytes:
    special = {b"n": b"\n", b"t": b"\t", b'"': b'"', b"\\": b"\\"}
    inner = _word(node)[1:-1].encode()
    return ESCAPED.sub(lambda found: special.get(found[1]) or bytes.fromhex(found[1].decode()), inner)


def unsigned(number: int) -> bytes:
    """A number as LEB128."""
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes((*out, number))


def _signed(number: int) -> bytes:
    out = bytearray()
    while not -64 <= number < 64:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes((*out, number & 0x7F))


def _vector(items: list[bytes]) -> bytes:
    return unsigned(len(items)) + b"".join(items)


def sized(content: bytes) -> bytes:
    """Bytes behind their number."""
    return unsigned(len(content)) + content


def section(number: int, items: list[bytes]) -> bytes:
    """A section of a module with these items; nothing if there are none."""
    return bytes((number,)) + sized(_vector(items)) if items else b""


def _limits(words: list[str]) -> bytes:
    numbers = [int(word, 0) for word in words if word not in TYPES and word != "shared"]
    flag = (len(numbers) > 1) | ("shared" in words) << 1
    return bytes((flag,)) + b"".join(map(unsigned, numbers))


@dataclass
class _Function:
    """A function that is being read: its type's number, its locals, its code so far, the labels around it."""

    kind: int
    names: dict[str, int]
    more: list[int]
    body: list[Node]
    code: bytearray = field(default_factory=bytearray)
    labels: list[str] = field(default_factory=list)


class _Module:
    """What has been declared so far, by section."""

    def __init__(self) -> None:
        self._types: list[bytes] = []
        self._imports: list[bytes] = []
        self._exports: list[bytes] = []
        self._tables: list[bytes] = []
        self._memories: list[bytes] = []
        self._globals: list[bytes] = []
        self._data: list[bytes] = []
        self._functions: list[_Function] = []
        self._names: dict[str, dict[str, int]] = {kind: {} for kind in KINDS}
        self._count = dict.fromkeys(KINDS, 0)
        self._start = ""

    def declare(self, part: list[Node]) -> None:
        """Take in one field of the module."""
        kind = _word(part[0])
        if kind == "import":
            self._import(part)
        elif kind == "start":
            self._start = _word(part[1])
        elif kind == "data":
            offset = self._constant(_list(part[1]))
            self._data.append(b"\0" + offset + sized(b"".join(map(_bytes, part[2:]))))
        else:
            rest = self._numbered(kind, part[1:])
            self._define(kind, rest)

    def _numbered(self, kind: str, rest: list[Node]) -> list[Node]:
        """Give the next thing of a kind its number, its name and its exports; return what follows these."""
        if kind not in KINDS:
            raise NotAssembled(f"expected a field of a module, got {kind!r}")
        number = self._count[kind]
        self._count[kind] += 1
        if rest and isinstance(rest[0], str) and rest[0].startswith("$"):
            self._names[kind][rest[0]] = number
            rest = rest[1:]
        while rest and isinstance(rest[0], list) and rest[0][0] == "export":
            self._exports.append(sized(_bytes(rest[0][1])) + bytes((KINDS[kind],)) + unsigned(number))
            rest = rest[1:]
        return rest

    def _define(self, kind: str, rest: list[Node]) -> None:
        if kind == "memory":
            self._memories.append(_limits(list(map(_word, rest))))
        elif kind == "table":
            self._tables.append(b"\x70" + _limits(list(map(_word, rest))))
        elif kind == "global":
            mutable = isinstance(rest[0], list)
            of = TYPES[_word(_list(rest[0])[1]) if mutable else _word(rest[0])]
            self._globals.append(bytes((of, mutable)) + self._constant(_list(rest[1])))
        else:
            self._functions.append(self._function(rest))

    def _import(self, part: list[Node]) -> None:
        what = _list(part[3])
        kind = _word(what[0])
        rest = self._numbered(kind, what[1:])
        if kind == "func":
            described = unsigned(self._function(rest).kind)
        elif kind == "memory":
            described = _limits(list(map(_word, rest)))
        else:
            raise NotAssembled(f"expected an import of a function or a memory, got {kind!r}")
        where = sized(_bytes(part[1])) + sized(_bytes(part[2]))
        self._imports.append(where + bytes((KINDS[kind],)) + described)

    def _function(self, rest: list[Node]) -> _Function:
        names: dict[str, int] = {}
        declared: dict[str, list[int]] = {"param": [], "result": [], "local": []}
        while rest and isinstance(rest[0], list) and rest[0][0] in declared:
            role, *words = map(_word, rest[0])
            if words[0].startswith("$"):
                names[words.pop(0)] = len(declared["param"]) + len(declared["local"])
            declared[role] += [TYPES[word] for word in words]
            rest = rest[1:]
        kind = b"\x60" + sized(bytes(declared["param"])) + sized(bytes(declared["result"]))
        if kind not in self._types:
            self._types.append(kind)
        return _Function(self._types.index(kind), names, declared["local"], rest)

    def _constant(self, node: list[Node]) -> bytes:
        function = _Function(0, {}, [], [])
        self._emit(node, function)
        return bytes((*function.code, END))

    def encoded(self) -> bytes:
        """The whole module."""
        codes = []
        for function in self._functions:
            for node in function.body:
                self._emit(_list(node), function)
            local = _vector([bytes((1, of)) for of in function.more])
            codes.append(sized(local + bytes(function.code) + bytes((END,))))
        start = bytes((8,)) + sized(unsigned(self._names["func"][self._start])) if self._start else b""
        before, after = (
            b"".join(section(number, items) for number, items in part)
            for part in (self._declared(), [(10, codes), (11, self._data)])
        )
        return HEADER + before + start + after

    def _declared(self) -> list[tuple[int, list[bytes]]]:
        """The sections that come before the code, with their numbers."""
        return [
            (1, self._types),
            (2, self._imports),
            (3, [unsigned(function.kind) for function in self._functions]),
            (4, self._tables),
            (5, self._memories),
            (6, self._globals),
            (7, self._exports),
        ]

    def _emit(self, node: list[Node], function: _Function) -> None:
        name, rest = _word(node[0]), node[1:]
        code = function.code
        if name in BLOCKS or name == "if":
            self._block(name, rest, function)
        elif name in ("i32.const", "i64.const"):
            code += bytes((0x41 if name == "i32.const" else 0x42,)) + _signed(int(_word(rest[0]), 0))
        elif name in PLAIN or name in SIZES:
            self._operands(rest, function)
            code += SIZES.get(name) or bytes((PLAIN[name],))
        elif name in NAMED:
            self._operands(rest[1:], function)
            code += bytes((NAMED[name],)) + unsigned(self._numbered_name(name, _word(rest[0]), function))
        elif name in OF_MEMORY:
            offset = 0
            if isinstance(rest[0], str):
                offset, rest = int(rest[0].removeprefix("offset=")), rest[1:]
            self._operands(rest, function)
            code += bytes(OF_MEMORY[name]) + unsigned(offset)
        else:
            raise NotAssembled(f"expected an instruction, got {name!r}")

    def _operands(self, nodes: list[Node], function: _Function) -> None:
        for node in nodes:
            self._emit(_list(node), function)

    def _block(self, name: str, rest: list[Node], function: _Function) -> None:
        label = _word(rest.pop(0)) if rest and isinstance(rest[0], str) else ""
        of = EMPTY
        if rest and _list(rest[0])[0] == "result":
            of = TYPES[_word(_list(rest.pop(0))[1])]
        if name == "if":
            self._emit(_list(rest[0]), function)
        function.code += bytes((BLOCKS.get(name, 0x04), of))
        function.labels.append(label)
        branches = [_list(node)[1:] for node in rest[1:]] if name == "if" else [rest]
        for number, branch in enumerate(branches):
            if number:
                function.code.append(ELSE)
            self._operands(branch, function)
        function.labels.pop()
        function.code.append(END)

    def _numbered_name(self, name: str, word: str, function: _Function) -> int:
        if name.startswith("br"):
            return function.labels[::-1].index(word)
        if name.startswith("local"):
            return function.names[word]
        return self._names["func" if name == "call" else "global"][word]
