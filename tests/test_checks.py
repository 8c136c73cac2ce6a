"""Bad input is refused with argument, value and remedy; good input of any kind is taken."""

import numpy as np
import pytest
import torch
from numpy.testing import assert_allclose

from polythetic import score_features
from polythetic.arguments import whole_number
from polythetic.classifiers import method_named
from polythetic.errors import InputError, PolytheticError
from tests import plain

X, Y, Q = plain.task(0, sizes=(4, 3), features=3, queries=5)


def with_value(x, value):
    x = x.copy()
    x[2, 1] = value
    return x


def twice(x):
    return np.stack([x, x])


MONOTONE_TASK_1 = np.stack([Y, np.full(7, 4)])
LETTERS = np.array(list("aabbaab"))
EMPTY_TASK_1 = np.array([[True] * 7, [False] * 7])

# what is given: (support, labels, query, mask), and what the message must say
BAD = {
    "NaN in support": ((with_value(X, np.nan), Y, Q, None), r"support = nan at \[2, 1\]: .*remove or impute"),
    "infinity in support": ((with_value(X, -np.inf), Y, Q, None), r"support = -inf at \[2, 1\]: .*finite"),
    "NaN in query": ((X, Y, with_value(Q, np.nan), None), r"query = nan at \[2, 1\]: .*remove or impute"),
    "infinity in query": ((X, Y, with_value(Q, np.inf), None), r"query = inf at \[2, 1\]: .*finite"),
    "values too large": ((X.astype("f4") * 1e30, Y, Q, None), r"support = a value of size .*e\+30: .*rescale.*64-bit"),
    "empty support": ((X[:0], Y[:0], Q, None), r"support = 0×3: expected at least one row"),
    "no features": ((X[:, :0], Y, Q[:, :0], None), r"support = 7×0: expected .* at least one feature"),
    "one class": ((X, Y * 0 + 4, Q, None), r"labels = only 4: expected at least two classes"),
    "one class in a batch": (
        (twice(X), MONOTONE_TASK_1, twice(Q), None),
        r"labels = only 4 in task 1: .*two",
    ),
    "one class under the mask": ((X, Y, Q, Y == 1), r"labels = only 1: expected at least two classes"),
    "too few labels": ((X, Y[:5], Q, None), r"labels = 5 of them for 7 rows: expected one label a row"),
    "labels of other tasks": ((twice(X), Y, twice(Q), None), r"labels = 7: expected .*support's rows, 2×7"),
    "float labels": ((X, Y.astype(float), Q, None), r"labels = values of type .*float64: expected integers"),
    "string labels": (
        (X, LETTERS, Q, None),
        r"labels = values of type .*: expected integers; number",
    ),
    "a label alone": ((X[:1], 3, Q, None), r"labels = a single value: expected one label a row"),
    "other features in query": ((X, Y, Q[:, :2], None), r"query = 2 features: expected the 3 features"),
    "other tasks in query": ((twice(X), twice(Y), Q, None), r"query = 5×3: expected the tasks of support, 2×7×3"),
    "1-D support": ((X[:, 0], Y, Q, None), r"support = 7: expected rows of features, \[n, F\]"),
    "1-D query": ((X, Y, Q[0], None), r"query = 3: expected rows of features, \[n, F\]"),
    "ragged support": (([[1.0], [1.0, 2.0]], [0, 1], Q, None), r"support = list: expected an array of numbers"),
    "string support": ((X.astype(str), Y, Q, None), r"support = ndarray: expected an array of numbers"),
    "complex support": ((X + 1j, Y, Q, None), r"support = torch.complex128: expected real numbers"),
    "masked values": (
        (np.ma.masked_greater(X, np.sort(X, None)[-3]), Y, Q, None),
        r"support = an array with 2 masked values: expected a value everywhere; fill",
    ),
    "masked labels": ((X, np.ma.masked_equal(Y, 1), Q, None), r"labels = an array with 3 masked values"),
    "masked query": ((X, Y, np.ma.masked_less(Q, np.sort(Q, None)[1]), None), r"query = an array with 1 masked"),
    "mask of another shape": ((X, Y, Q, np.ones(5, bool)), r"mask = torch.bool 5: expected true or false a row, 7"),
    "mask of numbers": ((X, Y, Q, np.ones(7, int)), r"mask = torch.int64 7: expected true or false a row"),
    "mask of nothing": (
        (twice(X), twice(Y), twice(Q), np.array([[True] * 7, [False] * 7])),
        r"mask = no row of task 1",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test__method__bad_input__names_argument_value_and_remedy(case):
    (support, labels, query, mask), message = BAD[case]
    for call in (method_named("FS+MN"), method_named("PN").predict):
        with pytest.raises(InputError, match=message) as caught:
            call(support, labels, query, mask=mask)
        assert isinstance(caught.value, ValueError)
        assert isinstance(caught.value, PolytheticError)
        assert message.startswith(caught.value.argument)


@pytest.mark.parametrize("case", [name for name in BAD if "query" not in name])
def test__score_features__bad_input__names_argument_value_and_remedy(case):
    (support, labels, _, mask), message = BAD[case]
    with pytest.raises(InputError, match=message):
        score_features(support, labels, mask=mask)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"repeats": -1}, r"repeats = -1: expected a whole number of at least 0"),
        ({"temperature": -0.5}, r"temperature = -0.5: expected 'auto', or a number from 0"),
        ({"temperature": float("nan")}, r"temperature = nan: expected"),
        ({"temperature": "warm"}, r"temperature = 'warm': expected"),
        ({"similarity": "dots"}, r"similarity = 'dots': expected one of dot, cosine, euclidean, laplace"),
        ({"dispersion": "var"}, r"dispersion = 'var': expected one of mad, std, mav"),
        ({"eps": -1e-3}, r"eps = -0.001: expected a small number of 0 or more"),
        ({"eps": float("nan")}, r"eps = nan: expected a small number"),
        ({"eps": True}, r"eps = True: expected a small number"),
    ],
)
def test__score_features__bad_setting__names_argument_value_and_remedy(settings, message):
    with pytest.raises(InputError, match=message):
        score_features(X, Y, **settings)


def test__score_features__mask_of_text__is_an_input_error():
    with pytest.raises(InputError, match="mask"):
        score_features(X, Y, mask="all")


@pytest.mark.parametrize("value", [0, 4, 1.5, True, "2", None])
def test__whole_number__out_of_range_or_of_another_kind__is_refused(value):
    with pytest.raises(InputError, match=r"k = .*: expected a whole number from 1 to 3$"):
        whole_number("k", value, least=1, most=3)


@pytest.mark.parametrize("value", [1, np.int32(3), np.uint8(2)])
def test__whole_number__in_range__is_an_int(value):
    assert whole_number("k", value, least=1, most=3) == value
    assert type(whole_number("k", value, least=1, most=3)) is int


# ---------------------------------------------------------------- all that must work

BITS = np.random.default_rng(3).integers(0, 2, (8, 3))
PARITY = BITS[:, 0] ^ BITS[:, 1]


@pytest.mark.parametrize(
    "convert",
    [
        lambda x: x.tolist(),
        lambda x: x.astype(bool),
        lambda x: x.astype(bool).tolist(),
        lambda x: x.astype(np.uint8),
        lambda x: x.astype(np.float32),
        lambda x: torch.from_numpy(x),
        lambda x: np.asfortranarray(x.astype(float)),
        lambda x: x[::-1].astype(float)[::-1],
        lambda x: x.astype(">f8"),
    ],
    ids=["list", "bool", "list of bool", "uint8", "float32", "torch int", "fortran", "reversed", "big-endian"],
)
def test__method__numbers_of_another_kind__the_same_answer(convert):
    method = method_named("FS+MN")
    expected = method(BITS.astype(float), PARITY, BITS.astype(float))
    found = method(convert(BITS), PARITY, convert(BITS))
    assert_allclose(found, expected, rtol=1e-4, atol=1e-6)
    assert method.predict(convert(BITS), PARITY, convert(BITS)).tolist() == PARITY.tolist()


def test__method__read_only_array__no_warning():
    x = X.copy()
    x.flags.writeable = False
    torch.set_warn_always(True)
    try:
        assert_allclose(method_named("MN")(x, Y, Q), method_named("MN")(X, Y, Q))
    finally:
        torch.set_warn_always(False)


@pytest.mark.parametrize(
    "labels",
    [
        PARITY.tolist(),
        PARITY.astype(bool),
        PARITY.astype(np.int8),
        torch.from_numpy(PARITY).to(torch.uint8),
        PARITY.astype(np.uint64),
    ],
    ids=["list", "bool", "int8", "torch uint8", "uint64"],
)
def test__predict__labels_of_another_kind__the_same_answer(labels):
    assert method_named("MN").predict(BITS, labels, BITS).tolist() == PARITY.tolist()


@pytest.mark.parametrize("name", ["MN", "FS+MN", "PN"])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test__method__torch_in__torch_out_in_its_precision(name, dtype):
    support, query = plain.tensors(X, Q, dtype=dtype)
    found = method_named(name)(support, torch.from_numpy(Y), query)
    assert isinstance(found, torch.Tensor)
    assert found.dtype == dtype
    assert score_features(support, Y).dtype == dtype
    assert method_named(name).predict(support, Y, query).dtype == torch.int64


@pytest.mark.parametrize("name", ["MN", "FS+MN", "PN"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test__method__numpy_in__numpy_out_in_its_precision(name, dtype):
    found = method_named(name)(X.astype(dtype), Y, Q.astype(dtype))
    assert isinstance(found, np.ndarray)
    assert found.dtype == dtype
    assert isinstance(score_features(X.astype(dtype), Y), np.ndarray)
    assert score_features(X.astype(dtype), Y).dtype == dtype
    assert method_named(name).predict(X.astype(dtype), Y, Q.astype(dtype)).dtype == np.int64


def test__method__support_and_query_in_different_precisions__the_finer_one():
    assert method_named("FS+MN")(X.astype(np.float32), Y, Q).dtype == np.float64


def test__method__constant_features_and_duplicate_rows__work():
    support = np.column_stack([X, np.full(7, 3.0)])
    support = np.concatenate([support, support, support[:1]])
    labels = np.concatenate([Y, Y, Y[:1]])
    query = np.column_stack([Q, np.full(5, -8.0)])
    for name in ("PN", "MN", "NN", "FS+PN", "FS+MN", "FS+NN"):
        assert_allclose(np.exp(method_named(name)(support, labels, query)).sum(-1), 1)


def test__method__no_queries__no_answers():
    assert method_named("FS+MN")(X, Y, Q[:0]).shape == (0, 2)
    assert method_named("PN").predict(X, Y, Q[:0]).shape == (0,)


def test__method__no_tasks__is_an_input_error():
    with pytest.raises(InputError, match="at least one task"):
        method_named("FS+MN")(twice(X)[:0], twice(Y)[:0], twice(Q)[:0])


def test__method__masked_array_with_nothing_masked__is_taken():
    assert_allclose(method_named("MN")(np.ma.masked_array(X), Y, Q), method_named("MN")(X, Y, Q))


@pytest.mark.parametrize("eps", [np.float32(0.125), np.float64(0.125), torch.tensor(0.125).item()])
def test__score_features__eps_of_any_kind_of_number__is_taken(eps):
    assert_allclose(score_features(X, Y, eps=eps), score_features(X, Y, eps=0.125))
