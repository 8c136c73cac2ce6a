"""Arguments as they come, NumPy or torch, made into tensors; what cannot be used is refused in plain words."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from polythetic.errors import InputError


class Task(NamedTuple):
    """A checked support, its labels, and queries if there are any; padding is zero."""

    support: Tensor  # [*tasks, n, F]
    labels: Tensor  # [*tasks, n], int64
    mask: Tensor | None  # [*tasks, n], bool
    query: Tensor | None = None  # [*tasks, q, F]
    query_mask: Tensor | None = None  # [*tasks, q], bool


def as_task(support: Any, labels: Any, query: Any = None, *, mask: Any = None, query_mask: Any = None) -> Task:
    """Check a support with its labels, and queries if given, and return them as tensors.

    >>> as_task([[0.0, 1.0]], [0, 1])
    Traceback (most recent call last):
    ...
    polythetic.errors.InputError: labels = 2 of them for 1 rows: expected one label a row of support
    """
    support = _features("support", support)
    if support.shape[-2] == 0 or support.shape[-1] == 0:
        raise InputError("support", _shape(support), "at least one row of at least one feature")
    labels = _labels(labels)
    if labels.shape[:-1] != support.shape[:-2]:
        raise InputError("labels", _shape(labels), f"labels shaped like support's rows, {_shape(support, 1)}")
    if labels.shape[-1] != support.shape[-2]:
        raise InputError(
            "labels",
            f"{labels.shape[-1]} of them for {support.shape[-2]} rows",
            "one label a row of support",
        )
    if labels.numel() == 0:
        raise InputError("support", _shape(support), "at least one task")
    support, mask = _without_padding("mask", support, mask)
    _finite("support", support)
    _two_classes(labels, mask)
    if query is None:
        return Task(support, labels, mask)

    query = _features("query", query)
    if query.shape[-1] != support.shape[-1]:
        raise InputError("query", f"{query.shape[-1]} features", f"the {support.shape[-1]} features that support has")
    if query.shape[:-2] != support.shape[:-2]:
        raise InputError("query", _shape(query), f"the tasks of support, {_shape(support)}")
    query, query_mask = _without_padding("query_mask", query, query_mask)
    _finite("query", query)
    dtype = torch.promote_types(support.dtype, query.dtype)
    return Task(support.to(dtype), labels, mask, query.to(dtype), query_mask)


def like(original: object, result: Tensor) -> Any:
    """Return the result as the caller gave its data: a tensor for a tensor, a NumPy array otherwise."""
    return result if isinstance(original, Tensor) else result.detach().numpy()


def _without_padding(argument: str, x: Tensor, mask: Any) -> tuple[Tensor, Tensor | None]:
    """Set rows that are padding to zero: whatever stands there must not leak."""
    if mask is None:
        return x, None
    try:
        mask = torch.as_tensor(mask)
    except (TypeError, ValueError, RuntimeError):
        raise InputError(argument, repr(mask), f"an array of true or false, {_shape(x, 1)}") from None
    if mask.dtype != torch.bool or mask.shape != x.shape[:-1]:
        raise InputError(argument, f"{mask.dtype} {_shape(mask)}", f"true or false a row, {_shape(x, 1)}")
    return x.masked_fill(~mask[..., None], 0), mask


def _tensor(x: Any) -> Tensor:
    """Make a tensor of an array of any strides and byte order, writeable or not."""
    array = np.asarray(x)
    native = np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("=")).reshape(array.shape)
    return torch.as_tensor(native if native.flags.writeable else native.copy())


def _refuse_masked(argument: str, x: Any) -> None:
    """Refuse NumPy's masked values: what stands under a mask is no value, and a tensor would make it one."""
    if np.ma.is_masked(x):
        raise InputError(
            argument,
            f"an array with {int(np.ma.getmaskarray(x).sum())} masked values",
            "a value everywhere; fill them in (.filled), or leave out their rows (mask=)",
        )


def _features(argument: str, x: Any) -> Tensor:
    _refuse_masked(argument, x)
    try:
        x = x if isinstance(x, Tensor) else _tensor(x)
    except (TypeError, ValueError, RuntimeError) as error:
        raise InputError(argument, type(x).__name__, f"an array of numbers ({error})") from None
    if x.ndim < 2:
        raise InputError(argument, _shape(x), "rows of features, [n, F] or [tasks, n, F]")
    if x.is_complex():
        raise InputError(argument, str(x.dtype), "real numbers")
    if x.dtype in (torch.float32, torch.float64):
        return x
    # Halves have too few digits to sum squares with; whole numbers may have more than 32 bits hold.
    return x.to(torch.float32 if x.is_floating_point() else torch.float64)


def _labels(labels: Any) -> Tensor:
    _refuse_masked("labels", labels)
    try:
        labels = labels if isinstance(labels, Tensor) else _tensor(labels)
    except (TypeError, ValueError, RuntimeError):
        labels = np.asarray(labels)
    if not isinstance(labels, Tensor) or labels.is_floating_point() or labels.is_complex():
        raise InputError("labels", f"values of type {labels.dtype}", "integers; number the classes first")
    if labels.ndim == 0:
        raise InputError("labels", "a single value", "one label a row of support")
    return labels.long()


def _finite(argument: str, x: Tensor) -> None:
    low, high = x.detach().aminmax() if x.numel() else (x.new_zeros(()), x.new_zeros(()))
    largest = torch.maximum(-low, high)  # NaN if there is one
    if not torch.isfinite(largest):
        bad = (~torch.isfinite(x)).nonzero()[0].tolist()
        raise InputError(
            argument,
            f"{x[tuple(bad)].item()} at {bad}",
            "finite numbers; remove or impute those that are missing",
        )
    # Squares are summed over features and rows: beyond this they would overflow into infinity.
    limit = (torch.finfo(x.dtype).max / max(1, x.shape[-1] * x.shape[-2]) / 16) ** 0.5
    if largest > limit:
        raise InputError(
            argument,
            f"a value of size {largest.item():.3g}",
            f"values up to {limit:.3g} in {x.dtype}; rescale the features, or give 64-bit numbers",
        )


def _two_classes(labels: Tensor, mask: Tensor | None) -> None:
    rows = labels.reshape(-1, labels.shape[-1])
    if mask is None:
        low, high = rows.aminmax(dim=1)
    else:
        valid = mask.reshape(rows.shape)
        if not bool(valid.any(1).all()):
            raise InputError("mask", f"no row of task {int((~valid.any(1)).nonzero()[0])}", "rows in every task")
        low = rows.masked_fill(~valid, torch.iinfo(rows.dtype).max).amin(1)
        high = rows.masked_fill(~valid, torch.iinfo(rows.dtype).min).amax(1)
    if bool((single := low == high).any()):
        task = int(single.nonzero()[0])
        where = f" in task {task}" if labels.ndim > 1 else ""
        raise InputError("labels", f"only {int(low[task])}{where}", "at least two classes in every support")


def _shape(x: Any, drop: int = 0) -> str:
    return "×".join(map(str, x.shape[: x.ndim - drop])) or "a single value"
