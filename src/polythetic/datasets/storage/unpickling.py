"""Pickles of plain data, read without letting them do anything."""

from __future__ import annotations

import copyreg
import pickle
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, NoReturn, Protocol, runtime_checkable

from polythetic.datasets.storage.stand_ins import ArrayStandIn, DtypeStandIn, array_from_buffer, realised, scalar
from polythetic.errors import DataError


@runtime_checkable
class Readable(Protocol):
    """An open binary file, as far as a pickle needs one."""

    def read(self, size: int, /) -> bytes:
        """Read so many bytes."""
        ...

    def readline(self) -> bytes:
        """Read up to the end of a line."""
        ...


def load_pickle(file: Readable, *, name: str, encoding: str = "latin1") -> Any:
    """Read a pickle of NumPy arrays, dtypes and scalars, numbers, text, bytes and plain containers of them.

    A pickle is a program. This one is given nothing to run: each function or class it asks for by name is looked up
    in a short table of our own, and what is not there is refused. NumPy's own constructors are not in it, as some can
    be led to read or write outside an array; arrays are described by inert stand-ins and made when all is read.
    Arrays of numbers, truth values, text and objects (of the same kinds) are known; structured ones and dates are not.

    Not covered: memory. A file may ask for much before it is refused, if only by holding much, so a file that was not
    made by someone you trust is best read where memory is limited.

    Args:
        file: an open binary file.
        name: what to call it in errors.
        encoding: of Python 2's strings; latin1 keeps their bytes.

    Raises:
        DataError: the pickle asks for something else, or is damaged; nothing has been run.

    >>> import io
    >>> load_pickle(io.BytesIO(pickle.dumps({"label": [1, 2]})), name="labels.pkl")
    {'label': [1, 2]}
    >>> load_pickle(io.BytesIO(pickle.dumps(print)), name="labels.pkl")
    Traceback (most recent call last):
    ...
    polythetic.errors.DataError: labels.pkl: asks for builtins.print, which plain data do not need: not read
    """
    # Extension codes that were used before would be answered from this cache, past find_class.
    copyreg.clear_extension_cache()
    try:
        return realised(_Reader(file, name, encoding).load())
    except DataError:
        raise
    except Exception as error:  # damaged pickles fail in any way there is
        detail = f"{type(error).__name__}: {error}".removesuffix(": ")
        raise DataError(f"{name}: not a pickle of plain data, or damaged ({detail}): get it again") from error


class _Reader(pickle.Unpickler):
    """Unpickling with every door but ours shut."""

    def __init__(self, file: Readable, name: str, encoding: str):
        super().__init__(file, encoding=encoding)
        self._name = name

    def find_class(self, module: str, name: str) -> Any:
        # Names of Python 2 and of NumPy 2 for the same things.
        module = "builtins" if module == "__builtin__" else module.replace("numpy._core.", "numpy.core.")
        if (allowed := _ALLOWED.get((module, name))) is None:
            raise DataError(f"{self._name}: asks for {module}.{name}, which plain data do not need: not read")
        return allowed

    def persistent_load(self, pid: Any) -> NoReturn:
        raise DataError(f"{self._name}: refers to an object outside the file, which plain data do not need: not read")


class _Allowed:
    """A function that a pickle may call and do nothing else with: pickles can also set attributes."""

    __slots__ = ("_function",)

    def __init__(self, function: Callable[..., Any]):
        self._function = function

    def __call__(self, *arguments: Any) -> Any:
        return self._function(*arguments)

    def __setstate__(self, state: object) -> NoReturn:
        raise pickle.UnpicklingError("a function is not to be changed")


def _reconstruct(kind: object, shape: object, dtype: object) -> ArrayStandIn:
    """Take the place of NumPy's: an empty array of ``kind``, whose content follows."""
    if kind is not _ALLOWED["numpy", "ndarray"]:
        raise pickle.UnpicklingError("an array of an unknown kind")
    return ArrayStandIn()


def _ndarray(*arguments: object) -> NoReturn:
    raise pickle.UnpicklingError("numpy.ndarray is named, never called, by the pickles of arrays")


def _encode(text: str, codec: str) -> bytes:
    """Make bytes as Python 3 writes them for Python 2."""
    if not isinstance(text, str) or codec not in ("latin1", "latin-1"):
        raise pickle.UnpicklingError(f"text encoded as {codec!r}")
    return text.encode("latin1")


def _bytes() -> bytes:
    return b""


def _bytearray(content: bytes | str = b"", codec: str = "latin-1") -> bytearray:
    """Make a bytearray of a content; of a number it would be that many zeros."""
    return bytearray(_encode(content, codec) if isinstance(content, str) else memoryview(content))


def _set(items: list[Any] | tuple[Any, ...] = ()) -> set[Any]:
    return set(items)


def _frozenset(items: list[Any] | tuple[Any, ...] = ()) -> frozenset[Any]:
    return frozenset(items)


def _complex(real: float, imaginary: float) -> complex:
    return complex(real, imaginary)


def _ordered_dict(items: list[Any] | tuple[Any, ...] = ()) -> OrderedDict[Any, Any]:
    return OrderedDict(items)


_ALLOWED = {
    ("builtins", "bytes"): _Allowed(_bytes),
    ("builtins", "bytearray"): _Allowed(_bytearray),
    ("builtins", "complex"): _Allowed(_complex),
    ("builtins", "frozenset"): _Allowed(_frozenset),
    ("builtins", "set"): _Allowed(_set),
    ("collections", "OrderedDict"): _Allowed(_ordered_dict),
    ("_codecs", "encode"): _Allowed(_encode),
    ("numpy", "dtype"): _Allowed(DtypeStandIn),
    ("numpy", "ndarray"): _Allowed(_ndarray),
    ("numpy.core.multiarray", "_reconstruct"): _Allowed(_reconstruct),
    ("numpy.core.multiarray", "scalar"): _Allowed(scalar),
    ("numpy.core.numeric", "_frombuffer"): _Allowed(array_from_buffer),
}
