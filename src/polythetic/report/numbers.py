"""Numbers as people read them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import floor, log10


def percentage(value: float) -> str:
    """Write a percentage, or a difference of two, as the paper does.

    >>> percentage(75.94)
    '75.9'
    """
    return f"{value:.1f}"


def xor(alpha: int) -> str:
    """Name the XOR of so many bits as the paper does.

    >>> xor(2)
    'XOR₂'
    """
    return f"XOR{'₀₁₂₃₄₅₆₇₈₉'[alpha]}"


def tidy(value: float, digits: int = 4) -> str:
    """Write a number with so many significant digits, or more if it is whole.

    >>> tidy(27917.09), tidy(0.79584), tidy(48), tidy(0.0)
    ('27,917', '0.7958', '48', '0')
    """
    if value == int(value):
        return f"{value:,.0f}"
    return f"{value:,.{max(0, digits - 1 - floor(log10(abs(value))))}f}"


def signed(value: float, write: Callable[[float], str] = percentage) -> str:
    """Write a difference with its sign; nothing has none.

    >>> signed(6.6), signed(-0.62), signed(0.01)
    ('+6.6', '−0.6', '0.0')
    """
    written = write(abs(value))
    if not any(digit in written for digit in "123456789"):
        return written
    return ("+" if value > 0 else "−") + written


def listed(values: Iterable[float], write: Callable[[float], str] = percentage) -> str:
    """Write numbers side by side.

    >>> listed([81.25, 88.3])
    '81.2 / 88.3'
    """
    return " / ".join(write(value) for value in values)
