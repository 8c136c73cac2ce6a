"""The views there are: for each its settings, which are its address, and the function that says what it shows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from polythetic.explore.addresses import read_address
from polythetic.explore.boolean import boolean
from polythetic.explore.boolean_view import BooleanView
from polythetic.explore.own_table import own_table
from polythetic.explore.pictures import PicturesView, pictures
from polythetic.explore.results import ResultsView, results
from polythetic.explore.table_view import TableView
from polythetic.progress import Progress

MEGABYTE = 2**20


class View(NamedTuple):
    """One page.

    Attributes:
        title: of the page.
        settings: a dataclass.
        answer: given settings, someone who watches, and the file that was sent if the page sends any.
        most: bytes that may be sent.
    """

    title: str
    settings: type[Any]
    answer: Callable[..., Mapping[str, Any]]
    most: int = 0

    def ask(self, query: str, body: bytes) -> Callable[[Progress], Mapping[str, Any]]:
        """Read the address, which may be wrong, and return the work that is left to do."""
        settings: Any = read_address(self.settings, query)
        if self.most:
            return lambda progress: self.answer(settings, progress, body)
        return lambda progress: self.answer(settings, progress)


VIEWS: dict[str, View] = {
    "boolean": View("Boolean", BooleanView, boolean),
    "pictures": View("Pictures", PicturesView, pictures),
    "table": View("Your table", TableView, own_table, most=16 * MEGABYTE),
    "results": View("Results", ResultsView, results),
}
