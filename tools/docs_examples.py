"""An extension of griffe, which reads docstrings for the reference: their examples are shown as code."""

from __future__ import annotations

import re
from typing import Any

import griffe

EXAMPLE = re.compile(r"^>>> .*(?:\n.+)*", re.MULTILINE)  # up to the next empty line


class Examples(griffe.Extension):
    """Fence what begins with ``>>>``, which Markdown would take for a quotation within a quotation."""

    def on_instance(self, *, obj: griffe.Object, **_: Any) -> None:
        """Look at the docstring of a module, class, function or attribute."""
        if obj.docstring:
            obj.docstring.value = EXAMPLE.sub(r"```pycon\n\g<0>\n```", obj.docstring.value)
