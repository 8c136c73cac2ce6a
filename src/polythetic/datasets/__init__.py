"""Data: where files come from, how they are checked, and what they hold."""

from polythetic.datasets.arrays import from_arrays
from polythetic.datasets.collection import Collection, Examples, Pixels, Rows
from polythetic.datasets.folder import read_folder
from polythetic.datasets.hierarchy import read_hierarchy
from polythetic.datasets.mnist import mnist
from polythetic.datasets.omniglot import omniglot
from polythetic.datasets.table import read_table
from polythetic.datasets.tiered import tiered, which_serve, which_splits_serve

__all__ = [
    "Collection",
    "Examples",
    "Pixels",
    "Rows",
    "from_arrays",
    "mnist",
    "omniglot",
    "read_folder",
    "read_hierarchy",
    "read_table",
    "tiered",
    "which_serve",
    "which_splits_serve",
]
