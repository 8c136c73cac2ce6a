"""Pages and the files they are made of: from the package, by a fixed table; no path of a request is ever opened."""

from __future__ import annotations

from html import escape
from importlib.resources import files
from string import Template

from polythetic._version import __version__
from polythetic.explore.views import VIEWS

HERE = files("polythetic.explore").joinpath("page")
SCRIPT, STYLE = "text/javascript; charset=utf-8", "text/css; charset=utf-8"
FILES = {
    "style.css": STYLE,
    "asking.js": SCRIPT,
    "forms.js": SCRIPT,
    "drawing.js": SCRIPT,
    "graphs.js": SCRIPT,
    "boolean.js": SCRIPT,
    "pictures.js": SCRIPT,
    "table.js": SCRIPT,
    "results.js": SCRIPT,
}


def file(name: str) -> tuple[bytes, str]:
    """Return a file of the table, and what kind it is."""
    return HERE.joinpath(name).read_bytes(), FILES[name]


def page(name: str, token: str) -> bytes:
    """Return a page, in the frame that all have in common, with the token that lets it ask.

    >>> b"<title>Boolean" in page("boolean", "secret")
    True
    """
    links = "\n".join(
        f'<li><a href="/{other}"{" aria-current=page" if other == name else ""}>{escape(view.title)}</a></li>'
        for other, view in VIEWS.items()
    )
    frame = Template(HERE.joinpath("frame.html").read_text(encoding="utf-8"))
    body = HERE.joinpath(f"{name}.html").read_text(encoding="utf-8")
    filled = frame.substitute(
        name=name, title=escape(VIEWS[name].title), token=token, links=links, body=body, version=__version__
    )
    return filled.encode()
