"""Tables that are too wide for a line of print: cells of several words are broken, and what is left over is cut.

Widths are estimated from the letters, generously: LaTeX alone knows them. They are in points, of 8-point letters, with
the space between columns.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import floor

from polythetic.report.section import Table

LINE = 482.0  # 17 cm, but for a point
GAP = 8.0  # between two columns
NARROW, WIDE, CAPITAL, LETTER = 2.8, 7.0, 6.2, 4.45
LETTERS = dict.fromkeys("iljtf.,:;|'()! ", NARROW) | dict.fromkeys("mwMW%±×−+=<>≤≥≈→α…", WIDE)


def width(words: str) -> float:
    """Estimate how wide words are.

    >>> width("100.0 ±0.0") > width("mill")
    True
    """
    return sum(LETTERS.get(letter, CAPITAL if letter.isupper() else LETTER) for letter in words)


def parts(table: Table, whole: Sequence[bool]) -> Iterator[tuple[Table, list[float] | None]]:
    """Cut a table into as many as it takes for each to fit on a line, the columns of words at its left in all of them.

    Args:
        table: any.
        whole: of each column, whether its cells are not to be broken, but for its head.

    Yields:
        A table, and its columns' widths in shares of the line; None if no cell has to be broken.

    >>> wide = Table(["", *"abc"], [["x", *["1" * 50] * 3]])
    >>> [part.header for part, _ in parts(wide, [False, True, True, True])]
    [['', 'a', 'b'], ['', 'c']]
    """
    columns = [[line[i] for line in (table.header, *table.body)] for i in range(len(table.header))]
    natural = [max(map(width, cells)) for cells in columns]
    least = [_least(cells, whole=k) for cells, k in zip(columns, whole, strict=True)]
    for chosen in _cut(least, leading=next((i for i, k in enumerate(whole) if k), len(whole))):
        part = Table([table.header[i] for i in chosen], [[line[i] for i in chosen] for line in table.body])
        wanted, needed = ([sizes[i] for i in chosen] for sizes in (natural, least))
        room = max(LINE - GAP * len(chosen), sum(needed))
        if sum(wanted) <= room:
            yield part, None
        else:
            share = (room - sum(needed)) / (sum(wanted) - sum(needed))
            widths = [n + share * (w - n) for w, n in zip(wanted, needed, strict=True)]
            yield part, [floor(1000 * each / LINE) / 1000 for each in widths]


def _least(cells: Sequence[str], *, whole: bool) -> float:
    """How narrow a column may become: as its longest word, or its longest cell."""
    head, *body = cells
    words = [*head.split(), *(body if whole else " ".join(body).split())]
    return max(map(width, words), default=0.0)


def _cut(least: Sequence[float], *, leading: int) -> list[list[int]]:
    """Share the columns out, the leading ones to every part, as evenly as the line allows."""
    first, rest = list(range(leading)), list(range(leading, len(least)))
    for many in range(1, len(rest) + 1):
        size = -(-len(rest) // many)
        cut = [first + rest[start : start + size] for start in range(0, len(rest), size)]
        if all(sum(least[i] + GAP for i in part) <= LINE for part in cut):
            return cut
    return [first + rest]
