"""Dates in text: a column of them is no category, however often a day recurs."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl

ISO = r"^\d{4}-\d{2}-\d{2}$"
ISO_WITH_TIME = r"^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})?$"
CLOCKS = ("%H:%M", "%H:%M:%S%.f")


def as_dates(words: pl.Series) -> pl.Series | None:
    """Return words that are all dates, or all dates with a time, by ISO 8601 as such; None if they are not.

    >>> import polars as pl
    >>> as_dates(pl.Series(["2026-01-31", None]))[0], as_dates(pl.Series(["2026-01-31T12:30Z"])).dtype.is_temporal()
    (datetime.date(2026, 1, 31), True)
    >>> as_dates(pl.Series(["2026-01-32"])), as_dates(pl.Series(["2026-01-31", "May"]))
    (None, None)
    """
    known = words.drop_nulls()
    if known.str.contains(ISO).all():
        tried = [words.str.to_date("%Y-%m-%d", strict=False)]
    elif known.str.contains(ISO_WITH_TIME).all():
        plain = words.str.replace("T", " ", literal=True).str.replace("Z", "+00:00", literal=True)
        zone = "%:z" if plain.str.contains(r"[+-]\d{2}:\d{2}$").any() else ""
        tried = [plain.str.to_datetime(f"%Y-%m-%d {clock}{zone}", time_unit="us", strict=False) for clock in CLOCKS]
    else:
        return None
    return next((dates for dates in tried if dates.null_count() == words.null_count()), None)
