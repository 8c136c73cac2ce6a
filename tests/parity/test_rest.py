"""What an XOR fails on is called chance only where nothing tells it."""

import pytest
import torch

from polythetic.parity.bits import Bits
from polythetic.parity.rest import is_all
from tests.parity.strings import flipped, strings, xor

ROWS, PAIR = 400, [[0, 1, 12, 12, 12]]


def judged(labels, x):
    return is_all(Bits.of(x, labels, None), torch.tensor(PAIR).expand(len(x), 5)).sure


def turned(x, where):
    """The XOR of the first two, turned round in some rows."""
    return xor(x, 2) ^ where.long()


def drawn(share):
    return torch.rand(8, ROWS, generator=torch.Generator().manual_seed(7)) < share


def test__is_all__labels_wrong_by_chance__says_so():
    assert judged(flipped(xor(x := strings(ROWS, 12, tasks=8), 2), 0.1), x).double().mean() >= 0.75


def test__is_all__a_feature_tells_where_it_fails__does_not():
    x = strings(ROWS, 12, tasks=8)
    assert not judged(turned(x, x[..., 2:5].prod(-1) > 0), x).any()  # on an eighth
    assert not judged(turned(x, (x[..., 2] > 0) & drawn(0.2)), x).any()  # on a tenth


def test__is_all__only_a_pair_tells_where_it_fails__does_not():
    x = strings(ROWS, 12, tasks=8)
    assert not judged(turned(x, (x[..., 2] != x[..., 3]) & drawn(0.2)), x).any()


@pytest.mark.parametrize(("share", "said"), [(0.01, True), (0.2, False)])
def test__is_all__next_to_none_or_too_many__does_not_depend_on_what_tells(share, said):
    x = strings(ROWS, 12, tasks=8)
    labels = xor(x, 2)
    wrong = int(share * ROWS)
    labels[:, :wrong] = 1 - labels[:, :wrong]
    assert (judged(labels, x) == said).all()


def test__is_all__few_rows__cannot_tell():
    x = strings(40, 12, tasks=8)
    labels = xor(x, 2)
    labels[:, :4] = 1 - labels[:, :4]
    assert not judged(labels, x).any()
