"""Scores of a table's columns: which matter for a label, which of them alone, and which only together."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from polythetic.arguments import one_of
from polythetic.errors import InputError
from polythetic.estimators.columns import MISSING, MOST_CATEGORIES, Columns, by_column
from polythetic.interactions import ORDERS, Effect, Levels, enough_permutations, find_effects
from polythetic.progress import Progress, Silent

if TYPE_CHECKING:
    import polars as pl

METHODS = ("R", "FS")  # refinement, Algorithm 1
DIGITS = 6  # of scores that are told apart, against the highest
TINY = 1e-30
TOP = 20  # columns that pairs and threes are taken from: 190 and 1140 of them


@dataclass(frozen=True)
class TableScores:
    """What is known of a table's columns.

    Attributes:
        names: of the columns, the highest score first, and the highest of Algorithm 1 first where they are the same.
        scores: of the columns, in the same order; none is negative.
        alone: p of each column's effect on the label by itself, in the same order.
        together: effects of pairs and threes among the first of them, the most telling first; members are numbers in
            this order.
        rows: how many were looked at.
        classes: how many of each class.
        left_out: columns that are no features, with the reason.
        permutations: of the labels, that p of one column, of two and of three comes from.
    """

    names: tuple[str, ...]
    scores: tuple[float, ...]
    alone: tuple[float, ...]
    together: tuple[Effect, ...]
    rows: int
    classes: dict[str, int]
    left_out: dict[str, str]
    permutations: tuple[int, ...]


def score_table(
    table: pl.DataFrame,
    labels: Sequence[str],
    *,
    method: str = "R",
    missing: str = "error",
    permutations: int | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> TableScores:
    """Score the columns of a table by what they have to do with labels.

    Columns of text that name the rows, and of dates, are left out with a warning. A column of categories has one score:
    the root of the sum of squares of those of its indicators.

    Args:
        table: a row for each label.
        labels: two classes or more.
        method: R, refined scores, or FS, those of Algorithm 1.
        missing: values that are missing are an error, or filled in ("impute") by the median or commonest category.
        permutations: of the labels, for p-values; 999 or more unless given, as the number of columns asks.
        seed: fixes them, and the chance that is in refinement.
        progress: is told how far it is.

    >>> import polars as pl
    >>> x = np.random.default_rng(0).integers(2, size=(40, 5))
    >>> scores = score_table(pl.DataFrame(x, schema=list("abcde")), [str(b ^ e) for _, b, _, _, e in x])
    >>> scores.names[:2], scores.together[0].members, scores.together[0].p
    (('e', 'b'), (0, 1), 0.001)
    """
    one_of("method", method, METHODS)
    one_of("missing", missing, MISSING)
    progress = progress or Silent()
    progress.start("scoring columns", 1)
    left_out = no_features(table)
    for name, why in left_out.items():
        warnings.warn(f"column {name!r} left out: {why}", UserWarning, stacklevel=2)
    if len(left_out) == table.width:
        raise InputError("table", f"{table.width} columns, none a feature", "numbers, or categories that recur")
    table = table.drop(left_out)
    columns = Columns.of(table)
    numbers = columns.numbers(table, missing=missing)
    _all_there(columns, numbers)
    codes = np.unique(list(labels), return_inverse=True)[1]
    scores, first = (
        by_column(_scores(numbers, codes, how, seed, progress), columns.owner, table.width) for how in (method, "FS")
    )
    # Columns that refinement sees nothing in have the same score: these are in the order of Algorithm 1.
    order = np.lexsort((-first, -np.round(scores / max(scores.max(), TINY), DIGITS))).tolist()
    levels = [_levels(columns, numbers, number) for number in order]
    among = range(min(TOP, len(order)))
    effects = find_effects(levels, codes, among=among, permutations=permutations, seed=seed, progress=progress)
    alone = {effect.members[0]: effect.p for effect in effects if len(effect.members) == 1}
    return TableScores(
        names=tuple(columns.names[number] for number in order),
        scores=tuple(float(scores[number]) for number in order),
        alone=tuple(alone[place] for place in range(len(order))),
        together=tuple(effect for effect in effects if len(effect.members) > 1),
        rows=len(codes),
        classes=dict(sorted(Counter(labels).items())),
        left_out=left_out,
        permutations=tuple(
            permutations or enough_permutations(len(order), len(order if size == 1 else among), len(codes), size)
            for size in ORDERS
        ),
    )


def no_features(table: pl.DataFrame) -> dict[str, str]:
    """Return the columns that are no features, with the reason."""
    import polars as pl

    found: dict[str, str] = {}
    for place, column in enumerate(table.iter_columns(), start=1):
        kind, different, known = column.dtype, None, column.drop_nulls()
        if kind in (pl.String, pl.Categorical, pl.Enum):
            different = known.n_unique()
        if not column.name:
            found[column.name] = f"number {place}, it has no name; numbers of rows are saved so"
        elif column.null_count() == len(column):
            found[column.name] = "it has no values"
        elif kind.is_temporal() or kind.is_nested():
            found[column.name] = f"it is of {kind}; take numbers from it, a year or a number of days, say"
        elif different is not None and different > MOST_CATEGORIES:
            found[column.name] = f"it has {different} different texts, more than the {MOST_CATEGORIES} of a category"
        elif different is not None and different == len(known) > 2:
            found[column.name] = "its texts differ from row to row, as names do"
    return found


def _all_there(columns: Columns, numbers: NDArray[np.float64]) -> None:
    for place, name in enumerate(columns.names):
        own = numbers[:, columns.owner == place]
        if gaps := int(np.isnan(own).any(1).sum()):
            raise InputError(
                f"column {name!r}",
                f"nothing in {gaps} of {len(own)} rows",
                "a value in each; fill them in, drop the column, or have it done (--missing impute, missing='impute')",
            )
        if not np.isfinite(own).all():
            raise InputError(f"column {name!r}", "an infinite number", "finite numbers; mend it or drop the column")


def _scores(
    numbers: NDArray[np.float64], codes: NDArray[np.int64], method: str, seed: int, progress: Progress
) -> NDArray[np.float64]:
    import torch

    from polythetic.checks import as_task
    from polythetic.pipeline import Selection
    from polythetic.standardisation import without_rounding
    from polythetic.watched import WatchedScorer

    task = as_task(numbers, codes)
    support = without_rounding(task.support)  # columns come in units of any size: no ε may stand beside them
    selection = Selection(eps=0.0)
    if method == "R":
        watched = WatchedScorer(seed=seed, progress=progress)
        progress.start("refining scores", watched.most)
        selection = Selection(watched, eps=0.0)
    with torch.no_grad():
        return selection.scores(support, task.labels, support[:0]).numpy()


def _levels(columns: Columns, numbers: NDArray[np.float64], place: int) -> Levels:
    own = numbers[:, columns.owner == place]
    if columns.columns[place].categories is None or own.shape[1] == 1:
        return Levels.of_numbers(own[:, 0])
    return Levels.of_categories(own.argmax(1))
