import collections
import io
import pickle

import numpy as np
import pytest

from polythetic.datasets.storage.unpickling import load_pickle
from polythetic.errors import DataError

PROTOCOLS = range(pickle.HIGHEST_PROTOCOL + 1)

ARRAYS = [
    np.arange(24, dtype=np.uint8).reshape(2, 3, 4),
    np.arange(24, dtype=np.float32).reshape(2, 3, 4).T,
    np.arange(24).reshape(2, 3, 4).transpose(1, 0, 2),
    np.arange(12).reshape(3, 4)[:, ::2],
    np.arange(5, dtype=">i4"),
    np.array(7.5),
    np.array([True, False]),
    np.array([1 + 2j]),
    np.array([0.5], dtype=np.float16),
    np.array(["ink", "paper"]),
    np.array([b"ink", b""]),
    np.empty((0, 3)),
    np.array([["a", 1], [None, (2, [3])]], dtype=object),
    np.asfortranarray(np.array([["a", 1], [None, 2]], dtype=object)),
]

# As Python 2 and NumPy 1 wrote them: {"data": array([[0, 1, 255]], dtype=uint8), "n": int32(7)}, protocol 2.
PYTHON_2 = (
    b"\x80\x02}q\x00(U\x04dataq\x01cnumpy.core.multiarray\n_reconstruct\nq\x02cnumpy\nndarray\nq\x03K\x00\x85U\x01b\x87R"
    b"(K\x01K\x01K\x03\x86cnumpy\ndtype\nq\x04U\x02u1K\x00K\x01\x87R(K\x03U\x01|NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\x00tb"
    b"\x89U\x03\x00\x01\xfftbU\x01ncnumpy.core.multiarray\nscalar\nh\x04U\x02i4K\x00K\x01\x87R"
    b"(K\x03U\x01<NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\x00tbU\x04\x07\x00\x00\x00\x86Ru."
)


def load(content: bytes, **options):
    return load_pickle(io.BytesIO(content), name="labels.pkl", **options)


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("array", ARRAYS, ids=lambda array: f"{array.dtype}{array.shape}")
def test__load_pickle__array__is_the_same(array, protocol):
    read = load(pickle.dumps(array, protocol))

    assert type(read) is np.ndarray
    assert read.dtype == array.dtype
    np.testing.assert_array_equal(read, array)
    assert read.flags.writeable


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize(
    "thing",
    [
        {"label_specific": [1, 2], "names": ("a", "ä", b"\xff", b""), "none": None, "truth": True, "big": 2**100},
        [1.5, -3, 1 + 2j, bytearray(b"abc"), bytearray(), {1, 2}, frozenset(["x"]), set()],
        collections.OrderedDict([("b", 1), ("a", [2])]),
    ],
    ids=["dict", "list", "OrderedDict"],
)
def test__load_pickle__plain_things__are_the_same(thing, protocol):
    read = load(pickle.dumps(thing, protocol))

    assert read == thing
    assert type(read) is type(thing)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test__load_pickle__scalars_and_dtypes__are_the_same(protocol):
    things = [
        np.float32(0.1),
        np.int64(-5),
        np.bool_(True),
        np.str_("ink"),
        np.dtype("f4"),
        np.dtype(">u2"),
        {1: np.dtype("S5")},
    ]

    read = load(pickle.dumps(things, protocol))

    assert read == things
    assert [type(one) for one in read] == [type(one) for one in things]


@pytest.mark.parametrize("encoding", ["latin1", "bytes"])
def test__load_pickle__of_python_2__is_read(encoding):
    read = load(PYTHON_2, encoding=encoding)

    data, n = read.values()
    np.testing.assert_array_equal(data, np.array([[0, 1, 255]], np.uint8))
    assert n == 7
    assert type(n) is np.int32


@pytest.mark.parametrize("protocol", [2, 4, 5])
def test__load_pickle__paths_of_the_other_numpy__are_known(protocol):
    content = pickle.dumps(np.arange(3), protocol)
    if protocol < 4:  # names end with a line, and have no length before them
        old, new = (b"numpy.core.", b"numpy._core.")
        content = content.replace(new, old) if new in content else content.replace(old, new)
    else:
        for module in (b"numpy._core.numeric", b"numpy._core.multiarray"):
            other = module.replace(b"_core", b"core")
            content = content.replace(bytes([len(module)]) + module, bytes([len(other)]) + other)
        content = content[:2] + content[11:]  # the frame's length is another now

    np.testing.assert_array_equal(load(content), np.arange(3))


def test__load_pickle__shared_things__stay_shared():
    array = np.arange(3)

    first, second, (third,) = load(pickle.dumps([array, array, (array,)]))

    assert first is second is third


def test__load_pickle__arrays_deep_within__are_arrays():
    thing = {"a": ([np.arange(2)], {"b": (np.arange(3), np.array([np.arange(4), None], dtype=object))})}

    read = load(pickle.dumps(thing))

    assert type(read["a"][0][0]) is np.ndarray
    assert type(read["a"][1]["b"][1][0]) is np.ndarray


def test__load_pickle__file_with_more_after__is_read_to_the_pickles_end():
    file = io.BytesIO(pickle.dumps(1) + pickle.dumps(2))

    assert [load_pickle(file, name="two.pkl") for _ in range(2)] == [1, 2]


@pytest.mark.parametrize("damage", [b"", b"nonsense", pickle.dumps([1, 2])[:-3], pickle.dumps(np.arange(100))[:-50]])
def test__load_pickle__damaged__names_the_file(damage):
    with pytest.raises(DataError, match=r"labels\.pkl: "):
        load(damage)


@pytest.mark.parametrize(
    "thing",
    [
        np.zeros(2, dtype=[("a", "f4"), ("b", "i4")]),
        np.array(["2020-01-01"], dtype="datetime64[D]"),
        np.ma.masked_array([1, 2], [True, False]),
    ],
    ids=["structured", "dates", "masked"],
)
def test__load_pickle__other_arrays__are_refused(thing):
    with pytest.raises(DataError, match=r"labels\.pkl"):
        load(pickle.dumps(thing))


def test__load_pickle__container_within_itself__is_refused():
    thing: list = []
    thing.append(thing)

    with pytest.raises(DataError, match="within itself"):
        load(pickle.dumps(thing))


def test__load_pickle__a_billion_laughs__costs_no_time():
    thing: list = []
    for _ in range(60):
        thing = [thing, thing]

    read = load(pickle.dumps(thing))

    assert read[0] is read[1]
