"""Pickles made to harm: each is refused, and nothing of it has run. In a process without checks of types too."""

import copyreg
import io
import os
import pickle
import struct

import pytest

from polythetic.datasets.storage import stand_ins, unpickling
from polythetic.datasets.storage.unpickling import load_pickle
from polythetic.errors import DataError


def text(value: str) -> bytes:
    return b"X" + struct.pack("<I", len(value)) + value.encode()


def call(module: str, name: str, arguments: bytes) -> bytes:
    """Opcodes that push module.name(*arguments)."""
    return b"c" + f"{module}\n{name}\n".encode() + b"(" + arguments + b"tR"


RECONSTRUCT = b"cnumpy.core.multiarray\n_reconstruct\n"
NDARRAY = b"cnumpy\nndarray\n"
EMPTY = RECONSTRUCT + b"(" + NDARRAY + b"K\x00\x85C\x01btR"
ORDER = b"(K\x03" + text("<") + b"NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\x00tb"


def dtype(code: str) -> bytes:
    return call("numpy", "dtype", text(code) + b"\x89\x88")


def state(shape: bytes, code: bytes, content: bytes) -> bytes:
    """Opcodes that give an array its state."""
    return b"(K\x01" + shape + code + b"\x89" + content + b"tb"


FLAG = "TOUCHED"  # replaced by a path: whatever runs would make a file there
TOUCH = f"open({FLAG!r}, 'w').close()"

# What is asked for, and the pickle; all would run with pickle.load, or would hand out what must not be.
NAMES = {
    "os.system": call("os", "system", text(f"touch {FLAG}")),
    "posix.system": call("posix", "system", text(f"touch {FLAG}")),
    "subprocess.Popen": call("subprocess", "Popen", text(f"touch {FLAG}")),
    "builtins.eval": call("builtins", "eval", text(TOUCH)),
    "builtins.exec": call("__builtin__", "exec", text(TOUCH)),
    "builtins.getattr": call("builtins", "getattr", text("x") + text("upper")),
    "builtins.__import__": call("builtins", "__import__", text("this")),
    "builtins.open": call("builtins", "open", text(FLAG) + text("w")),
    "builtins.range": call("builtins", "range", b"K\x05"),
    "copyreg._reconstructor": call("copyreg", "_reconstructor", b"cbuiltins\nobject\ncbuiltins\nobject\nN"),
    "copy_reg._reconstructor": call("copy_reg", "_reconstructor", b"N"),
    "numpy.load": call("numpy", "load", text("x.npy")),
    "numpy.fromfile": call("numpy", "fromfile", text("/etc/passwd")),
    "numpy.core.multiarray.fromfile": call("numpy._core.multiarray", "fromfile", text("/etc/passwd")),
    "numpy.testing.runstring": call("numpy.testing", "runstring", text(TOUCH) + b"}"),
    "numpy.f2py.compile": call("numpy.f2py", "compile", text("x")),
    "numpy.core.multiarray._reconstruct.__globals__": (
        b"\x80\x04" + text("numpy._core.multiarray") + text("_reconstruct.__globals__") + b"\x93"
    ),
    "functools.partial": call("functools", "partial", b"N"),
    "pickle.loads": call("pickle", "loads", b"C\x01."),
    "polythetic.files.write_atomically": call("polythetic.files", "write_atomically", b"N"),
    "collections.defaultdict": call("collections", "defaultdict", b"N"),
}

# What is allowed, put to other uses.
TRICKS = {
    "codec that runs code": call("_codecs", "encode", text("x") + text("zip")),
    "codec of an object": call("_codecs", "encode", b"K\x05" + text("latin1")),
    "bytes by number": call("builtins", "bytes", b"\x8a\x05\x00\x00\x00\x00\x10"),
    "bytearray by number": call("builtins", "bytearray", b"\x8a\x05\x00\x00\x00\x00\x10"),
    "ndarray called": call("numpy", "ndarray", b"\x8a\x05\x00\x00\x00\x00\x10\x85"),
    "new object of an allowed name": b"cnumpy\nndarray\n(K\x05t\x81",
    "old instance": b"(K\x05inumpy\nndarray\n",
    "another kind of array": RECONSTRUCT + b"(cbuiltins\nset\nK\x00\x85C\x01btR",
    "huge array, no content": EMPTY + state(b"\x8a\x05\x00\x00\x00\x00\x10\x85", dtype("u1") + ORDER, b"C\x00"),
    "huge array of nothing": EMPTY + state(b"\x8a\x05\x00\x00\x00\x00\x10\x85", dtype("S0"), b"C\x00"),
    "negative side": EMPTY + state(b"J\xff\xff\xff\xff\x85", dtype("u1"), b"C\x00"),
    "numbers for objects": EMPTY + state(b"K\x01\x85", dtype("O8"), b"C\x08AAAAAAAA"),
    "fewer objects than announced": EMPTY + state(b"K\x09\x85", dtype("O8"), b"]"),
    "scalar of an object": call("numpy.core.multiarray", "scalar", dtype("O8") + b"C\x08AAAAAAAA"),
    "scalar longer than its bytes": call("numpy.core.multiarray", "scalar", dtype("f8") + b"C\x01A"),
    "dtype of a name": dtype("os.system"),
    "dtype of voids": dtype("V8"),
    "dtype with fields": dtype("u1") + b"(K\x03" + text("|") + b"N" + text("a") + b"\x85}K\x01K\x01K\x00tb",
    "dtype as a list": call("numpy", "dtype", b"]" + b"\x89\x88"),
    "attributes of a function": RECONSTRUCT + b"N}" + text("__defaults__") + b"Ns\x86b",
    "attributes of a type": NDARRAY + b"N}" + text("__call__") + b"Ns\x86b",
    "array as a key": b"}" + EMPTY + b"K\x01s",
    "persistent id": b"Psomething\n",
    "binary persistent id": b"K\x05Q",
    "unregistered extension": b"\x82\x07",
    "buffer from outside": b"\x80\x05\x97",
    "nested for ever": b"]" * 100_000 + b"a" * 99_999,
}


def refused(content: bytes, flag) -> DataError:
    content = content.replace(text(f"touch {FLAG}"), text(f"touch {flag}"))
    content = content.replace(text(TOUCH), text(TOUCH.replace(FLAG, str(flag)))).replace(text(FLAG), text(str(flag)))
    with pytest.raises(DataError, match=r"^hostile\.pkl: ") as error:
        load_pickle(io.BytesIO(content + b"."), name="hostile.pkl")
    assert not flag.exists()
    return error.value


@pytest.mark.parametrize("name", NAMES)
def test__load_pickle__other_globals__are_refused_by_name_and_not_run(name, tmp_path):
    assert f"asks for {name}, " in str(refused(NAMES[name], tmp_path / "flag"))


@pytest.mark.parametrize("trick", TRICKS)
def test__load_pickle__allowed_names_misused__are_refused(trick, tmp_path):
    before = dict(vars(stand_ins.ArrayStandIn)), dict(unpickling._ALLOWED), unpickling._reconstruct.__defaults__

    refused(TRICKS[trick], tmp_path / "flag")

    after = dict(vars(stand_ins.ArrayStandIn)), dict(unpickling._ALLOWED), unpickling._reconstruct.__defaults__
    assert after == before


def test__hostile_pickles__read_by_pickle_itself__do_run(tmp_path):
    # Or the tests above would prove nothing.
    flag = tmp_path / "flag"
    pickle.loads(call("os", "system", text(f"touch {flag}")) + b".")

    assert flag.exists()


class Harmful:
    """A thing whose pickle runs a command."""

    def __init__(self, flag):
        self.flag = flag

    def __reduce__(self):
        return os.system, (f"touch {self.flag}",)


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test__load_pickle__harm_within_plain_things__is_refused(tmp_path, protocol):
    flag = tmp_path / "flag"

    with pytest.raises(DataError, match=r"asks for (posix|nt)\.system"):
        load_pickle(io.BytesIO(pickle.dumps({"data": [1, Harmful(flag)]}, protocol)), name="hostile.pkl")

    assert not flag.exists()


def test__load_pickle__extension_code_used_before__is_refused():
    copyreg.add_extension("builtins", "eval", 0xF0)
    try:
        content = b"\x80\x02\x82\xf0."
        assert pickle.loads(content) is eval  # and so it is in the cache of extensions
        with pytest.raises(DataError, match=r"asks for builtins\.eval"):
            load_pickle(io.BytesIO(content), name="hostile.pkl")
    finally:
        copyreg.remove_extension("builtins", "eval", 0xF0)


WITHOUT_CHECKS = """
import io, pathlib, pickle, sys
from polythetic.datasets.storage.unpickling import load_pickle
from polythetic.errors import DataError
said = []
for content in pickle.loads(pathlib.Path(sys.argv[1]).read_bytes()):
    try:
        load_pickle(io.BytesIO(content), name="hostile.pkl")
        said.append("READ")
    except DataError:
        said.append("refused")
print(said.count("refused"), said.count("READ"))
"""


def test__load_pickle__without_the_tests_checks_of_types__refuses_all_the_same(run, tmp_path):
    contents = [content + b"." for content in (NAMES | TRICKS).values()]
    (tmp_path / "contents").write_bytes(pickle.dumps(contents))

    assert run(WITHOUT_CHECKS, tmp_path / "contents") == f"{len(contents)} 0"
