"""Tables of one's own: read from a file, with one column that is the label."""

from polythetic.datasets.table import check_column
from polythetic.tables.labels import check_classes, split_label, words_of
from polythetic.tables.reading import read_table

__all__ = ["check_classes", "check_column", "read_table", "split_label", "words_of"]
