"""Stand-ins for NumPy's arrays and dtypes while a pickle is read: they hold what it says, and judge it.

NumPy's own take a pickle's word: a crafted state of a dtype makes numbers of the file into addresses in memory.
"""

from __future__ import annotations

import math
import re
from pickle import UnpicklingError
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Content: TypeAlias = bytes | bytearray | memoryview | str | list[Any]

_KNOWN = re.compile(r"[<>|=]?([?biufc]\d{0,2}|[SU]\d{0,9}|O\d?)")


class DtypeStandIn:
    """A dtype of numbers, truth values, text or objects."""

    __slots__ = ("dtype",)
    __hash__ = None  # type: ignore[assignment]  # never a key: a key could not be replaced later

    def __init__(self, code: str | bytes, align: object = False, copy: object = False):
        code = _text(code)
        if not isinstance(code, str) or not _KNOWN.fullmatch(code):
            raise UnpicklingError(f"an array of dtype {code!r}; known are numbers, truth values, text and objects")
        self.dtype: np.dtype[Any] = np.dtype(code)

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        """Take from NumPy's state the byte order; the code said the rest, and structures are not known."""
        _, order, subdtype, names, fields, *_ = state
        order = _text(order)
        if subdtype is not None or names is not None or fields is not None or order not in ("<", ">", "|", "="):
            raise UnpicklingError("a structured array; known are arrays of numbers, truth values, text and objects")
        if order != "|":
            self.dtype = self.dtype.newbyteorder(order)


class ArrayStandIn:
    """An array: nothing at first, then what its state says."""

    __slots__ = ("array", "objects")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self) -> None:
        self.array: NDArray[Any] = np.empty(0, np.int8)
        self.objects: list[Any] = []  # of an array of objects, which may be stand-ins as yet

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        """Take NumPy's state: version, shape, dtype, whether columns come first, content."""
        shape, dtype, by_columns, content = state[-4:]
        self.fill(shape, dtype, "F" if by_columns else "C", content)

    def fill(self, shape: tuple[int, ...], dtype: DtypeStandIn, order: str, content: Content) -> None:
        """Make the array if the content is as long as shape and dtype say."""
        real, size = _real(dtype), _size(shape)
        if real.hasobject:
            if not isinstance(content, list) or len(content) != size:
                raise UnpicklingError(f"an array of {size} objects without as many")
            self.array, self.objects = np.empty(shape, real), content
            return
        octets = _octets(content)
        if len(octets) != size * real.itemsize or (size and not octets):
            raise UnpicklingError(f"an array of {size} × {real.itemsize} bytes with {len(octets)}")
        flat = np.frombuffer(octets, real) if octets else np.empty(0, real)
        self.array = flat.reshape(shape, order="F" if order == "F" else "C")


def array_from_buffer(
    content: Content,
    dtype: DtypeStandIn,
    shape: tuple[int, ...],
    order: str,
    axes: tuple[int, ...] | list[int] | None = None,
) -> ArrayStandIn:
    """Take the place of NumPy's function for arrays in pickles of protocol 5."""
    made = ArrayStandIn()
    made.fill(shape, dtype, order, content)
    if order == "K" and axes is not None:
        made.array = made.array.transpose(axes)
    return made


def scalar(dtype: DtypeStandIn, content: Content = b"") -> np.generic:
    """Take the place of NumPy's function for scalars."""
    real = _real(dtype)
    octets = _octets(content)
    if real.hasobject or len(octets) != real.itemsize:
        raise UnpicklingError(f"a scalar of {real} with {len(octets)} bytes")
    made: np.generic = np.frombuffer(octets, real)[0] if octets else real.type()
    return made


def realised(thing: Any) -> Any:
    """Return what was read with the stand-ins replaced by what they stand for."""
    return _Realiser().of(thing)


class _Realiser:
    def __init__(self) -> None:
        # By identity, so that what is shared stays shared and is seen once; originals are kept alive with it.
        self._done: dict[int, tuple[Any, Any]] = {}
        self._begun: set[int] = set()

    def of(self, thing: Any) -> Any:
        if not isinstance(thing, list | tuple | dict | ArrayStandIn | DtypeStandIn):
            return thing  # a set's members can be hashed, so stand-ins are not among them
        if id(thing) in self._done:
            return self._done[id(thing)][1]
        if id(thing) in self._begun:
            raise UnpicklingError("a container within itself")
        self._begun.add(id(thing))
        made = self._make(thing)
        self._done[id(thing)] = (thing, made)
        return made

    def _make(self, thing: Any) -> Any:
        match thing:
            case DtypeStandIn():
                return thing.dtype
            case ArrayStandIn():
                flat = thing.array.reshape(-1)  # a view, or the very array: either way it is filled
                for index, item in enumerate(thing.objects):
                    flat[index] = self.of(item)
                return thing.array
            case list():
                thing[:] = [self.of(item) for item in thing]
            case dict():
                for key, value in thing.items():
                    thing[key] = self.of(value)
            case tuple():
                return tuple(self.of(item) for item in thing)
        return thing


def _text(value: Any) -> Any:
    """Return Python 2's text, which comes as bytes if the pickle is read so, as text."""
    return value.decode("latin1") if isinstance(value, bytes) else value


def _real(dtype: object) -> np.dtype[Any]:
    if not isinstance(dtype, DtypeStandIn):
        raise UnpicklingError("an array without a dtype")
    return dtype.dtype


def _size(shape: object) -> int:
    if not isinstance(shape, tuple) or not all(isinstance(side, int) and side >= 0 for side in shape):
        raise UnpicklingError(f"an array of shape {shape!r}")
    return math.prod(shape)


def _octets(content: object) -> bytearray:
    """Return a content's bytes, in a buffer of their own that may be written; Python 2's come as text."""
    if isinstance(content, str):
        return bytearray(content, "latin1")
    if not isinstance(content, bytes | bytearray | memoryview):
        raise UnpicklingError(f"an array whose content is a {type(content).__name__}")
    return bytearray(content)
