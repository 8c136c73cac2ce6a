"""Several processes that train as one: torchrun starts them, each takes its share of a step's tasks."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import torch
from torch import Tensor, nn


@dataclass(frozen=True)
class Team:
    """The processes that train together; one alone unless torchrun started several."""

    rank: int = 0
    size: int = 1

    @property
    def leads(self) -> bool:
        """Whether this is the process that writes and speaks."""
        return self.rank == 0

    def share(self, start: int, stop: int) -> range:
        """Return this process's share of tasks ``start`` to ``stop``; shares differ by one task at most.

        >>> Team(rank=1, size=2).share(10, 15)
        range(13, 15)
        """
        count, left_over = divmod(stop - start, self.size)
        first = start + self.rank * count + min(self.rank, left_over)
        return range(first, first + count + (self.rank < left_over))

    def average_gradients(self, parameters: Iterable[nn.Parameter], weight: float) -> None:
        """Replace gradients by their weighted sum over all processes; the weights of all sum to 1."""
        if self.size == 1:
            return
        present = [p for p in parameters if p.requires_grad]
        flat = torch.cat([(torch.zeros_like(p) if p.grad is None else p.grad).flatten() for p in present]) * weight
        torch.distributed.all_reduce(flat)
        for p, grad in zip(present, flat.split([p.numel() for p in present]), strict=True):
            p.grad = grad.view_as(p)

    def total(self, values: Tensor) -> Tensor:
        """Sum values over all processes."""
        if self.size > 1:
            torch.distributed.all_reduce(values)
        return values

    def any(self, flag: bool) -> bool:
        """Whether any process says yes; all must ask."""
        return bool(self.total(torch.tensor(float(flag))) > 0)


@contextmanager
def team() -> Iterator[Team]:
    """Join the processes that torchrun started, if it did; leave them at the end."""
    if int(os.environ.get("WORLD_SIZE", "1")) == 1:
        yield Team()
        return
    torch.distributed.init_process_group("nccl" if torch.cuda.is_available() else "gloo")
    try:
        yield Team(torch.distributed.get_rank(), torch.distributed.get_world_size())
        # Gloo's threads may hold what was summed last until they have done something else, and abort if Python ends
        # meanwhile (pytorch/pytorch#179291): give them this to do.
        torch.distributed.barrier()
    finally:
        torch.distributed.destroy_process_group()
