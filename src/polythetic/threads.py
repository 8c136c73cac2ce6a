"""One thread for torch: with few numbers, threads wait for each other longer than they work."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def one_thread() -> Iterator[None]:
    """Keep torch to one thread while the block runs, and give it back those it had, whatever happens.

    It stands apart from ``speed``, which all jobs import: what they have found is kept by the code they run, and would
    be lost (see ``jobs.code``). ``jobs.crew`` says the same in its own words for that reason.

    >>> import torch
    >>> with one_thread():
    ...     torch.get_num_threads()
    1
    """
    import torch

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)
