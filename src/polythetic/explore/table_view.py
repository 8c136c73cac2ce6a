"""The settings of the page of one's own table, and the table that is read by them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from polythetic.arguments import one_of, whole_number
from polythetic.errors import DataError, InputError
from polythetic.explore.private import private_folder

if TYPE_CHECKING:
    import polars as pl

ENDINGS = (".csv", ".tsv", ".tab")
MOST_CLASSES = 50  # of a column that is offered as a label first
CONTROL = set(range(32)) - set(b"\t\n\f\r")  # bytes that text does not have
LOOKED_AT = 2**16  # bytes, for those


@dataclass(frozen=True)
class TableView:
    """What is on the page.

    Attributes:
        name: of the file; its ending says how columns are separated.
        label: the column of classes; none yet: only the columns are wanted.
        drop: columns to leave out.
        method: of scoring, ``"R"`` or ``"FS"``.
        missing: ``"error"`` or ``"impute"``.
        held_out: the share of labelled rows to be labelled again; rows without a label are, too.
        seed: fixes which rows, permutations, and the chance in R.
    """

    name: str = "table.csv"
    label: str = ""
    drop: tuple[str, ...] = ()
    method: str = "R"
    missing: str = "error"
    held_out: float = 0.2
    seed: int = 0

    def __post_init__(self) -> None:
        from polythetic.estimators.columns import MISSING
        from polythetic.table_scores import METHODS

        one_of("method", self.method, METHODS)
        one_of("missing", self.missing, MISSING)
        whole_number("seed", self.seed, least=0, most=2**31)
        if not 0 <= self.held_out <= 0.5:
            raise InputError("held_out", self.held_out, "a share from 0 to 0.5 of the rows")
        if self.ending not in ENDINGS:
            raise InputError("name", repr(self.name), f"a file ending in {', '.join(ENDINGS)}")

    @property
    def ending(self) -> str:
        """Of the file's name."""
        return Path(self.name.lower()).suffix


def read(view: TableView, content: bytes) -> pl.DataFrame:
    """Read a table from what was sent, which stays in memory; messages call it by its own name."""
    from polythetic.tables import read_table

    _ensure_text(view.name, content)
    with private_folder() as folder:
        path = folder / f"table{view.ending}"
        path.write_bytes(content)
        try:
            return read_table(path, as_written=[view.label] if view.label else [])
        except DataError as error:
            raise DataError(str(error).replace(str(path), view.name)) from None


def _ensure_text(name: str, content: bytes) -> None:
    """Refuse what is no text in words of their own: which byte it is that stands for no letter helps nobody."""
    try:
        content.decode()
    except UnicodeDecodeError:
        if CONTROL & set(content[:LOOKED_AT]):
            why = "is no text, whatever its name says: save it as CSV in UTF-8, or give its right name"
        else:
            why = "its letters are not in UTF-8: save it as CSV in UTF-8"
        raise DataError(f"{name}: {why}") from None


def offered(table: pl.DataFrame) -> list[dict[str, Any]]:
    """List the columns, with how many different values each has, and whether it may be a label."""
    found = []
    for column in table.iter_columns():
        different = column.drop_nulls().n_unique()
        found.append({"name": column.name, "values": different, "label": 2 <= different <= MOST_CLASSES})
    return found


def without(view: TableView, table: pl.DataFrame) -> pl.DataFrame:
    """Leave out the columns that are not wanted."""
    from polythetic.datasets.table import check_column

    for name in view.drop:
        check_column("drop", name, table.columns)
        one_of("drop", name, [other for other in table.columns if other != view.label])
    return table.drop(view.drop)


def ensure_filled(view: TableView, table: pl.DataFrame) -> None:
    """Refuse gaps, unless they are to be filled in; columns that are no features may have some."""
    from polythetic.table_scores import no_features

    if view.missing != "error":
        return
    features = table.drop(view.label)
    for column in features.drop(no_features(features)).iter_columns():
        gaps = column.is_null() | column.is_nan() if column.dtype.is_float() else column.is_null()
        if gaps.any():
            raise InputError(
                f"column {column.name!r}",
                f"nothing in {gaps.sum()} of {table.height} rows, row {gaps.arg_true()[0] + 1} the first",
                "a value in each; or choose Missing values: fill in, or Leave columns out",
            )
