"""How much fits in memory: rows are worked through in chunks, and the impossible is refused beforehand."""

from __future__ import annotations

from collections.abc import Iterator

import psutil
import torch
from torch import Tensor

from polythetic.errors import TooLargeError

CHUNK_BYTES = 128 * 2**20  # of one [rows, n] matrix; small enough to stay quick, large enough to fill the cores
COPIES = 4  # matrices of that shape alive at once: similarities, gaps, logits, result


def row_chunks(query: Tensor, key: Tensor, *, what: str) -> Iterator[slice]:
    """Cut the rows of ``query`` so that each chunk's similarities to all of ``key`` take about CHUNK_BYTES.

    Autograd keeps the matrices of every chunk until the backward pass, so with gradients the whole must fit.

    >>> query, key = torch.zeros(3, 2), torch.zeros(5, 2)
    >>> list(row_chunks(query, key, what="attention"))
    [slice(0, 3, None)]
    """
    rows = query.shape[-2]
    tasks = query.shape[:-2].numel()
    bytes_per_row = max(1, tasks * key.shape[-2] * query.element_size())
    step = max(1, min(rows, CHUNK_BYTES // bytes_per_row))
    keeps_all = torch.is_grad_enabled() and (query.requires_grad or key.requires_grad)
    needed = COPIES * bytes_per_row * (rows if keeps_all else step)
    ensure_room(
        needed,
        f"{what} of {tasks} task(s) × {rows} rows to {key.shape[-2]} rows",
        "give fewer tasks or rows at a time" + (", or call it under torch.no_grad()" if keeps_all else ""),
    )
    return (slice(start, min(start + step, rows)) for start in range(0, max(rows, 1), step))


def ensure_room(needed: int, what: str, remedy: str) -> None:
    """Refuse what would not fit in the memory that is free.

    >>> ensure_room(2**80, "attention to everything", "ask for less")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    polythetic.errors.TooLargeError: attention to everything needs about ... GiB are free: ask for less
    """
    if needed > CHUNK_BYTES and needed > (free := psutil.virtual_memory().available):
        raise TooLargeError(f"{what} needs about {_gigabytes(needed)} and {_gigabytes(free)} are free: {remedy}")


def _gigabytes(size: int) -> str:
    return f"{size / 2**30:.1f} GiB"
