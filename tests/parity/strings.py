"""Strings of bits whose class is a function of the first few of them."""

import torch


def strings(rows, n, tasks=3, seed=0):
    """Bits, as 0 and 1."""
    return torch.randint(2, (tasks, rows, n), generator=torch.Generator().manual_seed(seed)).double()


def xor(x, alpha):
    return x[..., :alpha].long().sum(-1) % 2


def flipped(labels, share, seed=1):
    """Labels of which some are wrong."""
    wrong = torch.rand(labels.shape, generator=torch.Generator().manual_seed(seed)) < share
    return torch.where(wrong, 1 - labels, labels)
