"""Chunks cover every row once and fit; what cannot fit is refused beforehand."""

from types import SimpleNamespace

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from polythetic import memory
from polythetic.attention import attend
from polythetic.classifiers import method_named
from polythetic.errors import PolytheticError, TooLargeError
from polythetic.memory import row_chunks
from polythetic.selection import AttentionScorer


@pytest.fixture
def one_gigabyte(monkeypatch):
    monkeypatch.setattr(memory.psutil, "virtual_memory", lambda: SimpleNamespace(available=2**30))


@given(st.integers(0, 40), st.integers(1, 9), st.integers(1, 3), st.integers(1, 500))
def test__row_chunks__any_sizes__cover_every_row_once_within_the_limit(rows, keys, tasks, limit):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(memory, "CHUNK_BYTES", limit)
        query, key = torch.zeros(tasks, rows, 2), torch.zeros(tasks, keys, 2)
        chunks = list(row_chunks(query, key, what="attention"))
    assert [i for chunk in chunks for i in range(chunk.start, chunk.stop)] == list(range(rows))
    for chunk in chunks:
        size = (chunk.stop - chunk.start) * keys * tasks * 4
        assert size <= limit or chunk.stop - chunk.start == 1


def test__row_chunks__gradients_that_do_not_fit__gives_an_estimate_and_a_remedy(one_gigabyte):
    query, key = torch.zeros(1, requires_grad=True).expand(10**6, 8), torch.zeros(1).expand(10**5, 8)
    with pytest.raises(TooLargeError) as caught:  # 4 copies · 10⁶ · 10⁵ · 4 bytes = 1490.1 GiB
        row_chunks(query, key, what="attention")
    message = str(caught.value)
    for part in ("attention of 1 task(s) × 1000000 rows to 100000 rows", "1490.1 GiB", "1.0 GiB are free", "no_grad"):
        assert part in message
    assert isinstance(caught.value, PolytheticError)


def test__row_chunks__the_same_without_gradients__fits_in_chunks(one_gigabyte):
    query, key = torch.zeros(1).expand(10**6, 8), torch.zeros(1).expand(10**5, 8)
    first = next(iter(row_chunks(query, key, what="attention")))
    assert 0 < first.stop < 10**6


def test__row_chunks__one_row_that_does_not_fit__is_refused_without_naming_no_grad(one_gigabyte):
    query, key = torch.zeros(1).expand(1000, 10, 8), torch.zeros(1).expand(1000, 10**6, 8)
    with pytest.raises(TooLargeError, match=r"needs about 14\.9 GiB and 1\.0 GiB are free: give fewer") as caught:
        row_chunks(query, key, what="classification")
    assert "no_grad" not in str(caught.value)


def test__method__no_memory_left__says_so_before_trying(monkeypatch, rng):
    monkeypatch.setattr(memory, "CHUNK_BYTES", 16)
    monkeypatch.setattr(memory.psutil, "virtual_memory", lambda: SimpleNamespace(available=16))
    x = torch.from_numpy(rng.normal(size=(6, 2)))
    with pytest.raises(TooLargeError, match=r"sorting 1 task\(s\) of 6 rows"):
        method_named("MN")(x, [0, 1] * 3, x)
    with pytest.raises(TooLargeError, match=r"attention of 1 task\(s\) × 6 rows to 6 rows"):
        attend(x, x, x, similarity="laplace")


@pytest.mark.parametrize("similarity", ["dot", "cosine", "euclidean", "laplace"])
@pytest.mark.parametrize("temperature", [0.0, 0.5, float("inf")])
def test__attend__in_chunks__equals_all_at_once(similarity, temperature, monkeypatch, rng):
    x = torch.from_numpy(rng.normal(size=(2, 7, 3)))
    whole = attend(x, x, x, similarity=similarity, temperature=temperature)
    monkeypatch.setattr(memory, "CHUNK_BYTES", 3 * 2 * 7 * 8)  # three rows
    assert torch.allclose(attend(x, x, x, similarity=similarity, temperature=temperature), whole)


def test__trajectory__more_attention_than_memory__is_refused_before_it_is_tried(one_gigabyte):
    x, y = torch.zeros(20_000, 2), torch.arange(20_000) % 2
    with pytest.raises(TooLargeError, match=r"20000 rows to each other at 3 moments needs about .* fewer"):
        AttentionScorer(repeats=2).trajectory(x, y)
